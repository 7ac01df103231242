//! Finds the place of an external listing by applying the rules to all candidates. A match is certain only if it is
//! clearly better than all others.

use std::cmp::Reverse;

use super::{
    match_index::{MatchIndex, Sought},
    match_rules::Judgement,
};

/// Minimum difference in score between a certain match and all others.
pub(super) const CLEARLY: i32 = 10;
/// Maximum distance in metres between an approximate position and the only place with the same name.
const VICINITY: f64 = 5_000.0;

/// A possible match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    /// Index of the place.
    pub(crate) place: usize,
    pub(crate) metres: Option<f64>,
    pub(super) score: i32,
}

/// Result of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    Certain(Candidate),
    /// A person must decide, for this reason.
    Doubtful(Candidate, &'static str),
    None,
}

impl MatchIndex {
    /// Finds the place near the position or at the address, among the places that pass `may_be`.
    pub(crate) fn find(&self, sought: Sought<'_>, may_be: impl Fn(usize) -> bool) -> Verdict {
        let mut certain: Vec<Candidate> = Vec::new();
        let mut doubtful: Option<(Candidate, &'static str)> = None;
        for (place, comparison) in self.compare(sought, may_be) {
            let candidate = |score| Candidate {
                place,
                metres: comparison.metres,
                score,
            };
            match comparison.judge() {
                Judgement::Certain(score) => certain.push(candidate(score)),
                Judgement::Doubtful(score, reason) => {
                    if doubtful.is_none_or(|(best, _)| best.score < score) {
                        doubtful = Some((candidate(score), reason));
                    }
                }
                Judgement::No => {}
            }
        }
        certain.sort_by_key(|one| (Reverse(one.score), one.place));
        match (certain.as_slice(), doubtful) {
            ([], None) => Verdict::None,
            ([], Some((best, reason))) => Verdict::Doubtful(best, reason),
            ([best, second, ..], _) if best.score - second.score < CLEARLY => {
                Verdict::Doubtful(*best, "another place matches as well")
            }
            ([best, ..], _) => Verdict::Certain(*best),
        }
    }

    /// Finds the only place with the name, for a sought place whose position is unknown or approximate. The match is
    /// uncertain, because another city may also have a place with this name.
    pub(crate) fn find_by_name(&self, sought: Sought<'_>) -> Verdict {
        let Some(place) = self.only_one_named(sought.name) else {
            return Verdict::None;
        };
        let metres = self.metres(sought, place);
        if metres.is_some_and(|metres| metres > VICINITY) {
            return Verdict::None;
        }
        let candidate = Candidate {
            place,
            metres,
            score: 0,
        };
        Verdict::Doubtful(candidate, "only the name is known")
    }
}

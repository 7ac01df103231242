//! Which place something that is listed elsewhere is: the rules of one pair, and how it stands among the others. A match is
//! certain only if it is clearly better than all others.

use std::cmp::Reverse;

use super::{
    match_index::{MatchIndex, Sought},
    match_rules::Judgement,
};

/// How much better than all others a match must be to be certain.
pub(super) const CLEARLY: i32 = 10;
/// The distance from an approximate position within which the only place of a name may be the one, in metres.
const VICINITY: f64 = 5_000.0;

/// A place that may be the one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    /// Its number among the places.
    pub(crate) place: usize,
    pub(crate) metres: Option<f64>,
    pub(super) score: i32,
}

/// Which place it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    Certain(Candidate),
    /// A person must look at it, for this reason.
    Doubtful(Candidate, &'static str),
    None,
}

impl MatchIndex {
    /// The place around its position or at its address, among those that `may_be` lets through.
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

    /// The only place of its name, if its position is not known or approximate. Another city may have one of this name.
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

//! Decides whether a place and an external listing are the same, by comparing names, addresses and positions.

use super::{match_addresses::AddressMatch, match_names::NameMatch};

/// Comparison of a place and an external listing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) name: NameMatch,
    pub(crate) address: AddressMatch,
    pub(crate) metres: Option<f64>,
    /// Whether several places have this name.
    pub(crate) is_chain: bool,
}

/// Result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// The place and the listing are the same; the score ranks this pair among others.
    Certain(i32),
    /// The place and the listing may be the same: the score, and the reason for the doubt.
    Doubtful(i32, &'static str),
    No,
}

impl Comparison {
    /// Applies the rules. Each limit is based on real pairs.
    pub(crate) fn judge(self) -> Judgement {
        use AddressMatch as A;
        use NameMatch as N;
        let within = |most: f64| self.metres.is_some_and(|metres| metres <= most);
        let within_or_unknown = |most: f64| self.metres.is_none_or(|metres| metres <= most);
        let reach = if self.is_chain { 40.0 } else { 120.0 };
        // Of otherwise equal pairs, the nearer pair is better.
        let nearness = self
            .metres
            .map_or(0, |metres| tenths(metres.min(300.0)) / 50);
        let certain = |score: i32| Judgement::Certain(score - nearness);
        let doubtful = |score: i32, why| Judgement::Doubtful(score - nearness, why);
        match (self.name, self.address) {
            (N::Different, _) => Judgement::No,
            (N::Same, A::Same) if within_or_unknown(400.0) => certain(200),
            (N::Misspelt, A::Same) if within_or_unknown(250.0) => certain(180),
            (N::Contained, A::Same) if within_or_unknown(150.0) => certain(160),
            (N::Same, A::Unknown) if within(reach) => certain(150),
            (N::Same, A::Adjacent) if within(60.0) && !self.is_chain => certain(140),
            (N::Misspelt, A::Unknown) if within(60.0) && !self.is_chain => certain(130),
            (N::Contained, A::Unknown) if within(30.0) && !self.is_chain => certain(120),
            // At the corner of two streets, or with a wrong house number.
            (N::Same, A::Adjacent | A::Different) if within(20.0) => certain(110),
            (_, A::Same) if within_or_unknown(1_000.0) => doubtful(90, "the names differ"),
            (N::Same | N::Misspelt, A::OtherUnit) if within_or_unknown(400.0) => {
                doubtful(80, "the units differ")
            }
            (N::Same | N::Misspelt | N::Contained, A::Adjacent | A::Different) if within(120.0) => {
                doubtful(70, "the addresses differ")
            }
            (N::Same, A::Unknown) if within(250.0) => doubtful(60, "the positions differ"),
            (N::Misspelt | N::Contained, A::Unknown) if within(120.0) => {
                doubtful(50, "the names differ, and one has no address")
            }
            (N::Partial, A::Unknown) if within(40.0) => {
                doubtful(30, "the names differ, and one has no address")
            }
            _ => Judgement::No,
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a distance of a few hundred metres"
)]
fn tenths(metres: f64) -> i32 {
    (metres * 10.0) as i32
}

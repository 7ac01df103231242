//! Readers' votes on places.

use chassis::error::Fault;
use chrono::{DateTime, Utc};

/// A vote: 1 to 5 stars (HTTP API, "Rating").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stars(i16);

impl Stars {
    /// Refuses a number that is no vote, under its field.
    pub(crate) fn parse(number: i32) -> Result<Self, Fault> {
        match i16::try_from(number) {
            Ok(stars @ 1..=5) => Ok(Self(stars)),
            _ => Err(Fault::invalid_field(
                "rating",
                "Ensure this value is between 1 and 5.",
            )),
        }
    }

    pub(crate) fn number(self) -> i16 {
        self.0
    }
}

/// A reader's stored vote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rating {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) stars: i16,
    pub(crate) date_created: DateTime<Utc>,
    pub(crate) is_new: bool,
}

/// The effect of a change of votes on a place's sum and count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) sum: i64,
    pub(crate) count: i64,
}

impl Shift {
    /// The effect of a change from one vote to another; `None` means no vote.
    pub(crate) fn between(before: Option<i16>, after: Option<i16>) -> Self {
        let value = |vote: Option<i16>| vote.map_or(0, i64::from);
        Self {
            sum: value(after) - value(before),
            count: i64::from(after.is_some()) - i64::from(before.is_some()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_to_five_are_votes() {
        for number in [0, -1, 6, i32::MAX, i32::MIN] {
            assert!(Stars::parse(number).is_err(), "{number}");
        }
        let votes: Vec<i16> = (1..=5)
            .map(|number| Stars::parse(number).expect("a vote").number())
            .collect();
        assert_eq!(votes, [1, 2, 3, 4, 5]);
    }

    #[test]
    fn sum_and_count_move_with_a_vote() {
        let shift = |before, after| {
            let Shift { sum, count } = Shift::between(before, after);
            (sum, count)
        };
        assert_eq!(shift(None, Some(4)), (4, 1));
        assert_eq!(shift(Some(4), Some(1)), (-3, 0));
        assert_eq!(shift(Some(1), None), (-1, -1));
    }
}

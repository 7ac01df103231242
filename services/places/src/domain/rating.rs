//! Readers' votes for places.

use chassis::error::Fault;
use chassis::postgres::stamps::Touched;
use chrono::{DateTime, Utc};

use super::Votes;

/// A vote: 1 to 5 stars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stars(i16);

impl Stars {
    /// Parses a vote; an invalid number is an error of the field `rating`.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rating {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) stars: i16,
    pub(crate) date_created: DateTime<Utc>,
    /// False while the vote is held back with its burst, and after it is rejected.
    pub(crate) is_counted: bool,
}

impl Rating {
    /// Returns the vote's contribution to the sums of its place.
    pub(crate) fn counted(&self) -> Votes {
        Votes {
            sum: if self.is_counted {
                self.stars.into()
            } else {
                0
            },
            count: self.is_counted.into(),
        }
    }
}

/// A vote after a call to set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rated {
    pub(crate) rating: Rating,
    pub(crate) is_new: bool,
    /// Last change of the reader's votes.
    pub(crate) stamp: Touched,
}

/// A vote in the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MapEntry {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) stars: i16,
}

/// The votes for a place, and the reader's own vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlaceRating {
    pub(crate) votes: Votes,
    pub(crate) own: Option<Rating>,
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
    fn a_vote_that_waits_adds_nothing() {
        let vote = |is_counted| Rating {
            id: 1,
            listing_id: 2,
            stars: 4,
            date_created: DateTime::UNIX_EPOCH,
            is_counted,
        };
        assert_eq!(vote(true).counted(), Votes { sum: 4, count: 1 });
        assert_eq!(vote(false).counted(), Votes { sum: 0, count: 0 });
    }
}

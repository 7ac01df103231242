//! Listings, their types and neighbourhoods.

use chrono::{DateTime, NaiveDateTime, Utc};
use vocabulary::position::Coordinates;

use super::{facts::Facts, hours::Hours, review::Review};

/// A best-of list that ranks a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ranking {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) rank: i32,
}

/// A kind of place: restaurants, cafés.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListingType {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) name_singular: String,
    pub(crate) is_food: bool,
    /// Whether only the bare facts of its places are public.
    pub(crate) is_age_restricted: bool,
    /// The number of places of this type.
    pub(crate) count: i64,
}

/// A narrower kind within a type: Sushi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SubType {
    pub(crate) slug: String,
    pub(crate) name: String,
}

/// A part of the city.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Neighbourhood {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    /// The number of places within.
    pub(crate) count: i64,
}

/// Readers' votes on a place, 1 to 5 each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Votes {
    pub(crate) sum: i64,
    pub(crate) count: i64,
}

impl Votes {
    /// The true mean; `None` if nobody has voted.
    #[expect(
        clippy::cast_precision_loss,
        reason = "sums of votes stay far below 2^53"
    )]
    pub(crate) fn average(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// A place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listing {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) kind: ListingType,
    pub(crate) sub_type: Option<SubType>,
    pub(crate) neighbourhood: Option<Neighbourhood>,
    pub(crate) facts: Facts,
    pub(crate) coordinates: Option<Coordinates>,
    pub(crate) opening_hours: Option<Hours>,
    pub(crate) votes: Votes,
    /// The best-of lists that rank it, the latest first.
    pub(crate) rankings: Vec<Ranking>,
    pub(crate) date_published: DateTime<Utc>,
}

impl Listing {
    /// Whether it is open at a time of the wall clock; `None` if its hours are not known.
    pub(crate) fn is_open(&self, at: NaiveDateTime) -> Option<bool> {
        let hours = self.opening_hours.as_ref()?;
        Some(!self.facts.is_closed && hours.is_open(at))
    }
}

/// A place with its editorial review.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListingDetail {
    pub(crate) listing: Listing,
    pub(crate) review: Option<Review>,
}

impl ListingDetail {
    /// The public view: a place of an age-restricted type has neither review nor picture.
    pub(crate) fn public(mut self) -> Self {
        if self.listing.kind.is_age_restricted {
            self.listing.facts.image_url = None;
            self.review = None;
        }
        self
    }
}

/// A selection of places for a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ListingFilter {
    pub(crate) type_id: Option<i64>,
    pub(crate) neighbourhood_id: Option<i64>,
    pub(crate) sub_type_slug: Option<String>,
    pub(crate) is_closed: Option<bool>,
    /// Whether it has a review.
    pub(crate) reviewed: Option<bool>,
    pub(crate) ids: Option<Vec<i64>>,
    /// Open at this time of the wall clock; places that are closed for good or without hours are left out.
    pub(crate) open_at: Option<NaiveDateTime>,
    /// Only places whose position is known, with their distance from here.
    pub(crate) near: Option<Coordinates>,
    /// Ranked on this best-of list.
    pub(crate) best_of_id: Option<i64>,
}

impl ListingFilter {
    /// Whether the length of the list is stored: it is narrowed by at most one of type and neighbourhood, and
    /// nothing else.
    pub(crate) fn has_kept_count(&self) -> bool {
        let is_narrowed = self.sub_type_slug.is_some()
            || self.is_closed.is_some()
            || self.reviewed.is_some()
            || self.ids.is_some()
            || self.open_at.is_some()
            || self.near.is_some()
            || self.best_of_id.is_some();
        let is_combined = self.type_id.is_some() && self.neighbourhood_id.is_some();
        !is_narrowed && !is_combined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_no_votes_is_none() {
        let votes = |sum, count| Votes { sum, count }.average();
        assert_eq!(votes(0, 0), None);
        assert_eq!(votes(9, 2), Some(4.5));
    }
}

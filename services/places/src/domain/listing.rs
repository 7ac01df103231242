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

/// A type of place, such as restaurant or café.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListingType {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) name_singular: String,
    pub(crate) is_food: bool,
    /// Whether only the basic facts of its places are public.
    pub(crate) is_age_restricted: bool,
    /// Number of places of this type.
    pub(crate) count: i64,
}

/// A subdivision of a type, such as Sushi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SubType {
    pub(crate) slug: String,
    pub(crate) name: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Neighbourhood {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    /// Number of places in the neighbourhood.
    pub(crate) count: i64,
}

/// A neighbourhood with the content of its page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Portrait {
    pub(crate) area: Neighbourhood,
    /// GeoJSON.
    pub(crate) boundary: serde_json::Value,
    /// Sanitised; may be empty.
    pub(crate) intro_html: String,
}

/// The sum and number of readers' votes for a place, 1 to 5 each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Votes {
    pub(crate) sum: i64,
    pub(crate) count: i64,
}

impl Votes {
    /// Returns the exact mean; `None` without votes.
    #[expect(
        clippy::cast_precision_loss,
        reason = "sums of votes stay far below 2^53"
    )]
    pub(crate) fn average(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

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
    /// Best-of lists that rank the place, latest first.
    pub(crate) rankings: Vec<Ranking>,
    pub(crate) date_published: DateTime<Utc>,
}

impl Listing {
    /// Whether the place is open at this local time; `None` if its opening hours are unknown.
    pub(crate) fn is_open(&self, at: NaiveDateTime) -> Option<bool> {
        let hours = self.opening_hours.as_ref()?;
        Some(!self.facts.is_closed && hours.is_open(at))
    }

    /// When the place next opens or closes in local time; `None` if it does neither within a day.
    pub(crate) fn next_change(&self, at: NaiveDateTime) -> Option<NaiveDateTime> {
        let hours = self.opening_hours.as_ref()?;
        hours.next_change(at).filter(|_| !self.facts.is_closed)
    }
}

/// A place with its editorial review.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListingDetail {
    pub(crate) listing: Listing,
    pub(crate) review: Option<Review>,
}

impl ListingDetail {
    /// Removes review, picture and line from a place of an age-restricted type.
    pub(crate) fn public(mut self) -> Self {
        if self.listing.kind.is_age_restricted {
            self.listing.facts.image_url = None;
            self.listing.facts.line = None;
            self.review = None;
        }
        self
    }
}

/// Selects the places of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ListingFilter {
    pub(crate) type_id: Option<i64>,
    pub(crate) neighbourhood_id: Option<i64>,
    pub(crate) sub_type_slug: Option<String>,
    pub(crate) is_closed: Option<bool>,
    /// Whether the places have a review.
    pub(crate) reviewed: Option<bool>,
    pub(crate) ids: Option<Vec<i64>>,
    /// Only places that are open at this local time. Permanently closed places and places without opening hours are
    /// omitted.
    pub(crate) open_at: Option<NaiveDateTime>,
    /// Only places with a known position, with their distance from this position.
    pub(crate) near: Option<Coordinates>,
    /// Only places on this best-of list.
    pub(crate) best_of_id: Option<i64>,
}

impl ListingFilter {
    /// Whether the length of the list is stored, which requires that the only filter is either a type or a
    /// neighbourhood.
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

//! Listings, their types and neighbourhoods.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::{hours::Hours, review::Review};

/// A position on Earth in degrees (WGS 84).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coordinates {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
}

impl Coordinates {
    /// Checks that both are degrees that exist.
    pub(crate) fn parse(latitude: f64, longitude: f64) -> Result<Self, String> {
        if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
            return Err(format!(
                "{latitude}, {longitude} is no position: expected degrees"
            ));
        }
        Ok(Self {
            latitude,
            longitude,
        })
    }
}

/// A kind of place: restaurants, cafés.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListingType {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) name_singular: String,
    pub(crate) is_food: bool,
    /// Places of this type.
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
    /// Places within.
    pub(crate) count: i64,
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
    pub(crate) address: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) website: Option<String>,
    pub(crate) is_closed: bool,
    pub(crate) image_url: Option<String>,
    pub(crate) coordinates: Option<Coordinates>,
    pub(crate) dinesafe_establishment_id: Option<String>,
    pub(crate) opening_hours: Option<Hours>,
    pub(crate) date_published: DateTime<Utc>,
}

impl Listing {
    /// Whether it is open at an instant, by the clock of a zone; `None` where its hours are not known.
    pub(crate) fn is_open(&self, at: DateTime<Utc>, zone: Tz) -> Option<bool> {
        let hours = self.opening_hours.as_ref()?;
        Some(!self.is_closed && hours.is_open(at, zone))
    }
}

/// A place with its editorial review.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ListingDetail {
    pub(crate) listing: Listing,
    pub(crate) review: Option<Review>,
}

/// Which places a list holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ListingFilter {
    pub(crate) type_id: Option<i64>,
    pub(crate) neighbourhood_id: Option<i64>,
    pub(crate) sub_type_slug: Option<String>,
    pub(crate) is_closed: Option<bool>,
    /// Whether it has a review.
    pub(crate) reviewed: Option<bool>,
    pub(crate) ids: Option<Vec<i64>>,
    /// Open now, by the clock of this zone; closed for good and without hours are not.
    pub(crate) open_in: Option<Tz>,
}

impl ListingFilter {
    /// Whether the length of the list is kept: with at most one of type and neighbourhood, and
    /// nothing else (HTTP API, "a page").
    pub(crate) fn has_kept_count(&self) -> bool {
        let is_narrowed = self.sub_type_slug.is_some()
            || self.is_closed.is_some()
            || self.reviewed.is_some()
            || self.ids.is_some()
            || self.open_in.is_some();
        let is_combined = self.type_id.is_some() && self.neighbourhood_id.is_some();
        !is_narrowed && !is_combined
    }
}

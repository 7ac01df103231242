//! Request bodies with the object to save, shared by several kinds.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::{body::required, error::ApiError};

/// The place to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewPlace {
    /// A listing's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    listing: Option<i64>,
    /// Alias of `listing`, used if `listing` is absent.
    listing_id: Option<i64>,
}

impl NewPlace {
    pub(super) fn id(&self) -> Result<i64, ApiError> {
        required("listing", self.listing.or(self.listing_id))
    }
}

/// A vote for a place.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewRating {
    /// A listing's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    listing: Option<i64>,
    /// Alias of `listing`, used if `listing` is absent.
    listing_id: Option<i64>,
    /// The number of stars, 1 to 5.
    #[schema(minimum = 1, maximum = 5, example = 4)]
    rating: Option<i64>,
}

impl NewRating {
    /// Returns the listing's id and the stars.
    pub(super) fn parts(&self) -> Result<(i64, i32), ApiError> {
        let listing = required("listing", self.listing.or(self.listing_id))?;
        Ok((listing, stars(self.rating)?))
    }
}

/// A changed vote for the same place.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct RatingChange {
    /// The number of stars, 1 to 5.
    #[schema(minimum = 1, maximum = 5, example = 4)]
    rating: Option<i64>,
}

impl RatingChange {
    pub(super) fn stars(&self) -> Result<i32, ApiError> {
        stars(self.rating)
    }
}

fn stars(rating: Option<i64>) -> Result<i32, ApiError> {
    let stars = required("rating", rating)?;
    // Numbers beyond 32 bits are rejected like all other invalid votes.
    Ok(i32::try_from(stars).unwrap_or(i32::MAX))
}

/// The article to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewArticle {
    /// An article's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    object_id: Option<i64>,
}

impl NewArticle {
    pub(super) fn id(&self) -> Result<i64, ApiError> {
        required("object_id", self.object_id)
    }
}

/// The event to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewEvent {
    /// An event's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    object_id: Option<i64>,
    /// Whether to also write the event to the reader's own calendar; ignored if the site does not support calendars.
    add_to_calendar: Option<bool>,
}

impl NewEvent {
    pub(super) fn id(&self) -> Result<i64, ApiError> {
        required("object_id", self.object_id)
    }

    pub(super) fn is_for_calendar(&self) -> bool {
        self.add_to_calendar == Some(true)
    }
}

/// The video to save.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct NewVideo {
    /// A video's id.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64, example = 1)]
    video: Option<i64>,
}

impl NewVideo {
    pub(super) fn id(&self) -> Result<i64, ApiError> {
        required("video", self.video)
    }
}

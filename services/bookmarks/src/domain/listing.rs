//! What this service knows of places.

/// The projection of one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownListing {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) is_available: bool,
    /// The place's version this was taken from; 0 where it was asked for rather than heard, so that
    /// every event counts as newer.
    pub(crate) version: i64,
}

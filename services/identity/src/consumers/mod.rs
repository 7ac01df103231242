//! Event consumers, one per file.

pub(crate) mod calendar_bookmark_changed;
mod last_updated;
mod photo_refused;

pub(crate) use last_updated::LastUpdatedConsumer;
pub(crate) use photo_refused::PhotoRefusedConsumer;

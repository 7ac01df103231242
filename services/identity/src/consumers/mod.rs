//! Events handled here, one file each.

mod calendar_bookmark_changed;
mod last_updated;
mod photo_refused;

pub(crate) use calendar_bookmark_changed::CalendarBookmarkConsumer;
pub(crate) use last_updated::LastUpdatedConsumer;
pub(crate) use photo_refused::PhotoRefusedConsumer;

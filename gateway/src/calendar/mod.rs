//! Events for readers' calendars (RFC 5545): single-event files and feeds of a reader's saved events.

mod content_line;
mod event;
mod feed;
mod zone;

pub(crate) use self::{
    event::CalendarEvent,
    feed::{FeedEntry, feed},
};

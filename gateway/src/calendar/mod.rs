//! Events for readers' calendars (RFC 5545): a file with one, and a feed of those that a reader has saved.

mod content_line;
mod event;
mod feed;
mod zone;

pub(crate) use self::{
    event::CalendarEvent,
    feed::{FeedEntry, feed},
};

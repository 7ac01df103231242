//! Types and rules of published items.

mod contact;
mod draft;
mod entry;
mod incoming;
mod item;
mod kind;
mod paths;
pub(crate) mod polling;
mod proposal;
mod schedule;
pub(crate) mod search;
pub(crate) mod twins;
mod until;
mod wall_clock;

pub(crate) use contact::Contact;
pub(crate) use draft::{Draft, DraftText, Release};
pub(crate) use entry::Entry;
pub(crate) use incoming::{Incoming, Replaced};
pub(crate) use item::{
    CalendarEvent, Contest, Detail, Event, Item, ItemFilter, ItemText, MonthCount, Named, Video,
};
pub(crate) use kind::Kind;
pub(crate) use paths::{PagePath, former};
pub(crate) use proposal::Proposal;
pub(crate) use schedule::{Occurrence, Schedule, zone};

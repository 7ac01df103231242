//! `ads/`: ads for the slots of a page, and their events.

pub(crate) mod advertisers;
pub(super) mod clicks;
pub(super) mod creatives;
pub(super) mod events;
pub(super) mod list;

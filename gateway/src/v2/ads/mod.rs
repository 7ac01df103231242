//! `ads/`: what the slots of a page show, and what became of it.

pub(crate) mod advertisers;
pub(super) mod clicks;
pub(super) mod creatives;
pub(super) mod events;
pub(super) mod list;

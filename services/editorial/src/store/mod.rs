//! Database statements; the only module with SQL.

pub(crate) mod addresses;
pub(crate) mod counts;
pub(crate) mod drafts;
pub(crate) mod entries;
pub(crate) mod intake;
pub(crate) mod item_places;
pub(crate) mod items;
pub(crate) mod moved;
pub(crate) mod occurrences;
pub(crate) mod replaced;
pub(crate) mod search;
pub(crate) mod sources;
pub(crate) mod turns;
pub(crate) mod twins;

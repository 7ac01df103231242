//! The only place that speaks SQL.

pub(crate) mod favourites;
pub(crate) mod items;
pub(crate) mod listings;
pub(crate) mod stamps;

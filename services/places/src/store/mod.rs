//! Database statements; the only module with SQL.

pub(crate) mod addresses;
pub(crate) mod basemap;
pub(crate) mod best_of;
pub(crate) mod bursts;
mod columns;
pub(crate) mod counts;
pub(crate) mod inspection_rows;
pub(crate) mod inspections;
pub(crate) mod intake;
pub(crate) mod listings;
pub(crate) mod match_places;
pub(crate) mod moved;
pub(crate) mod neighbourhoods;
pub(crate) mod open_periods;
pub(crate) mod rated;
pub(crate) mod ratings;
mod row;
pub(crate) mod slugs;
pub(crate) mod types;

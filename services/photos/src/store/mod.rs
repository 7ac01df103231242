//! Database access. Row types are private and are converted to domain types.

pub(crate) mod avatars;
pub(crate) mod counts;
pub(crate) mod decisions;
pub(crate) mod imported;
pub(crate) mod photos;
pub(crate) mod readers;
pub(crate) mod reports;
pub(crate) mod restricted;
pub(crate) mod row;
pub(crate) mod uploaders;

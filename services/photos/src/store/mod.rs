//! SQL, and nothing else. Rows are private and become domain types.

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

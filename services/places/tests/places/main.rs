//! The places service, called as its callers do, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bench;
mod changes;
mod hours;
mod import;
mod lists;
mod lookups;

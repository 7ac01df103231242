//! The identity service, called as its callers do, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod accounts;
mod bench;
mod last_updates;
mod sessions;

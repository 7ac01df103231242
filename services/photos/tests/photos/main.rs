//! The photos service, called as its callers do, on a real PostgreSQL and beside the real places service.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod avatars;
mod departures;
mod fixture;
mod imports;
mod kills;
mod lists;
mod names;
mod purges;
mod reports;
mod review;
mod uploads;

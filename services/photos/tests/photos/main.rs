//! The photos service, called through its API, on a real PostgreSQL and with the real places service.
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

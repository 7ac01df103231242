//! The identity service, called through its API, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod access;
mod accounts;
mod addresses;
mod audit;
mod calendar_feeds;
mod calendars;
mod departures;
mod devices;
mod facebook;
mod fixture;
mod last_updates;
mod passkeys;
mod passwords;
mod sessions;
mod support;
mod undo;

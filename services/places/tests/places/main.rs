//! The places service, called through its API, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod best_of;
mod bursts;
mod changes;
mod fixture;
mod hours;
mod import;
mod inspections;
mod lists;
mod lookups;
mod matches;
mod nearby;
mod own_ratings;
mod published;
mod ratings;
mod restricted;
mod slugs;

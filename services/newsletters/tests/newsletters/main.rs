//! The newsletters service, called through its API, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod addresses;
mod clicks;
mod confirmations;
mod departures;
mod fates;
mod fixture;
mod imports;
mod issues;
mod kills;
mod ledger;
mod personal;
mod press;
mod purges;
mod reports;
mod settings;
mod third_parties;

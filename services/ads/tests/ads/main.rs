//! The ads service, called through its API, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod campaigns;
mod events;
mod fixture;
mod log;
mod pace;
mod purges;

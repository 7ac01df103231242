//! The ads service, called as its callers do, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bench;
mod campaigns;
mod events;
mod log;
mod pace;
mod purges;

//! The service through its generated client, on a real PostgreSQL.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod calendars;
mod changes;
mod contact;
mod drafts;
mod entries;
mod events;
mod fixture;
mod gated;
mod import;
mod lists;
mod places;
mod search;
mod search_city;
mod search_index;
mod search_limits;
mod sources;
mod times;
mod twins;

//! The bookmarks service, called through its API, on a real PostgreSQL and with the real places service.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod favourites;
mod fixture;
mod items;
mod kinds;
mod listings;
mod lists;
mod replay;
mod saved;
mod several;
mod stamps;
mod todos;

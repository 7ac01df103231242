//! The bookmarks service, called as its callers do, on a real PostgreSQL and beside the real places
//! service.
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

//! Readers' bookmarks: favourite places, to-dos, and bookmarks of articles, events and videos.

mod consumers;
mod context;
mod domain;
mod error;
mod grpc;
mod role;
mod store;
mod usecases;

pub use role::Bookmarks;

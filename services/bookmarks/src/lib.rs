//! What readers keep. Today: favourite places.

mod consumers;
mod context;
mod domain;
mod error;
mod grpc;
mod role;
mod store;
mod usecases;

pub use role::Bookmarks;

//! Ads: campaigns, their delivery, and the counting of events.

mod context;
mod domain;
mod error;
mod grpc;
mod loaded;
mod role;
mod settings;
mod store;
mod usecases;

pub use role::Ads;
pub use settings::{AdSettings, Settings};

//! Ads: campaigns, what is served of them, and what is counted.

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

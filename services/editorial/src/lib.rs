//! Editorial items: articles, events, contests, videos and pages.

mod consumers;
mod context;
mod domain;
mod grpc;
mod jobs;
mod role;
mod settings;
mod store;
mod usecases;

pub use role::Editorial;
pub use settings::{ContactSettings, ContestSettings, Settings};

//! Readers' photos of places: uploads, their sizes, and the editors' review.

mod consumers;
mod context;
mod domain;
mod error;
mod grpc;
mod jobs;
mod memory;
mod role;
mod settings;
mod store;
mod tasks;
mod usecases;

pub use role::Photos;
pub use settings::PhotoSettings;

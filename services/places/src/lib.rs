//! The places of the city: listings, their types and neighbourhoods.

mod context;
mod domain;
mod grpc;
mod jobs;
mod role;
mod settings;
mod store;
mod usecases;

pub use role::Places;
pub use settings::RatingSettings;

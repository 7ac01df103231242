//! Newsletters: subscriptions and the evidence of consent.

mod consumers;
mod context;
mod domain;
mod editorial;
mod error;
mod grpc;
mod jobs;
mod providers;
mod returned;
mod role;
mod settings;
mod store;
mod tasks;
mod usecases;

pub use role::Newsletters;
pub use settings::{NewsletterSettings, Settings, WebhookSettings};

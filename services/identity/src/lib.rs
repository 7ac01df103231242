//! Accounts, sessions, and a copy of each reader's `last_updates`.

mod calendar_event;
mod consumers;
mod context;
mod domain;
mod error;
mod facebook;
mod google;
mod grpc;
mod jobs;
mod owners;
mod register;
mod role;
mod settings;
mod store;
mod usecases;

pub use domain::RepeatErasure;
pub use register::{Register, RegisterSettings, RegisteredErasure};
pub use role::Identity;
pub use settings::{
    AuditSettings, CalendarSettings, FacebookSettings, GoogleSettings, PasswordSettings, Settings,
};

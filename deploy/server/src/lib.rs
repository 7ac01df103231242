//! The program `cityguide`: the registry of targets, the system of targets, and operators' commands.

mod backup;
mod commands;
mod http;
mod internal;
mod settings;
mod store;
mod system;
mod targets;

pub use backup::BackupSettings;
pub use commands::{Cli, run};
pub use gateway::openapi;
pub use settings::{ServiceSettings, Settings};
pub use system::{Running, System};
pub use targets::Target;

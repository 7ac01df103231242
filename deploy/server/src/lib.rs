//! The one program, `cityguide`: a registry of targets, the system they make up, and the operators' commands.

mod ads;
mod commands;
mod content;
mod file_names;
mod http;
mod import;
mod internal;
mod settings;
mod sources;
mod system;
mod targets;
mod text_files;

pub use commands::{Cli, run};
pub use gateway::openapi;
pub use settings::{ServiceSettings, Settings};
pub use sources::SourcesSettings;
pub use system::{Running, System};
pub use targets::Target;

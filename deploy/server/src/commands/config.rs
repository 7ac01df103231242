//! `cityguide config`.

use clap::Subcommand;

use super::console::print;
use crate::settings::{DEFAULTS, Settings};

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum Config {
    /// The documented defaults, as a file to start from.
    Defaults,
    /// The JSON schema of the settings.
    Schema,
}

pub(super) fn config(config: Config) -> Result<(), String> {
    match config {
        Config::Defaults => print(DEFAULTS.trim_end()),
        Config::Schema => {
            let schema = schemars::schema_for!(Settings);
            let text = serde_json::to_string_pretty(&schema).map_err(|error| error.to_string())?;
            print(&text)
        }
    }
}

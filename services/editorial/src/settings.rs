//! The sections of the settings that editorial reads.

use chassis::error::{Code, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What editorial is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Contests.
    pub contests: ContestSettings,
}

/// `[contests]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestSettings {
    /// Days that entries, which are personal, are kept after their contest has closed.
    pub keep_entries_days: u32,
}

impl ContestSettings {
    /// Refuses what cannot be.
    pub fn validate(&self) -> Result<(), Fault> {
        if self.keep_entries_days == 0 {
            let message = "settings: contests.keep_entries_days must be 1 or more";
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(())
    }
}

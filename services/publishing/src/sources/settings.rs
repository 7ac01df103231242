//! `[sources]` of the settings: limits of polls. The sources themselves are in the site's file.

use std::time::Duration;

use chassis::{
    error::{Code, Fault},
    fetch::Bounds,
    network::Network,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum for the response size, as a response is in memory while it is imported.
const MAX_MEGABYTES: u32 = 256;
/// Maximum for the timeout, in seconds.
const MAX_SECONDS: u32 = 900;

/// `[sources]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcesSettings {
    /// Networks that sources may be in besides the public internet: `10.1.0.0/16`, or a single address.
    pub private_networks: Vec<Network>,
    /// Maximum size of a response in megabytes.
    pub max_megabytes: u32,
    /// Timeout of a response in seconds, including redirects.
    pub timeout_seconds: u32,
}

impl SourcesSettings {
    /// Rejects invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        for (key, value, most) in [
            ("max_megabytes", self.max_megabytes, MAX_MEGABYTES),
            ("timeout_seconds", self.timeout_seconds, MAX_SECONDS),
        ] {
            if !(1..=most).contains(&value) {
                let message = format!("settings: sources.{key} must be 1 to {most}");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        Ok(())
    }

    pub(super) fn bounds(&self) -> Bounds {
        let megabytes = usize::try_from(self.max_megabytes).unwrap_or_default();
        Bounds {
            private_networks: self.private_networks.clone(),
            most_bytes: megabytes << 20,
            timeout: self.timeout(),
        }
    }

    pub(super) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds.into())
    }
}

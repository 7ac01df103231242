//! The section of the settings that photos reads.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::Trust;

/// `[photos]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhotoSettings {
    /// Pictures that are decoded at a time in one process.
    pub workers: u16,
    /// Memory for files under inspection (a sixth) and for pictures that are decoded, in MiB, of one process. A picture that
    /// needs more is made alone.
    pub memory_megabytes: u32,
    /// Photos of a reader that were accepted one after the other before further ones are published at once.
    pub trusted_after: u32,
    /// Photos of a trusted reader within an hour that are published at once; further ones wait.
    pub unreviewed_per_hour: u32,
    /// Reports by different readers that hide a photo until an operator has decided.
    pub reports_to_hide: u32,
    /// Days that a refused photo is kept, for its uploader to see why.
    pub keep_refused_days: u16,
    /// Days that the audit trail of decisions is kept.
    pub keep_decisions_days: u16,
}

impl PhotoSettings {
    /// Refuses invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        for (name, value) in [
            ("workers", self.workers.into()),
            ("memory_megabytes", self.memory_megabytes),
            ("reports_to_hide", self.reports_to_hide),
            ("keep_refused_days", self.keep_refused_days.into()),
            ("keep_decisions_days", self.keep_decisions_days.into()),
        ] {
            if value == 0 {
                let message = format!("settings: photos.{name} must be 1 or more");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        Ok(())
    }

    /// MiB for inspections, and for pictures that are made.
    pub(crate) fn memory(&self) -> [u32; 2] {
        let inspections = (self.memory_megabytes / 6).max(1);
        let pictures = self.memory_megabytes.saturating_sub(inspections).max(1);
        [inspections, pictures]
    }

    pub(crate) fn trust(&self) -> Trust {
        Trust {
            after: self.trusted_after,
            per_hour: self.unreviewed_per_hour,
            reports_to_hide: self.reports_to_hide,
        }
    }

    pub(crate) fn keep_refused(&self) -> TimeDelta {
        TimeDelta::days(self.keep_refused_days.into())
    }

    pub(crate) fn keep_decisions(&self) -> TimeDelta {
        TimeDelta::days(self.keep_decisions_days.into())
    }
}

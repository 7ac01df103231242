//! The photos service's settings.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::Trust;

/// The `[photos]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhotoSettings {
    /// The maximum number of pictures decoded concurrently in a process.
    pub workers: u16,
    /// The memory per process for inspecting files (a sixth) and for decoding pictures, in MiB. A picture that needs
    /// more is made alone.
    pub memory_megabytes: u32,
    /// The number of a reader's consecutively accepted photos after which further photos are published immediately.
    pub trusted_after: u32,
    /// The maximum number of a trusted reader's photos per hour that are published immediately; further photos await
    /// review.
    pub unreviewed_per_hour: u32,
    /// The number of reports by different readers that hides a photo until an operator has decided.
    pub reports_to_hide: u32,
    /// The retention period of refused photos, in days, during which the uploader can see the reason.
    pub keep_refused_days: u16,
    /// The retention period of the audit trail, in days.
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

    /// The MiB for inspections, and for making pictures.
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

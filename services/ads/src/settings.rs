//! The ads service's settings.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The ads service's settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The `[ads]` section.
    pub ads: AdSettings,
    /// The site's time zone, in which line items target hours; `None`: UTC.
    pub timezone: Option<Tz>,
}

/// The `[ads]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdSettings {
    /// The retention period of individual events in days, within which invoices can be recomputed. Totals are kept
    /// longer.
    pub keep_events_days: u32,
    /// The retention period of the hourly counts per creative, in days.
    pub keep_reports_days: u32,
}

impl AdSettings {
    /// Refuses invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        for (name, days) in [
            ("keep_events_days", self.keep_events_days),
            ("keep_reports_days", self.keep_reports_days),
        ] {
            if days == 0 {
                let message = format!("settings: ads.{name} must be 1 or more");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        Ok(())
    }

    pub(crate) fn keep_events(&self) -> TimeDelta {
        TimeDelta::days(self.keep_events_days.into())
    }

    pub(crate) fn keep_reports(&self) -> TimeDelta {
        TimeDelta::days(self.keep_reports_days.into())
    }
}

//! The section of the settings that ads reads.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The settings of ads.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `[ads]`.
    pub ads: AdSettings,
    /// The site's zone, whose hours line items are targeted at; `None`: UTC.
    pub timezone: Option<Tz>,
}

/// `[ads]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdSettings {
    /// Days that events are kept one by one, for invoices to be recomputed. What they add up to is kept for longer.
    pub keep_events_days: u32,
    /// Days that it is kept what each creative has delivered in each hour.
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

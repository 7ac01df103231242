//! Settings of the places service.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::BurstRule;

/// `[ratings]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingSettings {
    /// Number of votes for a place from one network, or from accounts created in the same hour, that count immediately;
    /// further votes are held back.
    pub burst_votes: u32,
    /// Minutes in which those votes are counted.
    pub burst_minutes: u32,
    /// Hours for which the votes of a burst are held back for an operator's decision before they count.
    pub burst_wait_hours: u32,
}

impl RatingSettings {
    /// Rejects invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        for (name, value) in [
            ("burst_votes", self.burst_votes),
            ("burst_minutes", self.burst_minutes),
            ("burst_wait_hours", self.burst_wait_hours),
        ] {
            if value == 0 {
                let message = format!("settings: ratings.{name} must be 1 or more");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        Ok(())
    }

    pub(crate) fn rule(&self) -> BurstRule {
        BurstRule {
            most: self.burst_votes.into(),
            within: TimeDelta::minutes(self.burst_minutes.into()),
            wait: TimeDelta::hours(self.burst_wait_hours.into()),
        }
    }
}

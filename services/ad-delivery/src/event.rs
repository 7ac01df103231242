//! Events of served ads, and their totals.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum EventKind {
    /// The creative was rendered.
    Impression,
    /// At least half of the creative's pixels were in view for one second.
    Viewable,
    /// The creative's link was followed.
    Click,
}

impl EventKind {
    /// All kinds of events.
    pub const ALL: [Self; 3] = [Self::Impression, Self::Viewable, Self::Click];

    /// The kind's name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Impression => "impression",
            Self::Viewable => "viewable",
            Self::Click => "click",
        }
    }
}

impl From<EventKind> for &'static str {
    fn from(kind: EventKind) -> Self {
        kind.name()
    }
}

/// Parses a kind's name.
impl TryFrom<String> for EventKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| format!("an unknown kind: {name:?}"))
    }
}

/// The verdict whether an event is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Verdict {
    /// The event is charged.
    Charged,
    /// The line item has reached its goal.
    Surplus,
    /// The event came from a bot, according to its user agent.
    Bot,
    /// The event was received sooner than possible.
    TooSoon,
    /// The event was received without a valid impression.
    NoImpression,
    /// The impression exceeds the number that is charged for one client.
    Excess,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 6] = [
        Self::Charged,
        Self::Surplus,
        Self::Bot,
        Self::TooSoon,
        Self::NoImpression,
        Self::Excess,
    ];

    /// The verdict's name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Charged => "charged",
            Self::Surplus => "surplus",
            Self::Bot => "bot",
            Self::TooSoon => "too_soon",
            Self::NoImpression => "no_impression",
            Self::Excess => "excess",
        }
    }
}

impl From<Verdict> for &'static str {
    fn from(verdict: Verdict) -> Self {
        verdict.name()
    }
}

/// Parses a verdict's name.
impl TryFrom<String> for Verdict {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|verdict| verdict.name() == name);
        found.ok_or_else(|| format!("an unknown verdict: {name:?}"))
    }
}

/// An event in the log and in the log's files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedEvent {
    /// The id of the opportunity.
    pub opportunity: Uuid,
    /// The kind of event.
    pub kind: EventKind,
    /// The time of the event, in milliseconds since 1970.
    #[serde(rename = "at_milliseconds")]
    pub at: i64,
    /// The campaign's slug.
    pub campaign: String,
    /// The line item's slug.
    pub line_item: String,
    /// The creative's slug.
    pub creative: String,
    /// The name of the slot.
    pub position: String,
    /// The verdict whether the event is charged.
    pub verdict: Verdict,
}

/// The totals of events, for reports and invoices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Charged impressions.
    pub impressions: i64,
    /// Charged viewable events.
    pub viewable: i64,
    /// Charged clicks.
    pub clicks: i64,
    /// Events beyond the goal, which are not charged.
    pub surplus: i64,
    /// Invalid traffic, which is not charged.
    pub invalid: i64,
}

impl Counts {
    /// The counts of a single event.
    #[must_use]
    pub fn of(kind: EventKind, verdict: Verdict) -> Self {
        let mut counts = Self::default();
        let counter = match (kind, verdict) {
            (_, Verdict::Bot | Verdict::TooSoon | Verdict::NoImpression | Verdict::Excess) => {
                &mut counts.invalid
            }
            (_, Verdict::Surplus) => &mut counts.surplus,
            (EventKind::Impression, Verdict::Charged) => &mut counts.impressions,
            (EventKind::Viewable, Verdict::Charged) => &mut counts.viewable,
            (EventKind::Click, Verdict::Charged) => &mut counts.clicks,
        };
        *counter = 1;
        counts
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.impressions += more.impressions;
        self.viewable += more.viewable;
        self.clicks += more.clicks;
        self.surplus += more.surplus;
        self.invalid += more.invalid;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_counted_once() {
        let mut sum = Counts::default();
        for kind in EventKind::ALL {
            for verdict in Verdict::ALL {
                sum += Counts::of(kind, verdict);
            }
        }
        let expected = Counts {
            impressions: 1,
            viewable: 1,
            clicks: 1,
            surplus: 3,
            invalid: 12,
        };
        assert_eq!(sum, expected);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for kind in EventKind::ALL {
            assert_eq!(EventKind::try_from(kind.name().to_owned()), Ok(kind));
        }
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::try_from(verdict.name().to_owned()), Ok(verdict));
        }
        assert!(EventKind::try_from("Click".to_owned()).is_err());
        assert!(Verdict::try_from(String::new()).is_err());
    }
}

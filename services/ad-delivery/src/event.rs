//! What happens to ads that were served, and what it adds up to.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What happened to an opportunity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum EventKind {
    /// The creative was rendered.
    Impression,
    /// Half of its pixels were in view for one second.
    Viewable,
    /// Its link was followed.
    Click,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Impression, Self::Viewable, Self::Click];

    /// Its name in the log.
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

/// The kind of a name.
impl TryFrom<String> for EventKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| format!("an unknown kind: {name:?}"))
    }
}

/// Whether an event is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Verdict {
    /// It is.
    Charged,
    /// Its line item has reached its goal.
    Surplus,
    /// It came from a program, by what it calls itself.
    Bot,
    /// It came sooner than it can have happened.
    TooSoon,
    /// It came without the impression that must come before.
    NoImpression,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 5] = [
        Self::Charged,
        Self::Surplus,
        Self::Bot,
        Self::TooSoon,
        Self::NoImpression,
    ];

    /// Its name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Charged => "charged",
            Self::Surplus => "surplus",
            Self::Bot => "bot",
            Self::TooSoon => "too_soon",
            Self::NoImpression => "no_impression",
        }
    }
}

impl From<Verdict> for &'static str {
    fn from(verdict: Verdict) -> Self {
        verdict.name()
    }
}

/// The verdict of a name.
impl TryFrom<String> for Verdict {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|verdict| verdict.name() == name);
        found.ok_or_else(|| format!("an unknown verdict: {name:?}"))
    }
}

/// An event as the log holds it, and as its files write it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoggedEvent {
    /// The opportunity.
    pub opportunity: Uuid,
    /// What happened.
    pub kind: EventKind,
    /// Milliseconds since 1970.
    #[serde(rename = "at_milliseconds")]
    pub at: i64,
    /// The slug of the campaign.
    pub campaign: String,
    /// The slug of the line item.
    pub line_item: String,
    /// The slug of the creative.
    pub creative: String,
    /// The slot.
    pub position: String,
    /// Whether it is charged.
    pub verdict: Verdict,
}

/// What events add up to, in reports and invoices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Impressions that are charged.
    pub impressions: i64,
    /// Of these, those that were in view.
    pub viewable: i64,
    /// Of these, those whose link was followed.
    pub clicks: i64,
    /// Events beyond the goal, which are not charged.
    pub surplus: i64,
    /// Events of invalid traffic, which are not charged.
    pub invalid: i64,
}

impl Counts {
    /// What one event adds.
    #[must_use]
    pub fn of(kind: EventKind, verdict: Verdict) -> Self {
        let mut counts = Self::default();
        let counter = match (kind, verdict) {
            (_, Verdict::Bot | Verdict::TooSoon | Verdict::NoImpression) => &mut counts.invalid,
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
            invalid: 9,
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

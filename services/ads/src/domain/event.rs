//! Events, and the rules that determine which of them are charged.

use ad_delivery::{EventKind, Verdict};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Half of the pixels must be visible for one second (MRC, Viewable Ad Impression Measurement Guidelines), so a view
/// cannot be reported sooner.
const VIEWED_FOR: TimeDelta = TimeDelta::seconds(1);
/// The minimum time in which a person can see a creative, move the pointer there and click.
const LEAST_TO_CLICK: TimeDelta = TimeDelta::milliseconds(300);

/// An event with a verified ticket.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) opportunity: Uuid,
    pub(crate) line_item_id: i64,
    pub(crate) creative_id: i64,
    pub(crate) position: String,
    pub(crate) served_at: DateTime<Utc>,
    /// When the event was received.
    pub(crate) at: DateTime<Utc>,
    pub(crate) is_bot: bool,
    /// Whether the event is an impression that exceeds the number charged for one client.
    pub(crate) is_excess: bool,
}

/// The names of a creative, its line item and its campaign, which never change.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) campaign: String,
    pub(crate) line_item: String,
    pub(crate) creative: String,
    pub(crate) line_item_id: i64,
}

/// The outcome of a received event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Outcome {
    /// The event was added to the log.
    Counted,
    /// The log already contained the event.
    Repeated,
    /// The creative does not exist.
    #[default]
    Unknown,
}

/// The state of an event's line item and opportunity when the event is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The number of impressions that may still be charged; `None`: unlimited.
    pub(crate) left: Option<i64>,
    /// Whether the opportunity has a valid impression.
    pub(crate) has_impression: bool,
}

/// The verdict based on the event alone: `Charged`, unless no reader can have caused it.
pub(crate) fn at_first_sight(event: &Event) -> Verdict {
    let passed = event.at - event.served_at;
    let least = match event.kind {
        EventKind::Impression => TimeDelta::MIN,
        EventKind::Viewable => VIEWED_FOR,
        EventKind::Click => LEAST_TO_CLICK,
    };
    if event.is_bot {
        Verdict::Bot
    } else if event.is_excess {
        Verdict::Excess
    } else if passed < least {
        Verdict::TooSoon
    } else {
        Verdict::Charged
    }
}

/// The final verdict, from the verdict based on the event alone and the surrounding facts.
pub(crate) fn judge(kind: EventKind, at_first_sight: Verdict, facts: Facts) -> Verdict {
    let is_impression = kind == EventKind::Impression;
    match at_first_sight {
        Verdict::Charged | Verdict::TooSoon if !is_impression && !facts.has_impression => {
            Verdict::NoImpression
        }
        Verdict::Charged if is_impression && facts.left.is_some_and(|left| left <= 0) => {
            Verdict::Surplus
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, milliseconds: i64) -> Event {
        let served_at = DateTime::UNIX_EPOCH;
        Event {
            kind,
            opportunity: Uuid::from_u128(7),
            line_item_id: 1,
            creative_id: 2,
            position: "lead".to_owned(),
            served_at,
            at: served_at + TimeDelta::milliseconds(milliseconds),
            is_bot: false,
            is_excess: false,
        }
    }

    const SEEN: Facts = Facts {
        left: Some(1),
        has_impression: true,
    };

    /// The verdict of an event that was received this many milliseconds after the page.
    fn verdict(kind: EventKind, milliseconds: i64, facts: Facts) -> Verdict {
        judge(kind, at_first_sight(&event(kind, milliseconds)), facts)
    }

    #[test]
    fn what_a_reader_can_have_done_is_charged() {
        for (kind, milliseconds) in [
            (EventKind::Impression, 0),
            (EventKind::Viewable, 1_000),
            (EventKind::Click, 300),
        ] {
            assert_eq!(verdict(kind, milliseconds, SEEN), Verdict::Charged);
        }
    }

    #[test]
    fn what_no_reader_can_have_done_is_invalid() {
        assert_eq!(verdict(EventKind::Viewable, 999, SEEN), Verdict::TooSoon);
        assert_eq!(verdict(EventKind::Click, 299, SEEN), Verdict::TooSoon);
        let unseen = Facts {
            has_impression: false,
            ..SEEN
        };
        for milliseconds in [5_000, 5] {
            let click = verdict(EventKind::Click, milliseconds, unseen);
            assert_eq!(click, Verdict::NoImpression);
        }
        let mut bot = event(EventKind::Impression, 100);
        bot.is_bot = true;
        let bot = judge(bot.kind, at_first_sight(&bot), SEEN);
        assert_eq!(bot, Verdict::Bot);
        let mut excess = event(EventKind::Impression, 100);
        excess.is_excess = true;
        let excess = judge(excess.kind, at_first_sight(&excess), SEEN);
        assert_eq!(excess, Verdict::Excess);
    }

    #[test]
    fn an_impression_beyond_the_goal_is_a_surplus() {
        let full = Facts {
            left: Some(0),
            ..SEEN
        };
        assert_eq!(verdict(EventKind::Impression, 1, full), Verdict::Surplus);
        assert_eq!(verdict(EventKind::Click, 500, full), Verdict::Charged);
        let endless = Facts { left: None, ..SEEN };
        assert_eq!(verdict(EventKind::Impression, 1, endless), Verdict::Charged);
    }
}

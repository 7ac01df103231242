//! Events, and which of them are charged.

use ad_delivery::{EventKind, Verdict};
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Half of the pixels for one second (MRC, Viewable Ad Impression Measurement Guidelines): it cannot be reported sooner.
const VIEWED_FOR: TimeDelta = TimeDelta::seconds(1);
/// Nobody sees a creative, moves there and follows its link in less time.
const LEAST_TO_CLICK: TimeDelta = TimeDelta::milliseconds(300);

/// An event whose ticket was verified.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) opportunity: Uuid,
    pub(crate) line_item_id: i64,
    pub(crate) creative_id: i64,
    pub(crate) position: String,
    pub(crate) served_at: DateTime<Utc>,
    /// When it came.
    pub(crate) at: DateTime<Utc>,
    pub(crate) is_bot: bool,
}

/// The names of a creative, its line item and its campaign, which never change.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) campaign: String,
    pub(crate) line_item: String,
    pub(crate) creative: String,
    pub(crate) line_item_id: i64,
}

/// What became of an event that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Outcome {
    /// It is in the log.
    Counted,
    /// It was there before.
    Repeated,
    /// There is no such creative.
    #[default]
    Unknown,
}

/// What is known of an event's line item and opportunity before it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Impressions that may still be charged; `None`: any number.
    pub(crate) left: Option<i64>,
    /// The opportunity has an impression.
    pub(crate) has_impression: bool,
}

/// An event with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) event: Event,
    pub(crate) verdict: Verdict,
}

/// Whether an event is charged.
pub(crate) fn judge(event: &Event, facts: Facts) -> Verdict {
    let passed = event.at - event.served_at;
    let is_impression = event.kind == EventKind::Impression;
    if event.is_bot {
        Verdict::Bot
    } else if !is_impression && !facts.has_impression {
        Verdict::NoImpression
    } else if (event.kind == EventKind::Viewable && passed < VIEWED_FOR)
        || (event.kind == EventKind::Click && passed < LEAST_TO_CLICK)
    {
        Verdict::TooSoon
    } else if is_impression && facts.left.is_some_and(|left| left <= 0) {
        Verdict::Surplus
    } else {
        Verdict::Charged
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
        }
    }

    const SEEN: Facts = Facts {
        left: Some(1),
        has_impression: true,
    };

    #[test]
    fn what_a_reader_can_have_done_is_charged() {
        for (kind, milliseconds) in [
            (EventKind::Impression, 0),
            (EventKind::Viewable, 1_000),
            (EventKind::Click, 300),
        ] {
            assert_eq!(judge(&event(kind, milliseconds), SEEN), Verdict::Charged);
        }
    }

    #[test]
    fn what_no_reader_can_have_done_is_invalid() {
        let early = judge(&event(EventKind::Viewable, 999), SEEN);
        assert_eq!(early, Verdict::TooSoon);
        let early = judge(&event(EventKind::Click, 299), SEEN);
        assert_eq!(early, Verdict::TooSoon);
        let unseen = Facts {
            has_impression: false,
            ..SEEN
        };
        let click = judge(&event(EventKind::Click, 5_000), unseen);
        assert_eq!(click, Verdict::NoImpression);
        let mut bot = event(EventKind::Impression, 100);
        bot.is_bot = true;
        assert_eq!(judge(&bot, SEEN), Verdict::Bot);
    }

    #[test]
    fn an_impression_beyond_the_goal_is_a_surplus() {
        let full = Facts {
            left: Some(0),
            ..SEEN
        };
        assert_eq!(
            judge(&event(EventKind::Impression, 1), full),
            Verdict::Surplus
        );
        assert_eq!(judge(&event(EventKind::Click, 500), full), Verdict::Charged);
        let endless = Facts { left: None, ..SEEN };
        assert_eq!(
            judge(&event(EventKind::Impression, 1), endless),
            Verdict::Charged
        );
    }
}

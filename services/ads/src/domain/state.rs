//! Campaigns' delivery states.

use ad_delivery::{Counts, Priority};
use chrono::{DateTime, TimeDelta, Utc};

/// A creative's events in an hour.
#[derive(Debug)]
pub(crate) struct HourlyCount {
    pub(crate) hour: DateTime<Utc>,
    pub(crate) line_item: String,
    pub(crate) creative: String,
    pub(crate) counts: Counts,
}

/// A campaign and its delivery.
#[derive(Debug)]
pub(crate) struct CampaignState {
    pub(crate) source_id: String,
    pub(crate) advertiser: String,
    pub(crate) name: String,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
    pub(crate) is_paused: bool,
    pub(crate) line_items: Vec<LineItemState>,
}

/// A line item and its delivery.
#[derive(Debug)]
pub(crate) struct LineItemState {
    pub(crate) source_id: String,
    pub(crate) priority: Priority,
    pub(crate) goal: u64,
    pub(crate) counts: Counts,
    /// The expected delivery by now; 0 without a goal.
    pub(crate) expected: i64,
    /// The predicted time at which the goal is reached.
    pub(crate) foreseen_end: Option<DateTime<Utc>>,
}

/// When the goal is reached at the rate of the last 24 hours; `None` if that is after the end.
pub(crate) fn foreseen_end(
    left: i64,
    lately: i64,
    (now, ends_at): (DateTime<Utc>, DateTime<Utc>),
) -> Option<DateTime<Utc>> {
    if left <= 0 {
        return Some(now);
    }
    if lately <= 0 {
        return None;
    }
    let seconds = i128::from(left) * 86_400 / i128::from(lately);
    let left = TimeDelta::try_seconds(i64::try_from(seconds).ok()?)?;
    let end = now.checked_add_signed(left)?;
    (end < ends_at).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_foreseen_by_the_pace_of_the_last_day() {
        let now = DateTime::UNIX_EPOCH;
        let ends_at = now + TimeDelta::days(3);
        let end = |left, lately| foreseen_end(left, lately, (now, ends_at));
        assert_eq!(end(200, 100), Some(now + TimeDelta::days(2)));
        assert_eq!(end(300, 100), None);
        assert_eq!(end(300, 0), None);
        assert_eq!(end(i64::MAX, 1), None);
        assert_eq!(end(1_000_000_000_000, 1), None);
        assert_eq!(end(0, 0), Some(now));
    }
}

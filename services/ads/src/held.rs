//! The plan and the curve of traffic, as this process has read them last, and the partitions that are known to be there.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ad_delivery::{Campaign, Curve};
use chrono::{DateTime, NaiveDate, Utc};

/// Days that are remembered: tickets are good for an hour, so that events come of two days at most.
const REMEMBERED: usize = 4;

/// The campaigns that are served at a revision.
#[derive(Debug)]
pub(crate) struct RevisedPlan {
    pub(crate) revision: i64,
    pub(crate) campaigns: Vec<Campaign>,
    pub(crate) read_at: DateTime<Utc>,
}

/// A value that is read and replaced as a whole.
#[derive(Debug)]
pub(crate) struct Slot<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Slot<T> {
    pub(crate) fn get(&self) -> Option<Arc<T>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn set(&self, value: T) -> Arc<T> {
        let value = Arc::new(value);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&value));
        value
    }
}

/// What this process has read last.
#[derive(Debug, Default)]
pub(crate) struct Held {
    pub(crate) plan: Slot<RevisedPlan>,
    pub(crate) curve: Slot<(DateTime<Utc>, Curve)>,
    days: Mutex<BTreeSet<NaiveDate>>,
}

impl Held {
    /// Whether the partition of a day is known to be there.
    pub(crate) fn has_day(&self, day: NaiveDate) -> bool {
        self.days().contains(&day)
    }

    /// Notes that the partition of a day is there.
    pub(crate) fn note_day(&self, day: NaiveDate) {
        let mut days = self.days();
        days.insert(day);
        while days.len() > REMEMBERED {
            days.pop_first();
        }
    }

    fn days(&self) -> MutexGuard<'_, BTreeSet<NaiveDate>> {
        self.days.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

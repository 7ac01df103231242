//! The plan and the curve of traffic, as this process has read them last, and the partitions that are known to be there.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ad_delivery::{Campaign, Curve};
use chrono::{DateTime, NaiveDate, Utc};

use crate::domain::Names;

/// Days that are remembered: tickets are good for an hour, so that events come of two days at most.
const REMEMBERED: usize = 4;
/// Creatives whose names are remembered; beyond them all are forgotten.
const NAMED: usize = 50_000;

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
pub(crate) struct Loaded {
    pub(crate) plan: Slot<RevisedPlan>,
    pub(crate) curve: Slot<(DateTime<Utc>, Curve)>,
    days: Mutex<BTreeSet<NaiveDate>>,
    names: Mutex<HashMap<i64, Arc<Names>>>,
}

impl Loaded {
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

    /// The names of those creatives among these that are remembered. They never change.
    pub(crate) fn names(&self, creative_ids: &BTreeSet<i64>) -> BTreeMap<i64, Arc<Names>> {
        let held = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let found = creative_ids
            .iter()
            .filter_map(|id| Some((*id, Arc::clone(held.get(id)?))));
        found.collect()
    }

    /// Remembers the names of creatives.
    pub(crate) fn note_names(&self, names: &BTreeMap<i64, Arc<Names>>) {
        let mut held = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() + names.len() > NAMED {
            held.clear();
        }
        held.extend(names.iter().map(|(id, names)| (*id, Arc::clone(names))));
    }

    fn days(&self) -> MutexGuard<'_, BTreeSet<NaiveDate>> {
        self.days.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

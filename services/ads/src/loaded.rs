//! Data cached in this process: the plan, the traffic curve, creatives' names, and the partitions known to exist.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ad_delivery::{Campaign, Curve};
use chrono::{DateTime, NaiveDate, Utc};

use crate::domain::Names;

/// The number of days remembered: tickets are valid for an hour, so events belong to at most two days.
const REMEMBERED: usize = 4;
/// The maximum number of creatives whose names are cached; when it is exceeded, the cache is cleared.
const NAMED: usize = 50_000;

/// The campaigns to serve at a plan revision.
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

/// The data cached in this process.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) plan: Slot<RevisedPlan>,
    pub(crate) curve: Slot<(DateTime<Utc>, Curve)>,
    days: Mutex<BTreeSet<NaiveDate>>,
    names: Mutex<HashMap<i64, Arc<Names>>>,
}

impl Loaded {
    /// Whether the partition of a day is known to exist.
    pub(crate) fn has_day(&self, day: NaiveDate) -> bool {
        self.days().contains(&day)
    }

    /// Records that the partition of a day exists.
    pub(crate) fn note_day(&self, day: NaiveDate) {
        let mut days = self.days();
        days.insert(day);
        while days.len() > REMEMBERED {
            days.pop_first();
        }
    }

    /// The cached names of these creatives. Names never change.
    pub(crate) fn names(&self, creative_ids: &BTreeSet<i64>) -> BTreeMap<i64, Arc<Names>> {
        let held = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let found = creative_ids
            .iter()
            .filter_map(|id| Some((*id, Arc::clone(held.get(id)?))));
        found.collect()
    }

    /// Caches the names of creatives.
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

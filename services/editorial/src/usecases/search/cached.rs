//! What a process holds of the index.

use std::{
    fmt,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chassis::{
    clock::SharedClock,
    error::{Code, Fault},
};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;
use tokio::time::timeout;

/// How old it may be.
const AGE: TimeDelta = TimeDelta::seconds(1);

/// A part of the index that is read from the database when it has changed.
pub(crate) trait Part: Send + Sync + Sized + 'static {
    /// How many times as long as a reading nothing is read after it.
    const RESTS: u32;

    /// What there is now, or nothing if that is held already.
    fn read(
        pool: PgPool,
        held: Option<Arc<Self>>,
    ) -> impl Future<Output = Result<Option<Self>, Fault>> + Send;
}

struct State<T> {
    value: Arc<T>,
    is_old_at: DateTime<Utc>,
}

/// Holds a part of the index, and reads it again when it has changed.
pub(crate) struct Cached<T> {
    pool: PgPool,
    clock: SharedClock,
    state: Arc<Mutex<Option<State<T>>>>,
    /// Locked while one task reads; others go on with what there is.
    reading: Arc<tokio::sync::Mutex<()>>,
}

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self {
            pool: self.pool.clone(),
            clock: Arc::clone(&self.clock),
            state: Arc::clone(&self.state),
            reading: Arc::clone(&self.reading),
        }
    }
}

impl<T> fmt::Debug for Cached<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached").finish_non_exhaustive()
    }
}

impl<T: Part> Cached<T> {
    pub(crate) fn new(pool: PgPool, clock: SharedClock) -> Self {
        Self {
            pool,
            clock,
            state: Arc::default(),
            reading: Arc::default(),
        }
    }

    /// The part as it was a second ago at most; an older one if it cannot be read, if another call is just reading it, or if
    /// that takes longer than `newer`. If none is held, it is waited for as long as `first`; then there is nothing yet.
    /// Reading goes on in the background.
    ///
    /// # Errors
    ///
    /// Those of reading it for the first time.
    pub(crate) async fn current(
        &self,
        first: Duration,
        newer: Duration,
    ) -> Result<Option<Arc<T>>, Fault> {
        if let Some(value) = self.fresh() {
            return Ok(Some(value));
        }
        let reading = Arc::clone(&self.reading);
        let (reading, patience) = match self.held() {
            Some(value) => match reading.try_lock_owned() {
                Ok(reading) => (reading, newer),
                Err(_) => return Ok(Some(value)),
            },
            None => match timeout(first, reading.lock_owned()).await {
                Ok(reading) => (reading, first),
                Err(_) => return Ok(None),
            },
        };
        // Another call may have read it just before.
        if let Some(value) = self.fresh() {
            return Ok(Some(value));
        }
        let held = self.clone();
        let read = tokio::spawn(async move {
            let outcome = held.read().await;
            drop(reading);
            outcome
        });
        match (timeout(patience, read).await, self.held()) {
            (Ok(Ok(Err(fault))), None) => Err(fault),
            (Ok(Err(error)), None) => Err(Fault::new(Code::Internal, error.to_string())),
            (Ok(Ok(Err(fault))), held) => {
                tracing::warn!(%fault, "the search goes on with what it knew");
                Ok(held)
            }
            (_, held) => Ok(held),
        }
    }

    async fn read(&self) -> Result<(), Fault> {
        let begun = Instant::now();
        let now = self.clock.now();
        let read = T::read(self.pool.clone(), self.held()).await?;
        let rest = TimeDelta::from_std(begun.elapsed() * T::RESTS).unwrap_or(AGE);
        let mut state = self.lock();
        match (read, state.as_mut()) {
            (Some(value), _) => {
                *state = Some(State {
                    value: Arc::new(value),
                    is_old_at: now + rest.max(AGE),
                });
            }
            (None, Some(state)) => state.is_old_at = now + AGE,
            (None, None) => {}
        }
        Ok(())
    }

    fn fresh(&self) -> Option<Arc<T>> {
        let state = self.lock();
        let fresh = state
            .as_ref()
            .filter(|state| self.clock.now() < state.is_old_at);
        fresh.map(|state| Arc::clone(&state.value))
    }

    fn held(&self) -> Option<Arc<T>> {
        self.lock().as_ref().map(|state| Arc::clone(&state.value))
    }

    fn lock(&self) -> MutexGuard<'_, Option<State<T>>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

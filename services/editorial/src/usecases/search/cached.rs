//! In-memory parts of the index.

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

/// Maximum age before changes are read.
const AGE: TimeDelta = TimeDelta::seconds(1);

/// A part of the index that is read again after changes.
pub(crate) trait Part: Send + Sync + Sized + 'static {
    /// Pause after reading, as a multiple of the time that the reading took.
    const RESTS: u32;

    /// Reads the current part; `None` if it equals the cached part.
    fn read(
        pool: PgPool,
        held: Option<Arc<Self>>,
    ) -> impl Future<Output = Result<Option<Self>, Fault>> + Send;
}

struct State<T> {
    value: Arc<T>,
    is_old_at: DateTime<Utc>,
}

/// Caches a part of the index and reads it again after changes.
pub(crate) struct Cached<T> {
    pool: PgPool,
    clock: SharedClock,
    state: Arc<Mutex<Option<State<T>>>>,
    /// Locked while a task is reading; other callers continue with the cached part.
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

    /// Returns a part that is at most a second old. Returns an older part if reading fails, if another call is reading
    /// it, or if reading takes longer than `newer`. Without a cached part, waits for up to `first`, then returns
    /// `None`. Reading continues in the background.
    ///
    /// # Errors
    ///
    /// Errors of the first reading.
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
        // Another call may have just read the part.
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
                tracing::warn!(%fault, "reading the search index failed; the search continues with the cached part");
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

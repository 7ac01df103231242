//! Single-flight: requests for an answer that is already being computed wait for that computation.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use chassis::{
    actor::{Actor, with_actor},
    call::without_deadline,
    error::{Code, Fault},
    lifecycle::Lifecycle,
    wakes::Wakes,
};
use futures::{
    FutureExt,
    future::{BoxFuture, FusedFuture, Shared},
};
use tracing::{Instrument, Span};

use super::{changes::Version, entry::Entry};
use crate::edge::error::ApiError;

pub(super) type Outcome = Result<Arc<Entry>, ApiError>;
type Computing = Shared<BoxFuture<'static, Outcome>>;

/// Running computations by cache key.
#[derive(Clone, Default)]
pub(super) struct Flights(Arc<Mutex<HashMap<Arc<str>, InFlight>>>);

struct InFlight {
    number: u64,
    version: Version,
    computing: Computing,
    has_task: Arc<AtomicBool>,
}

/// Waits for a computation. The waiting task also drives it, which saves waking another task and being woken again. If
/// a waiting request is dropped, a separate task continues the computation.
pub(super) struct Flight {
    computing: Computing,
    /// Wakes all waiting tasks when the computation ends, and does not wake the task that has just polled it to
    /// completion.
    wakes: Arc<Wakes>,
    has_task: Arc<AtomicBool>,
    life: Lifecycle,
}

impl Future for Flight {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Outcome> {
        let wakes = Arc::clone(&self.wakes);
        wakes.poll(context, |context| self.computing.poll_unpin(context))
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let has_ended = self.computing.is_terminated() || self.computing.peek().is_some();
        if !has_ended && !self.has_task.swap(true, Ordering::Relaxed) {
            let computing = self.computing.clone();
            self.life.spawn("public answer", computing.map(drop));
        }
    }
}

/// Removes the flight when dropped.
struct RemoveOnDrop {
    flights: Flights,
    key: Arc<str>,
    number: u64,
}

impl Drop for RemoveOnDrop {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        // A flight started after a change may have replaced this flight.
        if flights
            .get(&self.key)
            .is_some_and(|flight| flight.number == self.number)
        {
            flights.remove(&self.key);
        }
    }
}

impl Flights {
    /// Joins the flight of a key or starts one, which continues even if no request waits any longer. A flight does not
    /// have the deadline or actor of the request that started it, because it also serves others. A flight that started
    /// before the last change is not joined. Returns whether an existing flight was joined.
    pub(super) fn join(
        &self,
        life: &Lifecycle,
        key: &Arc<str>,
        version: Version,
        compute: impl Future<Output = Outcome> + Send + 'static,
    ) -> (Flight, bool) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut flights = self.lock();
        let wait = |flight: &InFlight| Flight {
            computing: flight.computing.clone(),
            wakes: Arc::default(),
            has_task: Arc::clone(&flight.has_task),
            life: life.clone(),
        };
        if let Some(in_flight) = flights.get(key)
            && in_flight.version == version
        {
            return (wait(in_flight), true);
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let end = RemoveOnDrop {
            flights: self.clone(),
            key: Arc::clone(key),
            number,
        };
        let compute = with_actor(Actor::default(), without_deadline(compute));
        let compute = AssertUnwindSafe(compute).catch_unwind();
        let computing = async move {
            let outcome = compute.await;
            drop(end);
            outcome.unwrap_or_else(|_panic| Err(interrupted()))
        };
        let in_flight = InFlight {
            number,
            version,
            computing: computing.instrument(Span::current()).boxed().shared(),
            has_task: Arc::default(),
        };
        let flight = wait(&in_flight);
        let replaced = flights.insert(Arc::clone(key), in_flight);
        drop(flights);
        // Dropping the last reference takes the lock, so this code must not hold it.
        drop(replaced);
        (flight, false)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, InFlight>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Error for a computation that panicked.
fn interrupted() -> ApiError {
    Fault::new(
        Code::Internal,
        "the computation of an answer was interrupted",
    )
    .into()
}

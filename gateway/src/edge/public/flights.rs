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

/// The computations under way, by cache key.
#[derive(Clone, Default)]
pub(super) struct Flights(Arc<Mutex<HashMap<Arc<str>, InFlight>>>);

struct InFlight {
    number: u64,
    version: Version,
    computing: Computing,
    has_task: Arc<AtomicBool>,
}

/// The wait for a computation. Who waits does its work: another task would have to be woken for it, and wake this one again.
/// It goes on in a task of its own once somebody gives up waiting.
pub(super) struct Flight {
    computing: Computing,
    /// A shared future wakes all who wait for it when it ends, and so the task that has polled it to its end.
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

/// Removes a flight however it ends.
struct RemoveOnDrop {
    flights: Flights,
    key: Arc<str>,
    number: u64,
}

impl Drop for RemoveOnDrop {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        // A flight that began after a change may have replaced this one.
        if flights
            .get(&self.key)
            .is_some_and(|flight| flight.number == self.number)
        {
            flights.remove(&self.key);
        }
    }
}

impl Flights {
    /// Joins the flight of a key, or starts one, which goes on if nobody waits any more. It has neither the deadline nor the
    /// actor of the request that starts it, since it answers others too. A flight that started before the last change is not
    /// joined. Returns whether one was joined.
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
        // If nobody waits for it any more, its end removes it, which takes the lock.
        drop(replaced);
        (flight, false)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, InFlight>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Its code has panicked.
fn interrupted() -> ApiError {
    Fault::new(
        Code::Internal,
        "the computation of an answer was interrupted",
    )
    .into()
}

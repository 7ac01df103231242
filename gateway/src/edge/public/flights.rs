//! Single-flight: requests for an answer that is already being computed wait for that computation.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use chassis::{
    error::{Code, Fault},
    lifecycle::Lifecycle,
};
use futures::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use tokio::sync::oneshot;
use tracing::{Instrument, Span};

use super::{changes::Version, entry::Entry};
use crate::edge::error::ApiError;

pub(super) type Outcome = Result<Arc<Entry>, ApiError>;
pub(super) type Flight = Shared<BoxFuture<'static, Outcome>>;

/// The computations under way, by cache key.
#[derive(Clone, Default)]
pub(super) struct Flights(Arc<Mutex<HashMap<Arc<str>, InFlight>>>);

struct InFlight {
    number: u64,
    version: Version,
    flight: Flight,
}

/// Removes a flight however its task ends.
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
    /// Joins the flight of a key, or starts one in a task of its own, which goes on if nobody waits any
    /// more. A flight that started before the last change is not joined. Returns whether one was joined.
    pub(super) fn join(
        &self,
        life: &Lifecycle,
        key: &Arc<str>,
        version: Version,
        compute: impl Future<Output = Outcome> + Send + 'static,
    ) -> (Flight, bool) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut flights = self.lock();
        if let Some(in_flight) = flights.get(key)
            && in_flight.version == version
        {
            return (in_flight.flight.clone(), true);
        }
        let (sender, receiver) = oneshot::channel();
        let flight = receiver
            .map(|outcome| outcome.unwrap_or_else(|_| Err(interrupted())))
            .boxed()
            .shared();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let end = RemoveOnDrop {
            flights: self.clone(),
            key: Arc::clone(key),
            number,
        };
        let in_flight = InFlight {
            number,
            version,
            flight: flight.clone(),
        };
        flights.insert(Arc::clone(key), in_flight);
        drop(flights);
        let task = async move {
            let outcome = compute.await;
            drop(end);
            // It fails if nobody waits any more.
            let _ = sender.send(outcome);
        };
        life.spawn("public answer", task.instrument(Span::current()));
        (flight, false)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, InFlight>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task has panicked, or the process is ending.
fn interrupted() -> ApiError {
    Fault::new(
        Code::Internal,
        "the computation of an answer was interrupted",
    )
    .into()
}

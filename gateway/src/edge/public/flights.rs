//! Single-flight: whoever asks for what is being computed already waits for that.

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

use super::{Kept, address::Standing};
use crate::edge::error::ApiError;

pub(super) type Outcome = Result<Arc<Kept>, ApiError>;
pub(super) type Flight = Shared<BoxFuture<'static, Outcome>>;

/// What is being computed.
#[derive(Clone, Default)]
pub(super) struct Flights(Arc<Mutex<HashMap<Arc<str>, UnderWay>>>);

struct UnderWay {
    number: u64,
    standing: Standing,
    flight: Flight,
}

/// Ends a flight however its task ends.
struct Landing {
    flights: Flights,
    key: Arc<str>,
    number: u64,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        // One that began after a change may have taken its place.
        if flights
            .get(&self.key)
            .is_some_and(|flight| flight.number == self.number)
        {
            flights.remove(&self.key);
        }
    }
}

impl Flights {
    /// Joins the flight of a key, or begins it: then it goes on in a task of its own, whoever gives up
    /// waiting. One that began before the last change is nobody's to join. Tells whether it was joined.
    pub(super) fn join(
        &self,
        life: &Lifecycle,
        key: &Arc<str>,
        standing: Standing,
        compute: impl Future<Output = Outcome> + Send + 'static,
    ) -> (Flight, bool) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut flights = self.lock();
        if let Some(under_way) = flights.get(key)
            && under_way.standing == standing
        {
            return (under_way.flight.clone(), true);
        }
        let (landed, landing) = oneshot::channel();
        let flight = landing
            .map(|outcome| outcome.unwrap_or_else(|_| Err(cut_off())))
            .boxed()
            .shared();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let end = Landing {
            flights: self.clone(),
            key: Arc::clone(key),
            number,
        };
        let under_way = UnderWay {
            number,
            standing,
            flight: flight.clone(),
        };
        flights.insert(Arc::clone(key), under_way);
        drop(flights);
        let task = async move {
            let outcome = compute.await;
            drop(end);
            // Nobody may be waiting any more.
            let _ = landed.send(outcome);
        };
        life.spawn("a public answer", task.instrument(Span::current()));
        (flight, false)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Arc<str>, UnderWay>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task has panicked, or the process was ended.
fn cut_off() -> ApiError {
    Fault::new(Code::Internal, "the computation of an answer was cut off").into()
}

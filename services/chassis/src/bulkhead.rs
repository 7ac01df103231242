//! Limits on concurrent work of one kind, so that a flood of requests for it does not starve other work.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{Code, Fault};

/// Lets a few callers work at a time and a bounded number of others wait. Clones share the limits.
#[derive(Debug, Clone)]
pub struct Bulkhead {
    work: &'static str,
    running: Arc<Semaphore>,
    /// One permit per caller that works or waits.
    places: Arc<Semaphore>,
}

/// A caller's place among those that work or wait, until it is dropped.
#[derive(Debug)]
pub struct Place {
    running: Arc<Semaphore>,
    _held: OwnedSemaphorePermit,
}

/// The permission to work, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _held: OwnedSemaphorePermit,
}

impl Bulkhead {
    /// `work` is the label of the metric and names the work in faults.
    #[must_use]
    pub fn new(work: &'static str, at_a_time: usize, waiting: usize) -> Self {
        metrics::counter!("bulkhead_refusals_total", "work" => work).increment(0);
        Self {
            work,
            running: Arc::new(Semaphore::new(at_a_time)),
            places: Arc::new(Semaphore::new(at_a_time + waiting)),
        }
    }

    /// Reserves a place. Call it before any other work for the caller, so that a refusal costs nothing.
    ///
    /// # Errors
    ///
    /// [`Code::Unavailable`] if too many callers wait; they are counted as `bulkhead_refusals_total`.
    pub fn place(&self) -> Result<Place, Fault> {
        let running = Arc::clone(&self.running);
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| {
            metrics::counter!("bulkhead_refusals_total", "work" => self.work).increment(1);
            let message = format!("too many callers wait for {}", self.work);
            Fault::new(Code::Unavailable, message)
        })?;
        Ok(Place {
            running,
            _held: place,
        })
    }
}

impl Place {
    /// Waits until a caller may work; the first to wait is the first to work. A caller may take several turns, one after
    /// the other.
    ///
    /// # Errors
    ///
    /// None in practice: the semaphore is never closed.
    pub async fn turn(&self) -> Result<Turn, Fault> {
        let permit = Arc::clone(&self.running).acquire_owned().await;
        let permit = permit.map_err(|error| Fault::new(Code::Internal, error.to_string()))?;
        Ok(Turn { _held: permit })
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn few_work_at_a_time_a_few_wait_and_others_are_refused() {
        let bulkhead = Bulkhead::new("tests", 1, 2);
        let [first, second, third] = [0; 3].map(|_| bulkhead.place().expect("room"));
        let refused = bulkhead.place().expect_err("is full");
        assert_eq!(refused.code, Code::Unavailable);

        let working = first.turn().await.expect("works");
        let mut waiting = Box::pin(second.turn());
        assert!((&mut waiting).now_or_never().is_none(), "the first works");
        drop(working);
        waiting.await.expect("works");
        drop(third);
        bulkhead.place().expect("room again");
    }
}

//! In-memory suggestions, which save a service call per keystroke. The names are refreshed from the editorial service
//! every second. While that service is unavailable, this process continues with its current names. Without any names,
//! it calls the service for each suggestion.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chassis::{
    call::{Call, Caller},
    clock::SharedClock,
    computing::computed,
    error::{Code, Fault},
    lifecycle::Lifecycle,
    paging::MAX_KEYWORDS,
};
use chrono::{DateTime, Utc};
use suggestions::{Received, Snapshot, Suggestion, folded, request_after, suggestions};
use tokio::time::timeout;

use crate::services::Clients;

/// Interval between refreshes.
const ASKED: Duration = Duration::from_secs(1);
/// Maximum pause after failures.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// Time until a response must begin: longer than the service waits for the first names.
const BEGINS: Duration = Duration::from_secs(5);
/// Time until a response must be complete: the names of three million objects are 300 MB.
const ENDS: Duration = Duration::from_mins(5);

/// Computes suggestions in memory. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Suggester(Arc<Parts>);

struct Parts {
    services: Clients,
    clock: SharedClock,
    /// Maximum bytes of names.
    most_bytes: i64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    held: Option<Arc<Snapshot>>,
    asked_at: Option<DateTime<Utc>>,
}

impl Suggester {
    pub(crate) fn new(services: Clients, clock: SharedClock, most_bytes: u64) -> Self {
        Self(Arc::new(Parts {
            services,
            clock,
            most_bytes: i64::try_from(most_bytes).unwrap_or(i64::MAX),
            state: Mutex::default(),
        }))
    }

    /// Refreshes the names until the process stops.
    pub(crate) fn start(&self, life: &Lifecycle) {
        // Registers the gauges at 0, even if no names are cached.
        self.measure();
        if self.0.most_bytes == 0 {
            return;
        }
        let (suggester, stopping) = (self.clone(), life.clone());
        life.supervise("follow names", move || {
            let (suggester, stopping) = (suggester.clone(), stopping.clone());
            async move {
                let mut pause = ASKED;
                loop {
                    let followed = tokio::select! {
                        () = stopping.stopping() => return,
                        followed = suggester.follow() => followed,
                    };
                    match followed {
                        Ok(()) => pause = ASKED,
                        Err(fault) => {
                            if pause == ASKED {
                                tracing::warn!(error = %fault, "the names for suggestions could not be refreshed");
                            }
                            pause = (pause * 2).min(MAX_PAUSE);
                        }
                    }
                    suggester.measure();
                    tokio::select! {
                        () = stopping.stopping() => return,
                        () = tokio::time::sleep(pause) => {}
                    }
                }
            }
        });
    }

    /// Returns suggestions for the typed text. `None` if the service must be called: there are no names, there are no
    /// suggestions (the words may be misspelt), or the service must reject the text.
    pub(crate) fn suggestions(&self, text: &str) -> Option<Vec<Suggestion>> {
        let held = self.state().held.clone()?;
        if text.chars().count() > MAX_KEYWORDS || text.contains('\0') {
            return None;
        }
        let words = folded(text);
        let found = suggestions(&words, held.labels(), Some(held.names()));
        (!found.is_empty() || words.is_empty()).then_some(found)
    }

    /// Fetches the changes once.
    async fn follow(&self) -> Result<(), Fault> {
        let before = self.state().held.clone();
        let read = timeout(ENDS, self.read(before.as_deref())).await;
        let received = read.map_err(|_| {
            Fault::new(
                Code::Unavailable,
                "editorial did not send all names in time",
            )
        })??;
        if received.bytes() > self.0.most_bytes {
            self.state().held = None;
            let (bytes, most) = (received.bytes(), self.0.most_bytes);
            let message = format!(
                "all names take {bytes} bytes and public_cache.max_name_bytes is {most}: editorial is asked for each answer"
            );
            return Err(Fault::new(Code::Unavailable, message));
        }
        let is_held = before
            .as_deref()
            .is_some_and(|held| received.changes_nothing_of(held));
        if !is_held {
            self.hold(received, before).await?;
        }
        self.state().asked_at = Some(self.0.clock.now());
        Ok(())
    }

    /// Reads the parts of one response; stops after the first part if the names exceed the maximum.
    async fn read(&self, before: Option<&Snapshot>) -> Result<Received, Fault> {
        let call = Call::new(Caller::Operator, BEGINS);
        let request = call.request(request_after(before));
        let mut parts = self
            .0
            .services
            .search()
            .read_names(request)
            .await?
            .into_inner();
        let first = parts.message().await?.and_then(Received::new);
        let mut received = first
            .ok_or_else(|| Fault::new(Code::Internal, "the names came without their revision"))?;
        if received.bytes() <= self.0.most_bytes {
            while let Some(part) = parts.message().await? {
                received.take(part);
            }
        }
        Ok(received)
    }

    async fn hold(&self, received: Received, before: Option<Arc<Snapshot>>) -> Result<(), Fault> {
        let held = computed("a change of names", move || {
            received.held(before.as_deref())
        })
        .await?;
        let mut held = held.ok_or_else(|| {
            Fault::new(Code::Internal, "the changes are of names that are not held")
        })?;
        let rebuilding = held.start_next();
        self.state().held = Some(Arc::new(held));
        if let Some(rebuilding) = rebuilding {
            computed("the sorting of names", move || rebuilding.run()).await?;
        }
        Ok(())
    }

    fn measure(&self) {
        let State { held, asked_at } = &*self.state();
        #[expect(clippy::cast_precision_loss, reason = "gauges")]
        let (names, bytes) = held.as_ref().map_or((0.0, 0.0), |held| {
            let names = held.names();
            (names.len() as f64, names.bytes() as f64)
        });
        metrics::gauge!("suggestion_names").set(names);
        metrics::gauge!("suggestion_names_bytes").set(bytes);
        if let Some(at) = asked_at {
            let age = (self.0.clock.now() - *at).as_seconds_f64();
            metrics::gauge!("suggestion_names_age_seconds").set(age);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

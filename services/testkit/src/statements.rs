//! Counts a test service's PostgreSQL statements.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
};

use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id},
    subscriber::DefaultGuard,
};
use tracing_subscriber::{
    Layer,
    layer::{Context, SubscriberExt},
    registry::LookupSpan,
};

/// Counts the statements of this thread by their `#[sql("…")]` names, from its creation until it is dropped.
#[derive(Debug)]
pub struct Statements {
    counts: Counts,
    _guard: DefaultGuard,
}

#[derive(Debug, Clone, Default)]
struct Counts(Arc<Mutex<BTreeMap<String, usize>>>);

impl Statements {
    /// Starts counting.
    #[must_use]
    pub fn count() -> Self {
        let counts = Counts::default();
        let subscriber = tracing_subscriber::registry().with(counts.clone());
        Self {
            counts,
            _guard: tracing::subscriber::set_default(subscriber),
        }
    }

    /// Returns how often a statement was sent.
    #[must_use]
    pub fn of(&self, name: &str) -> usize {
        let counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(name).copied().unwrap_or_default()
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Counts {
    fn on_new_span(&self, attributes: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        if attributes.metadata().name() == "sql" {
            let mut name = Name::default();
            attributes.record(&mut name);
            let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *counts.entry(name.0).or_default() += 1;
        }
    }
}

#[derive(Default)]
struct Name(String);

impl Visit for Name {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "otel.name" {
            value.clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

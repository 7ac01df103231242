//! The state that use cases and jobs share.

use std::sync::Arc;

use ad_delivery::LogSigner;
use chassis::{clock::SharedClock, postgres::Outbox};
use chrono::TimeDelta;
use chrono_tz::Tz;
use sqlx::PgPool;

use crate::loaded::Loaded;

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    /// The site's zone.
    pub(crate) zone: Tz,
    /// What this process has read last.
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) signer: Arc<LogSigner>,
    /// How long events are kept one by one.
    pub(crate) keep_events: TimeDelta,
    /// How long counts by the hour are kept.
    pub(crate) keep_reports: TimeDelta,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}

//! The state shared by use cases and jobs.

use std::sync::Arc;

use ad_delivery::LogSigner;
use chassis::{clock::SharedClock, postgres::Outbox};
use chrono::TimeDelta;
use chrono_tz::Tz;
use sqlx::PgPool;

use crate::loaded::Loaded;

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    /// The site's time zone.
    pub(crate) zone: Tz,
    /// The data cached in this process.
    pub(crate) loaded: Arc<Loaded>,
    pub(crate) signer: Arc<LogSigner>,
    /// The retention period of individual events.
    pub(crate) keep_events: TimeDelta,
    /// The retention period of hourly counts.
    pub(crate) keep_reports: TimeDelta,
}

chassis::opaque_debug!(Context);

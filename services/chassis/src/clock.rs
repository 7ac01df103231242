//! Injected time: services read a clock, so that tests can set it.

use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};

/// A source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// The current time in UTC, to the millisecond: the precision of the API and of stored stamps.
    fn now(&self) -> DateTime<Utc>;
}

/// A clock shared by all parts of a process.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the machine's clock"
    )]
    fn now(&self) -> DateTime<Utc> {
        Utc::now().trunc_subsecs(3)
    }
}

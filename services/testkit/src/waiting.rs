//! Waits for background work.

use std::time::{Duration, Instant};

/// Maximum duration of every wait. It only ends tests that hang and guarantees no response time: a busy machine may be
/// ten times slower than an idle one.
pub const AT_MOST: Duration = Duration::from_mins(4);
/// Longer than the interval of hourly jobs.
const OVER_AN_HOUR: Duration = Duration::from_secs(3_601);
/// How long an hourly job may run.
const RUN: Duration = Duration::from_secs(1);
/// The pause between two checks.
const PAUSE: Duration = Duration::from_millis(10);

/// Checks repeatedly until there is a result.
///
/// # Panics
/// If there is no result within [`AT_MOST`]; the message contains `what`.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(
            begun.elapsed() < AT_MOST,
            "waited in vain for {AT_MOST:?}: {what}"
        );
        tokio::time::sleep(PAUSE).await;
    }
}

/// Advances all timers of the test by an hour at a time and then checks repeatedly until there is a result, so that
/// tests need not wait for hourly jobs. A job that is interrupted by an advance continues in its next run.
///
/// # Panics
///
/// If there is no result within [`AT_MOST`], or in a runtime with several threads.
pub async fn within_hours<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let mut passed: Option<Instant> = None;
    until(what, async || {
        if passed.is_none_or(|passed| passed.elapsed() > RUN) {
            tokio::time::pause();
            tokio::time::advance(OVER_AN_HOUR).await;
            tokio::time::resume();
            passed = Some(Instant::now());
        }
        look().await
    })
    .await
}

//! Waiting for background work.

use std::time::{Duration, Instant};

/// The bound of every wait. It ends a test that would hang, and tests no promise about time: a busy machine may be ten times
/// slower than an idle one.
pub const AT_MOST: Duration = Duration::from_mins(4);
/// Longer than a job waits for its next run that runs every hour.
const OVER_AN_HOUR: Duration = Duration::from_secs(3_601);
/// How long an hourly job may take for its work.
const RUN: Duration = Duration::from_secs(1);
/// The pause between two checks.
const PAUSE: Duration = Duration::from_millis(10);

/// Checks repeatedly until there is an answer.
///
/// # Panics
/// If there is no answer within [`AT_MOST`]; the message contains `what`.
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

/// Lets hours pass for all timers of the test, one at a time, and after each checks repeatedly until there is an answer: what
/// hourly jobs do is seen without waiting for it. A job that another hour has interrupted goes on with the next.
///
/// # Panics
/// If there is no answer within [`AT_MOST`], and in a runtime of several threads.
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

//! Waiting for background work.

use std::time::{Duration, Instant};

/// The bound of a wait that has no other.
const AT_MOST: Duration = Duration::from_secs(30);
/// Longer than a job waits for its next run that runs every hour.
const OVER_AN_HOUR: Duration = Duration::from_secs(3_601);
/// How long an hourly job may take for its work.
const RUN: Duration = Duration::from_secs(1);
/// The pause between two checks.
const PAUSE: Duration = Duration::from_millis(10);

/// Checks repeatedly until there is an answer.
///
/// # Panics
/// If there is none within thirty seconds, which a busy machine may need; the message says what was waited for.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    until_within(what, AT_MOST, look).await
}

/// The same with another bound, for one that the system promises.
///
/// # Panics
/// If there is no answer within the bound; the message says what was waited for.
pub async fn until_within<T>(
    what: &str,
    bound: Duration,
    mut look: impl AsyncFnMut() -> Option<T>,
) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(
            begun.elapsed() < bound,
            "waited in vain for {bound:?}: {what}"
        );
        tokio::time::sleep(PAUSE).await;
    }
}

/// Lets hours pass for all timers of the test, one at a time, and after each checks repeatedly until there is an answer: what
/// hourly jobs do is seen without waiting for it. A job that another hour has interrupted goes on with the next.
///
/// # Panics
/// If there is no answer within thirty seconds, and in a runtime of several threads.
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

//! Waiting for background work.

use std::time::{Duration, Instant};

/// The bound of a wait that has no other.
const AT_MOST: Duration = Duration::from_secs(30);
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

//! Waiting for what happens in the background.

use std::time::{Duration, Instant};

/// The bound of a wait that has no other.
const AT_MOST: Duration = Duration::from_secs(10);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// Looks again and again until there is an answer.
///
/// # Panics
/// Where there is none within ten seconds; the message says what was waited for.
pub async fn until<T>(what: &str, look: impl AsyncFnMut() -> Option<T>) -> T {
    until_within(what, AT_MOST, look).await
}

/// The same with another bound, where the system promises one.
///
/// # Panics
/// Where there is no answer within the bound; the message says what was waited for.
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

//! Computations that would block other work on the thread.

use crate::error::{Code, Fault};

/// Runs a long computation on the pool of blocking threads. `what` is a noun that names the computation in the
/// [`Code::Internal`] fault of a panic.
pub async fn computed<T: Send + 'static>(
    what: &str,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    let computed = tokio::task::spawn_blocking(compute).await;
    computed.map_err(|error| Fault::new(Code::Internal, format!("{what} ended early: {error}")))
}

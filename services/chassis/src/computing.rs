//! Computations that would hold up what else runs on a thread.

use crate::error::{Code, Fault};

/// The result of a computation that takes long, on a thread for such. `what` it is, as a noun, is named by the fault of a
/// panic in it, which is of [`Code::Internal`].
pub async fn computed<T: Send + 'static>(
    what: &str,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    let computed = tokio::task::spawn_blocking(compute).await;
    computed.map_err(|error| Fault::new(Code::Internal, format!("{what} ended early: {error}")))
}

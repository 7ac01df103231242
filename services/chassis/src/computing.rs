//! Computations that would hold up what else runs on a thread.

use crate::error::{Code, Fault};

/// The result of a computation that takes long, on a thread for such. A panic in it is a fault of [`Code::Internal`].
pub async fn computed<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    let computed = tokio::task::spawn_blocking(compute).await;
    computed.map_err(|error| Fault::new(Code::Internal, error.to_string()))
}

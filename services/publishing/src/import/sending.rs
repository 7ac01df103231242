//! The way of items from a reader of a file to their service.

use std::time::Duration;

use chassis::error::Fault;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// The timeout of an import.
pub(super) const TIMEOUT: Duration = Duration::from_mins(30);
/// Items buffered between the reader of the file and the service.
const AHEAD: usize = 64;
/// Items between two lines of progress.
const PROGRESS: usize = 500;

/// Reads a file on a thread of its own while its items are sent; returns what the reader does, and the answer.
pub(super) async fn streamed<M: Send + 'static, T: Send + 'static, A>(
    read: impl FnOnce(&mpsc::Sender<M>) -> Result<T, String> + Send + 'static,
    send: impl AsyncFnOnce(ReceiverStream<M>) -> Result<A, tonic::Status>,
) -> Result<(T, A), String> {
    let (sender, items) = mpsc::channel(AHEAD);
    let reading = tokio::task::spawn_blocking(move || read(&sender));
    let outcome = send(ReceiverStream::new(items)).await;
    // A mistake in the file ends the stream early; its error says more than the service's "unfinished".
    let read = reading.await.map_err(|error| error.to_string())??;
    let answer = outcome.map_err(|status| Fault::from(status).message)?;
    Ok((read, answer))
}

/// Tells a person at the terminal how far an import is.
#[derive(Default)]
pub(super) struct Progress(usize);

impl Progress {
    pub(super) fn count(&mut self) {
        self.0 += 1;
        if self.0.is_multiple_of(PROGRESS) {
            tell(&format!("{} read …", self.0));
        }
    }
}

/// Tells a person at the terminal; a failure is ignored, for nobody may be there.
pub(super) fn tell(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}

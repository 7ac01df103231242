//! Streams items from a file's reader to their service.

use std::time::Duration;

use chassis::error::Fault;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// Timeout of an import.
pub(super) const TIMEOUT: Duration = Duration::from_mins(30);
/// Number of items buffered between the file's reader and the service.
const AHEAD: usize = 64;
/// Number of items between two progress lines.
const PROGRESS: usize = 500;

/// Reads a file on a separate thread while its items are sent. Returns the results of both.
pub(super) async fn streamed<M: Send + 'static, T: Send + 'static, A>(
    read: impl FnOnce(&mpsc::Sender<M>) -> Result<T, String> + Send + 'static,
    send: impl AsyncFnOnce(ReceiverStream<M>) -> Result<A, tonic::Status>,
) -> Result<(T, A), String> {
    let (sender, items) = mpsc::channel(AHEAD);
    let reading = tokio::task::spawn_blocking(move || read(&sender));
    let outcome = send(ReceiverStream::new(items)).await;
    // A mistake in the file ends the stream early; its error is more useful than the service's "unfinished".
    let read = reading.await.map_err(|error| error.to_string())??;
    let answer = outcome.map_err(|status| Fault::from(status).message)?;
    Ok((read, answer))
}

/// Reports the progress of an import on the terminal.
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

/// Writes a line to the terminal and ignores errors, as there may be no terminal.
pub(super) fn tell(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}

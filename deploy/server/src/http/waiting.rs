//! Timeouts of connections that wait for a request: for its beginning, and for the rest of its head. hyper's own timeout
//! creates and drops a timer for each request; this one uses a single timer per connection, which checks the times.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Instant,
};

/// Value of `head_since` while no part of a head has arrived.
const NONE: u64 = u64::MAX;

/// Timeouts of a connection without a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// The timeout for the beginning of a request.
    pub(super) idle: Duration,
    /// The timeout for the rest of the request's head.
    pub(super) head: Duration,
}

/// The time since which a connection has been waiting for a request. Times are in milliseconds since `opened`.
#[derive(Debug)]
pub(super) struct Waiting {
    opened: Instant,
    /// The number of requests that are being answered.
    answering: AtomicUsize,
    /// The end of the last response.
    since: AtomicU64,
    /// The arrival of the first bytes after the last response.
    head_since: AtomicU64,
}

impl Waiting {
    /// Creates the state of a new connection.
    pub(super) fn new() -> Self {
        Self {
            opened: Instant::now(),
            answering: AtomicUsize::new(0),
            since: AtomicU64::new(0),
            head_since: AtomicU64::new(NONE),
        }
    }

    /// Records the arrival of a head. The connection waits for the next head once the returned value is dropped.
    pub(super) fn answer(self: &Arc<Self>) -> Answering {
        self.answering.fetch_add(1, Ordering::Relaxed);
        Answering(Arc::clone(self))
    }

    /// Records the arrival of bytes.
    fn heard(&self) {
        if self.answering.load(Ordering::Relaxed) == 0
            && self.head_since.load(Ordering::Relaxed) == NONE
        {
            self.head_since.store(self.now(), Ordering::Relaxed);
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(NONE - 1)
    }

    /// Completes once the connection has waited for too long. A missing rest of a head is detected at most a third of
    /// its timeout late.
    pub(super) async fn longer_than(&self, timeouts: Timeouts) {
        let pause = timeouts.head / 3;
        loop {
            if self.answering.load(Ordering::Relaxed) == 0 {
                let at = |since| self.opened + Duration::from_millis(since);
                let deadline = match self.head_since.load(Ordering::Relaxed) {
                    NONE => at(self.since.load(Ordering::Relaxed)) + timeouts.idle,
                    since => at(since) + timeouts.head - pause,
                };
                if deadline <= Instant::now() {
                    return;
                }
                tokio::time::sleep_until(deadline.min(Instant::now() + pause)).await;
            } else {
                tokio::time::sleep(pause).await;
            }
        }
    }
}

/// A connection whose received bytes are recorded.
pub(super) struct Heard<S> {
    stream: S,
    waiting: Arc<Waiting>,
}

impl<S> Heard<S> {
    pub(super) fn new(stream: S, waiting: Arc<Waiting>) -> Self {
        Self { stream, waiting }
    }

    pub(super) fn into_inner(self) -> S {
        self.stream
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Heard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.waiting.heard();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Heard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A request being answered, until dropped.
#[derive(Debug)]
pub(super) struct Answering(Arc<Waiting>);

impl Answering {
    /// Wraps a body whose end is the end of the response.
    pub(super) fn until_end_of(self, body: Body) -> Answer {
        Answer {
            body,
            _answering: self,
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.since.store(self.0.now(), Ordering::Relaxed);
        self.0.head_since.store(NONE, Ordering::Relaxed);
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of a response.
pub(super) struct Answer {
    body: Body,
    _answering: Answering,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures::FutureExt;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(75);
    const TIMEOUTS: Timeouts = Timeouts {
        idle: TIMEOUT,
        head: Duration::from_secs(15),
    };
    const NEARLY: Duration = Duration::from_secs(74);
    const MOMENT: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn the_wait_begins_with_the_connection_and_again_with_each_answers_end() {
        let waiting = Arc::new(Waiting::new());
        let mut wait = pin!(waiting.longer_than(TIMEOUTS));
        tokio::time::sleep(NEARLY).await;
        assert!(wait.as_mut().now_or_never().is_none());

        let answering = waiting.answer();
        tokio::time::sleep(10 * TIMEOUT).await;
        assert!(
            wait.as_mut().now_or_never().is_none(),
            "a long answer is no wait"
        );

        let body = answering.until_end_of(Body::empty());
        tokio::time::sleep(TIMEOUT).await;
        assert!(
            wait.as_mut().now_or_never().is_none(),
            "its body is being sent"
        );
        drop(body);
        tokio::time::sleep(NEARLY).await;
        assert!(wait.as_mut().now_or_never().is_none());
        tokio::time::sleep(2 * MOMENT).await;
        assert!(wait.now_or_never().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_is_awaited_for_fifteen_seconds_at_most_from_its_first_byte() {
        let waiting = Arc::new(Waiting::new());
        let mut wait = pin!(waiting.longer_than(TIMEOUTS));
        tokio::time::sleep(NEARLY / 2).await;
        waiting.heard();
        drop(waiting.answer());
        // The request was answered, so the bytes of its head are not the beginning of the next head.
        tokio::time::sleep(NEARLY).await;
        assert!(wait.as_mut().now_or_never().is_none());

        let waiting = Arc::new(Waiting::new());
        tokio::time::sleep(NEARLY / 2).await;
        waiting.heard();
        let begun = Instant::now();
        waiting.longer_than(TIMEOUTS).await;
        let waited = begun.elapsed();
        assert!(
            waited <= TIMEOUTS.head && waited >= TIMEOUTS.head / 2,
            "{waited:?}"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn the_last_of_several_requests_ends_last() {
        let waiting = Arc::new(Waiting::new());
        let (one, other) = (waiting.answer(), waiting.answer());
        drop(one);
        let mut wait = pin!(waiting.longer_than(TIMEOUTS));
        tokio::time::sleep(10 * TIMEOUT).await;
        assert!(wait.as_mut().now_or_never().is_none());
        drop(other);
        tokio::time::sleep(TIMEOUT + MOMENT).await;
        assert!(wait.now_or_never().is_some());
    }
}

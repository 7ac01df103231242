//! Timeout of HTTP/1 connections that wait for a request head. hyper's own timeout creates and drops a timer for each
//! request; this one uses a single timer per connection, which checks the end time of the last response.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::Instant;

/// Value of `since` while a response is being sent.
const ANSWERING: u64 = u64::MAX;

/// The time since which a connection has been waiting for a head.
#[derive(Debug)]
pub(super) struct Waiting {
    opened: Instant,
    /// Milliseconds from `opened` to the end of the last response.
    since: AtomicU64,
}

impl Waiting {
    /// Creates the state of a new connection.
    pub(super) fn new() -> Self {
        Self {
            opened: Instant::now(),
            since: AtomicU64::new(0),
        }
    }

    /// Records the arrival of a head. The connection waits for the next head once the returned value is dropped.
    pub(super) fn answer(self: &Arc<Self>) -> Answering {
        self.since.store(ANSWERING, Ordering::Relaxed);
        Answering(Arc::clone(self))
    }

    /// Completes once the connection has waited for a head for `timeout`.
    pub(super) async fn longer_than(&self, timeout: Duration) {
        loop {
            let now = Instant::now();
            let deadline = match self.since.load(Ordering::Relaxed) {
                ANSWERING => now + timeout,
                since => self.opened + Duration::from_millis(since) + timeout,
            };
            if deadline <= now {
                return;
            }
            tokio::time::sleep_until(deadline).await;
        }
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
        let waited = self.0.opened.elapsed().as_millis();
        let since = u64::try_from(waited).unwrap_or(ANSWERING - 1);
        self.0.since.store(since, Ordering::Relaxed);
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
    const NEARLY: Duration = Duration::from_secs(74);
    const MOMENT: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn the_wait_begins_with_the_connection_and_again_with_each_answers_end() {
        let waiting = Arc::new(Waiting::new());
        let mut wait = pin!(waiting.longer_than(TIMEOUT));
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
}

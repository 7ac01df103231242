//! A request body that can be read again from the beginning.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tonic::{Status, body::Body};

/// The maximum number of body bytes kept for another attempt; a longer body, such as an import's stream, is sent once.
const MAX_KEPT: usize = 64 * 1024;

/// An attempt's view of a body that all attempts share; a clone is the view of the next attempt.
pub(super) struct Repeatable {
    source: Arc<Mutex<Source>>,
    /// The number of the attempt; reads of earlier attempts are refused.
    turn: u32,
    /// The number of parts read by this attempt.
    at: usize,
}

struct Source {
    body: Body,
    turn: u32,
    /// The parts of the body read so far.
    kept: Vec<Bytes>,
    size: usize,
    touched: bool,
    whole: bool,
}

impl Repeatable {
    pub(super) fn new(body: Body) -> Self {
        let source = Source {
            body,
            turn: 0,
            kept: Vec::new(),
            size: 0,
            touched: false,
            whole: true,
        };
        Self {
            source: Arc::new(Mutex::new(source)),
            turn: 0,
            at: 0,
        }
    }

    /// Whether no part of the body has been read.
    pub(super) fn is_untouched(&self) -> bool {
        !self.source().touched
    }

    /// Whether all parts that were read are kept.
    pub(super) fn is_whole(&self) -> bool {
        self.source().whole
    }

    fn source(&self) -> MutexGuard<'_, Source> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Repeatable {
    fn clone(&self) -> Self {
        Self {
            source: Arc::clone(&self.source),
            turn: self.turn + 1,
            at: 0,
        }
    }
}

impl Source {
    /// Keeps a part of the body, or drops all parts if they exceed the limit.
    fn keep(&mut self, part: &Bytes) {
        self.size += part.len();
        if self.whole && self.size <= MAX_KEPT {
            self.kept.push(part.clone());
        } else {
            self.loses();
        }
    }

    fn loses(&mut self) {
        self.whole = false;
        self.kept = Vec::new();
    }
}

impl http_body::Body for Repeatable {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let (turn, at) = (self.turn, self.at);
        let shared = Arc::clone(&self.source);
        let mut source = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if turn < source.turn {
            return Poll::Ready(Some(Err(Status::cancelled("the request was sent again"))));
        }
        source.turn = turn;
        source.touched = true;
        if let Some(part) = source.kept.get(at) {
            self.at += 1;
            return Poll::Ready(Some(Ok(Frame::data(part.clone()))));
        }
        let polled = Pin::new(&mut source.body).poll_frame(cx);
        match &polled {
            Poll::Ready(None) => {}
            Poll::Ready(Some(Ok(frame))) if let Some(part) = frame.data_ref() => {
                source.keep(part);
                self.at += 1;
            }
            // Only data that is immediately available can be read twice; the waker of a pending stream belongs to a
            // single reader.
            Poll::Ready(Some(_)) | Poll::Pending => source.loses(),
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        let source = self.source();
        self.at >= source.kept.len() && http_body::Body::is_end_stream(&source.body)
    }

    fn size_hint(&self) -> SizeHint {
        let source = self.source();
        if source.touched {
            SizeHint::default()
        } else {
            http_body::Body::size_hint(&source.body)
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::{FutureExt, StreamExt, stream};
    use http_body_util::{BodyExt, StreamBody};

    use super::*;

    fn body(parts: Vec<Bytes>) -> Repeatable {
        let frames = stream::iter(parts).map(|part| Ok::<_, Status>(Frame::data(part)));
        Repeatable::new(Body::new(StreamBody::new(frames)))
    }

    fn read(body: Repeatable) -> Result<Bytes, Status> {
        let read = body.collect().now_or_never();
        read.expect("is ready")
            .map(http_body_util::Collected::to_bytes)
    }

    #[test]
    fn each_attempt_reads_it_from_its_beginning() {
        let first = body(vec!["one ".into(), "two".into()]);
        assert!(first.is_untouched());
        let second = first.clone();
        let third = second.clone();
        for attempt in [first, second, third] {
            assert!(attempt.is_whole());
            assert_eq!(read(attempt).expect("reads"), "one two");
        }
    }

    #[test]
    fn an_attempt_that_broke_off_takes_nothing_from_the_next() {
        let mut first = body(vec!["one ".into(), "two".into()]);
        let second = first.clone();
        let frame = first.frame().now_or_never().expect("is ready");
        assert!(frame.expect("a part").is_ok());
        assert!(!second.is_untouched() && second.is_whole());
        let third = second.clone();
        assert_eq!(read(second).expect("reads"), "one two");
        read(first).expect_err("its turn is over");
        assert_eq!(read(third).expect("reads"), "one two");
    }

    #[test]
    fn a_long_body_is_not_kept() {
        let first = body(vec![vec![0; MAX_KEPT].into(), "one more".into()]);
        let second = first.clone();
        assert_eq!(read(first).expect("reads").len(), MAX_KEPT + 8);
        assert!(!second.is_whole());
    }

    #[test]
    fn a_body_that_waits_for_its_sender_is_not_kept() {
        let part = stream::iter([Ok::<_, Status>(Frame::data(Bytes::from("one")))]);
        let waiting = part.chain(stream::pending());
        let mut first = Repeatable::new(Body::new(StreamBody::new(waiting)));
        let second = first.clone();
        let frame = first.frame().now_or_never().expect("is ready");
        assert!(frame.expect("a part").is_ok() && second.is_whole());
        assert!(first.frame().now_or_never().is_none());
        assert!(!second.is_whole());
    }
}

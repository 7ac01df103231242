//! Request bodies that are unread when the response is ready, because the request was rejected. HTTP/1 cannot continue
//! with the next request before the end of the body: a small body is read and dropped; otherwise the response announces
//! that the connection closes (RFC 9112, section 9.3).

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{body::Body, extract::Request, response::Response};
use bytes::Bytes;
use http::{
    HeaderValue,
    header::{CONNECTION, EXPECT},
};
use http_body::{Body as HttpBody, Frame, SizeHint};
use http_body_util::{BodyExt, Limited};

/// Maximum number of bytes that are read and dropped.
const MAX_BYTES: usize = 64 * 1024;
/// Maximum wait for these bytes. A client that sends head and body separately sends the body immediately.
const TIMEOUT: Duration = Duration::from_millis(250);

/// Shared place for a body that its reader has dropped before its end.
type Place = Arc<Mutex<Option<Body>>>;

/// A possibly unread request body.
pub(super) struct Unread {
    place: Place,
    /// Whether the client waits for `100 Continue`: it has not sent the body yet, and reading would request it.
    is_held_back: bool,
}

/// A body that is put back if it is dropped before its end.
struct Watched {
    body: Option<Body>,
    place: Place,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let polled = Pin::new(body).poll_frame(context);
        if let Poll::Ready(None | Some(Err(_))) = polled {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let body = self.body.take().filter(|body| !body.is_end_stream());
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = body;
    }
}

/// Wraps the request's body, if it has one, to detect whether it is read.
pub(super) fn watched(request: Request) -> (Request, Option<Unread>) {
    if request.body().is_end_stream() {
        return (request, None);
    }
    let unread = Unread {
        place: Place::default(),
        is_held_back: request.headers().contains_key(EXPECT),
    };
    let place = Arc::clone(&unread.place);
    let watched = |body| {
        Body::new(Watched {
            body: Some(body),
            place,
        })
    };
    (request.map(watched), Some(unread))
}

/// Reads an unread body to its end, or makes the response announce that the connection closes.
pub(super) async fn settle(unread: Option<Unread>, response: &mut Response) {
    let Some(unread) = unread else { return };
    let Some(body) = unread.take() else { return };
    if unread.is_held_back || !is_read(body).await {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
}

impl Unread {
    fn take(&self) -> Option<Body> {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        place.take()
    }
}

/// Reads a body to its end, if it is small. Returns whether the end was reached.
async fn is_read(body: Body) -> bool {
    if body.size_hint().lower() > MAX_BYTES as u64 {
        return false;
    }
    let rest = Limited::new(body, MAX_BYTES).collect();
    matches!(tokio::time::timeout(TIMEOUT, rest).await, Ok(Ok(_)))
}

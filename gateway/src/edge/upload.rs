//! Uploads (`multipart/form-data`, RFC 7578). The file is streamed into a temporary blob and is never completely in
//! memory. Texts, parts, bytes, time and the number of uploads are limited.

mod slots;
mod whole;

use std::{
    collections::BTreeMap,
    mem,
    task::Poll,
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{
        FromRequest, Multipart, Request,
        multipart::{Field, MultipartError},
    },
};
use bytes::Bytes;
use chassis::{
    blobs::{Blobs, NotReceived},
    call::{Call, Caller},
    entropy::{self, SharedEntropy},
};
use futures::{Stream, StreamExt, stream};
use http::{Method, StatusCode, header::CONTENT_TYPE};
use pictures::MAX_BYTES;
use uuid::Uuid;

use self::slots::Slots;
use super::{error::ApiError, session::Reader};
use crate::services::Clients;

/// Timeout of the service call that processes a received file, possibly concurrently with many others.
const WORK: Duration = Duration::from_secs(20);
/// Maximum number of bytes in a text field.
const MAX_TEXT: usize = 16 * 1024;
/// Maximum number of parts in a form.
const MAX_PARTS: usize = 16;

/// Whether a request uploads a file and therefore has a later deadline.
pub(crate) fn is_upload(request: &Request) -> bool {
    let path = request.uri().path();
    let known = [
        "/api/v2/photos/",
        "/api/v2/profiles/me/avatar",
        "/api/v2/profiles/me/takeout",
    ];
    let is_known = known.into_iter().any(|known| path.starts_with(known));
    request.method() == Method::POST && is_known && is_form(request)
}

fn is_form(request: &Request) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("multipart/form-data")
}

/// Receives uploads. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Uploads {
    blobs: Blobs,
    entropy: SharedEntropy,
    slots: Slots,
    timeouts: Timeouts,
}

/// Timeouts of uploads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// Maximum duration of an upload.
    pub(crate) whole: Duration,
    /// Maximum wait for the next bytes.
    pub(crate) stalled: Duration,
}

/// A complete upload, whose reader is still signed in.
#[derive(Debug)]
pub(crate) struct Upload {
    pub(crate) reader: Reader,
    /// The reader's name.
    pub(crate) full_name: String,
    pub(crate) form: Uploaded,
}

/// A form with a received file.
#[derive(Debug)]
pub(crate) struct Uploaded {
    /// The file, as a temporary blob that the service consumes.
    pub(crate) blob: Uuid,
    texts: BTreeMap<String, String>,
}

impl Uploaded {
    /// Returns a text of the form; empty if it has no such field.
    pub(crate) fn text(&mut self, name: &str) -> String {
        self.texts.remove(name).unwrap_or_default()
    }
}

/// The unread body of an upload.
#[derive(Debug)]
pub(crate) struct Form(Multipart);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if !is_form(&request) {
            return Err(ApiError::no_form());
        }
        let form = Multipart::from_request(request.map(one_by_one), state).await;
        form.map(Self)
            .map_err(|_| ApiError::malformed("The form has no boundary."))
    }
}

/// Yields the body one chunk at a time. The multipart reader reads all available chunks before it processes them, so a
/// fast client could fill megabytes of memory.
fn one_by_one(body: Body) -> Body {
    let mut pieces = body.into_data_stream();
    let mut has_given = false;
    Body::from_stream(stream::poll_fn(move |context| {
        if mem::take(&mut has_given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = pieces.poll_next_unpin(context);
        has_given = next.is_ready();
        next
    }))
}

impl Uploads {
    /// Receives files into these blobs, at most `most` concurrently.
    pub(crate) fn new(
        blobs: Blobs,
        entropy: SharedEntropy,
        most: usize,
        timeouts: Timeouts,
    ) -> Self {
        Self {
            blobs,
            entropy,
            slots: Slots::new(most),
            timeouts,
        }
    }

    /// Returns the deadline of an upload.
    pub(crate) fn deadline(&self, begun: Instant) -> Instant {
        begun + self.timeouts.whole
    }

    /// Receives a reader's form with one file, in the field `file`, and authenticates the reader again. The file of an
    /// interrupted or rejected form is discarded.
    pub(crate) async fn receive(
        &self,
        reader: Reader,
        services: &Clients,
        form: Form,
        file: &'static str,
    ) -> Result<Upload, ApiError> {
        let form = self.read(reader.profile_id, form, file).await?;
        let named = async {
            let reader = reader.still_signed_in(services).await?;
            let full_name = reader.profile(services).await?.full_name;
            Ok((reader, full_name))
        };
        match named.await {
            Ok((reader, full_name)) => Ok(Upload {
                reader,
                full_name,
                form,
            }),
            Err(error) => {
                self.discard(form).await;
                Err(error)
            }
        }
    }

    async fn read(
        &self,
        account: i64,
        Form(mut form): Form,
        file: &'static str,
    ) -> Result<Uploaded, ApiError> {
        let _slot = self.slots.take(account)?;
        let mut received = Received {
            blobs: &self.blobs,
            blob: None,
        };
        let mut texts = BTreeMap::new();
        for _ in 0..MAX_PARTS {
            let Some(part) = self.in_time(form.next_field()).await? else {
                let blob = received.blob.take();
                let none = || ApiError::field(file, "No file was submitted.");
                return Ok(Uploaded {
                    blob: blob.ok_or_else(none)?,
                    texts,
                });
            };
            let name = part.name().unwrap_or_default().to_owned();
            let outcome = if name == file && received.blob.is_none() {
                self.file(part, file, &mut received).await
            } else {
                self.text(part, &name).await.map(|text| {
                    texts.insert(name, text);
                })
            };
            if let Err(error) = outcome {
                received.discard().await;
                return Err(error);
            }
        }
        received.discard().await;
        Err(ApiError::malformed("The form has too many parts."))
    }

    /// Returns the context of the call that processes a received file. Its timeout starts after the upload.
    pub(crate) fn call(account: i64) -> Call {
        Call::new(Caller::Reader(account), WORK)
    }

    /// Discards an unused file.
    pub(crate) async fn discard(&self, uploaded: Uploaded) {
        let received = Received {
            blobs: &self.blobs,
            blob: Some(uploaded.blob),
        };
        received.discard().await;
    }

    async fn file(
        &self,
        part: Field<'_>,
        name: &str,
        received: &mut Received<'_>,
    ) -> Result<(), ApiError> {
        let id = entropy::uuid(self.entropy.as_ref());
        let content = Box::pin(chunks(part, self.timeouts.stalled));
        match self.blobs.receive(id, content, MAX_BYTES).await {
            Ok(0) => {
                received.blob = Some(id);
                Err(ApiError::field(name, "The submitted file is empty."))
            }
            Ok(_) => {
                received.blob = Some(id);
                Ok(())
            }
            Err(NotReceived::TooLarge(most)) => {
                let message = format!(
                    "The picture’s file is too large: it may have {} MiB.",
                    most >> 20
                );
                Err(ApiError::file_too_large(name, message))
            }
            Err(NotReceived::Broken(why)) if why == TIMED_OUT => Err(ApiError::body_timeout()),
            Err(NotReceived::Broken(_)) => Err(broken()),
            Err(NotReceived::Store(fault)) => Err(fault.into()),
        }
    }

    /// Reads a text field.
    async fn text(&self, mut part: Field<'_>, name: &str) -> Result<String, ApiError> {
        let mut text = Vec::new();
        while let Some(chunk) = self.in_time(part.chunk()).await? {
            if text.len() + chunk.len() > MAX_TEXT {
                return Err(ApiError::field(name, "This text is too long."));
            }
            text.extend_from_slice(&chunk);
        }
        String::from_utf8(text).map_err(|_| ApiError::field(name, "Not a valid string."))
    }

    async fn in_time<T>(
        &self,
        next: impl Future<Output = Result<T, MultipartError>>,
    ) -> Result<T, ApiError> {
        let next = tokio::time::timeout(self.timeouts.stalled, next).await;
        let next = next.map_err(|_| ApiError::body_timeout())?;
        next.map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(),
            _ => broken(),
        })
    }
}

/// The file of a form while the form is being read.
struct Received<'a> {
    blobs: &'a Blobs,
    blob: Option<Uuid>,
}

impl Received<'_> {
    /// Discards the file. If this fails, or if the client disconnects, an hourly job discards it.
    async fn discard(self) {
        if let Some(blob) = self.blob
            && let Err(fault) = self.blobs.discard_incoming(blob).await
        {
            tracing::warn!(%fault, "a received file was not discarded");
        }
    }
}

/// Error of a stream that has stalled.
const TIMED_OUT: &str = "no bytes came in time";

/// Streams a part's bytes; fails if they stall.
fn chunks(part: Field<'_>, stalled: Duration) -> impl Stream<Item = Result<Bytes, String>> + '_ {
    stream::try_unfold(part, move |mut part| async move {
        let next = tokio::time::timeout(stalled, part.chunk()).await;
        let next = next.map_err(|_| TIMED_OUT.to_owned())?;
        let next = next.map_err(|error| error.to_string())?;
        Ok(next.map(|chunk| (chunk, part)))
    })
}

fn broken() -> ApiError {
    ApiError::malformed("The form is malformed or broke off.")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chassis::entropy::OsEntropy;

    use super::*;

    fn uploads(folder: &tempfile::TempDir, most: usize) -> Uploads {
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let timeouts = Timeouts {
            whole: Duration::from_mins(1),
            stalled: Duration::from_millis(50),
        };
        Uploads::new(blobs, Arc::new(OsEntropy), most, timeouts)
    }

    /// Sends a form with this body and returns the received form or the error.
    async fn send(uploads: &Uploads, body: Body) -> Result<Uploaded, ApiError> {
        let request = Request::post("/api/v2/photos/")
            .header(CONTENT_TYPE, "multipart/form-data; boundary=b")
            .body(body)
            .expect("a request");
        let form = Form::from_request(request, &()).await?;
        uploads.read(1, form, "image").await
    }

    #[tokio::test]
    async fn a_body_gives_one_piece_at_a_time_however_many_are_there() {
        let pieces = ["a", "b", "c"].map(Ok::<_, std::io::Error>);
        let body = one_by_one(Body::from_stream(stream::iter(pieces)));
        let mut body = body.into_data_stream();
        let mut given = Vec::new();
        loop {
            match futures::poll!(body.next()) {
                Poll::Ready(Some(piece)) => given.push(piece.expect("a piece")),
                Poll::Ready(None) => break,
                Poll::Pending => given.push("-".into()),
            }
        }
        assert_eq!(given, ["a", "-", "b", "-", "c", "-"]);
    }

    fn part(name: &str, content: &str) -> String {
        format!("--b\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n")
    }

    #[tokio::test]
    async fn a_form_has_its_texts_and_its_file_in_any_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let uploads = uploads(&folder, 9);
        let form = [part("image", "a picture"), part("listing", "7")].concat() + "--b--\r\n";
        let mut uploaded = send(&uploads, form.into()).await.expect("received");
        assert_eq!(
            (uploaded.text("listing"), uploaded.text("credit")),
            ("7".to_owned(), String::new())
        );
        let blob = uploads
            .blobs
            .read_incoming(uploaded.blob)
            .await
            .expect("answers");
        assert_eq!(blob.expect("there").size, 9);
        uploads.discard(uploaded).await;
        let entries = std::fs::read_dir(folder.path().join("incoming")).expect("a folder");
        assert_eq!(entries.count(), 0);
    }

    #[tokio::test]
    async fn a_form_that_is_refused_breaks_off_or_stalls_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let uploads = uploads(&folder, 9);
        let image = part("image", "a picture");
        let long = part("credit", &"c".repeat(MAX_TEXT + 1));
        let many = part("credit", "c").repeat(MAX_PARTS);
        for (body, status) in [
            (part("listing", "7") + "--b--\r\n", 400),
            (part("image", "") + "--b--\r\n", 400),
            (image.clone() + &long + "--b--\r\n", 400),
            (image.clone() + &many + "--b--\r\n", 400),
            (image.clone(), 400),
            ("no form".to_owned(), 400),
        ] {
            let refused = send(&uploads, body.into()).await.expect_err("refused");
            assert_eq!(refused.status().as_u16(), status);
        }
        for begun in [image.clone(), image[..image.len() - 4].to_owned()] {
            let body = stream::iter([Ok::<_, std::io::Error>(begun)]);
            let body = Body::from_stream(body.chain(stream::pending()));
            let refused = send(&uploads, body).await.expect_err("stalled");
            assert_eq!(refused.status().as_u16(), 408);
        }
        let left = std::fs::read_dir(folder.path().join("incoming"));
        assert_eq!(left.map_or(0, Iterator::count), 0);
    }
}

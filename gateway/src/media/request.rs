//! Responses with a picture from memory or from the store.

use std::ops::Range;

use axum::{
    body::Body,
    extract::{FromRef, FromRequestParts},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chassis::blobs::Content;
use futures::{StreamExt, TryStreamExt, stream};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{
        ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
        CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
    },
    request::Parts,
};
use http_range_header::{EndPosition, StartPosition};

use super::hot::{Found, HotPictures};
use crate::edge::{
    error::ApiError,
    limits::{Client, Limits},
};

/// Prevents a picture opened as a page from running scripts, regardless of its content.
pub(super) const SEALED: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
const BYTES: HeaderValue = HeaderValue::from_static("bytes");

/// The parts of a request that a picture's response depends on.
pub(super) struct PictureRequest {
    pictures: HotPictures,
    limits: Limits,
    client: Client,
    pub(super) headers: HeaderMap,
}

impl<S> FromRequestParts<S> for PictureRequest
where
    HotPictures: FromRef<S>,
    Limits: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Ok(Self {
            pictures: HotPictures::from_ref(state),
            limits: Limits::from_ref(state),
            client: Client::from_request_parts(parts, state).await?,
            headers: parts.headers.clone(),
        })
    }
}

impl PictureRequest {
    /// Serves a blob or a range of it (RFC 9110, section 14). A read of the store is counted for the client; 429 if the
    /// limit is exceeded.
    pub(super) async fn serve(
        &self,
        key: &str,
        content_type: &'static str,
        cache_control: HeaderValue,
    ) -> Result<Response, ApiError> {
        // The content of an address never changes, so the key is a strong tag.
        let tag = format!("\"{key}\"");
        let kept = if let Some(found) = self.pictures.recall(key).await {
            Some(found.ok_or_else(ApiError::not_found)?)
        } else {
            self.client.count_read(&self.limits).await?;
            None
        };
        let range = match self.range(&tag) {
            Some(range) => {
                let size = match &kept {
                    Some(content) => Some(content.len() as u64),
                    None => self.pictures.size(key).await?,
                };
                let size = size.ok_or_else(ApiError::not_found)?;
                match wanted(range, size) {
                    Wanted::Beyond => return Ok(beyond(size)),
                    Wanted::Part(range) => Some(range),
                    Wanted::Whole => None,
                }
            }
            None => None,
        };
        let is_part = range.is_some();
        let found = match (range, kept) {
            (None, Some(content)) => Some(Found::Kept(content)),
            (None, None) => self.pictures.find(key).await?,
            (Some(range), Some(content)) => Some(part_of(&content, range)),
            (Some(range), None) => self.pictures.part(key, range).await?,
        };
        let mut response = match found.ok_or_else(ApiError::not_found)? {
            Found::Kept(_) if self.holds(&tag) => StatusCode::NOT_MODIFIED.into_response(),
            Found::Kept(content) => whole(content),
            Found::Streamed(content) => streamed(content, is_part),
        };
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, cache_control);
        headers.insert(CONTENT_SECURITY_POLICY, SEALED);
        headers.insert(ACCEPT_RANGES, BYTES);
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(ETAG, tag);
        }
        Ok(response)
    }

    /// A request to these blobs, at a limit of reads.
    #[cfg(test)]
    pub(super) fn to(blobs: chassis::blobs::Blobs, reads: &str) -> Self {
        let clock: chassis::clock::SharedClock = testkit::clock::ManualClock::shared();
        Self {
            pictures: HotPictures::new(blobs, 1 << 20, std::sync::Arc::clone(&clock)),
            limits: Limits::with_reads(reads, &clock),
            client: Client::new("203.0.113.1"),
            headers: HeaderMap::new(),
        }
    }

    /// Returns the requested range, unless it is meant for another version.
    fn range(&self, tag: &str) -> Option<&HeaderValue> {
        let range = self.headers.get(RANGE)?;
        let is_of_this = |held: &HeaderValue| held == tag;
        self.headers
            .get(IF_RANGE)
            .is_none_or(is_of_this)
            .then_some(range)
    }

    /// Whether the client has cached the content with this tag.
    fn holds(&self, tag: &str) -> bool {
        let held = self.headers.get_all(IF_NONE_MATCH).iter();
        let mut held = held.filter_map(|value| value.to_str().ok());
        held.any(|value| {
            let mut tags = value.split(',').map(str::trim);
            tags.any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
        })
    }
}

/// Returns a range of a file in memory, within its size.
fn part_of(content: &Bytes, range: Range<u64>) -> Found {
    let place =
        |offset: u64| usize::try_from(offset).map_or(content.len(), |at| at.min(content.len()));
    let part = content.slice(place(range.start)..place(range.end));
    Found::Streamed(Content {
        size: content.len() as u64,
        range,
        parts: stream::once(async { Ok(part) }).boxed(),
    })
}

fn whole(content: Bytes) -> Response {
    let length = HeaderValue::from(content.len());
    let mut response = Body::from(content).into_response();
    response.headers_mut().insert(CONTENT_LENGTH, length);
    response
}

fn streamed(content: Content, is_part: bool) -> Response {
    let Content { size, range, parts } = content;
    let length = HeaderValue::from(range.end.saturating_sub(range.start));
    let body = Body::from_stream(parts.map_err(|fault| {
        tracing::warn!(%fault, "streaming a picture failed");
        fault
    }));
    let mut response = body.into_response();
    response.headers_mut().insert(CONTENT_LENGTH, length);
    if is_part {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        let last = range.end.saturating_sub(1);
        let content_range = format!("bytes {}-{last}/{size}", range.start);
        if let Ok(content_range) = HeaderValue::from_str(&content_range) {
            response.headers_mut().insert(CONTENT_RANGE, content_range);
        }
    }
    response
}

/// 416: the range begins after the end.
fn beyond(size: u64) -> Response {
    let content_range = [(CONTENT_RANGE, format!("bytes */{size}"))];
    (StatusCode::RANGE_NOT_SATISFIABLE, content_range).into_response()
}

/// The result of parsing a `Range` header.
enum Wanted {
    Part(Range<u64>),
    /// Everything: the header is not supported or requests several ranges (RFC 9110, section 14.2).
    Whole,
    /// A range outside the blob.
    Beyond,
}

fn wanted(header: &HeaderValue, size: u64) -> Wanted {
    let parsed = header
        .to_str()
        .ok()
        .map(http_range_header::parse_range_header);
    let Some(Ok(ranges)) = parsed else {
        return Wanted::Whole;
    };
    let [one] = ranges.ranges.as_slice() else {
        return Wanted::Whole;
    };
    match (ranges.validate(size).as_deref(), one.start, one.end) {
        (Ok([range]), ..) => Wanted::Part(*range.start()..range.end().saturating_add(1)),
        // A range whose end precedes its start is invalid.
        (_, StartPosition::Index(start), EndPosition::Index(end)) if end < start => Wanted::Whole,
        _ => Wanted::Beyond,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use chassis::blobs::{self, Blobs};

    use super::*;

    /// A folder's blobs, and a request to them at a limit of reads.
    fn pictures(folder: &tempfile::TempDir, reads: &str) -> (Blobs, PictureRequest) {
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let request = PictureRequest::to(blobs.clone(), reads);
        (blobs, request)
    }

    async fn serve(request: &PictureRequest, key: &str) -> Result<Response, StatusCode> {
        let cached = HeaderValue::from_static("public");
        let served = request.serve(key, "image/png", cached).await;
        served.map_err(|error| error.status())
    }

    #[tokio::test]
    async fn a_range_is_answered_alone_and_anything_else_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let (blobs, mut request) = pictures(&folder, "1000/min");
        let key = blobs::key_of(b"0123456789", "png");
        blobs.keep(&key, "0123456789".into()).await.expect("kept");
        let mut ask = async |headers: &[(&'static str, &str)]| {
            request.headers.clear();
            for (name, value) in headers {
                let value = HeaderValue::from_str(value).expect("a value");
                request.headers.insert(*name, value);
            }
            let answer = serve(&request, &key).await.expect("served");
            let (head, body) = answer.into_parts();
            let header = |name| {
                head.headers
                    .get(name)
                    .map(|value| value.to_str().expect("text").to_owned())
            };
            let (range, length) = (header(CONTENT_RANGE), header(CONTENT_LENGTH));
            let body = to_bytes(body, 100).await.expect("a body");
            assert!(length.is_none_or(|length| length == body.len().to_string()));
            (head.status.as_u16(), range, body)
        };
        let whole = (200, None, "0123456789".into());
        let part =
            |range: &str, body: &'static str| (206, Some(format!("bytes {range}/10")), body.into());
        // The first range is read from the store, and the later ones while the file is in memory.
        assert_eq!(ask(&[("range", "bytes=2-4")]).await, part("2-4", "234"));
        assert_eq!(ask(&[]).await, whole);
        assert_eq!(ask(&[("range", "bytes=2-4")]).await, part("2-4", "234"));
        assert_eq!(
            ask(&[("range", "bytes=0-")]).await,
            part("0-9", "0123456789")
        );
        assert_eq!(ask(&[("range", "bytes=8-")]).await, part("8-9", "89"));
        assert_eq!(ask(&[("range", "bytes=-3")]).await, part("7-9", "789"));
        for odd in ["bytes=a-b", "bytes=1-2,4-5", "pages=1-2", "bytes=5-2"] {
            assert_eq!(ask(&[("range", odd)]).await, whole, "{odd}");
        }
        let (status, range, _) = ask(&[("range", "bytes=10-12")]).await;
        assert_eq!((status, range), (416, Some("bytes */10".to_owned())));
        let tag = format!("\"{key}\"");
        let held = [("range", "bytes=0-0"), ("if-range", tag.as_str())];
        assert_eq!(ask(&held).await, part("0-0", "0"));
        let other = [("range", "bytes=0-0"), ("if-range", "\"other\"")];
        assert_eq!(ask(&other).await, whole);
    }

    #[tokio::test]
    async fn reads_of_the_store_are_limited_and_files_in_memory_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let (blobs, mut request) = pictures(&folder, "3/min");
        blobs.keep("a", "small".into()).await.expect("kept");
        for _ in 0..10 {
            assert_eq!(serve(&request, "a").await.expect("served").status(), 200);
            let absent = serve(&request, "b").await;
            assert_eq!(absent.err(), Some(StatusCode::NOT_FOUND));
        }
        let range = HeaderValue::from_static("bytes=0-1");
        request.headers.insert(RANGE, range);
        let absent = serve(&request, "c").await;
        assert_eq!(absent.err(), Some(StatusCode::NOT_FOUND));
        for key in ["d", "e"] {
            let refused = serve(&request, key).await;
            assert_eq!(refused.err(), Some(StatusCode::TOO_MANY_REQUESTS));
        }
        for (key, status) in [("b", StatusCode::NOT_FOUND), ("c", StatusCode::NOT_FOUND)] {
            assert_eq!(serve(&request, key).await.err(), Some(status));
        }
    }

    #[test]
    fn a_held_picture_is_known_by_its_tag() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_, mut request) = pictures(&folder, "1/min");
        let mut holds = |value: &'static str| {
            let value = HeaderValue::from_static(value);
            request.headers.insert(IF_NONE_MATCH, value);
            request.holds("\"a\"")
        };
        assert!(holds("\"a\"") && holds("*") && holds("\"b\", W/\"a\""));
        assert!(!holds("\"b\"") && !holds("a"));
    }
}

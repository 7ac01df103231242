//! Pictures. Addresses of catalogue pictures contain a digest of their content; drawings are served as they are, other
//! pictures in several sizes. Readers' photos have signed addresses.

pub(crate) mod hot;
pub(crate) mod signed;

use std::{ops::Range, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{Path, RawQuery, State},
    response::{IntoResponse, Response},
    routing::get,
};
use bytes::Bytes;
use chassis::{
    blobs::{AddressSigner, Content},
    clock::SharedClock,
};
use futures::TryStreamExt;
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{
        ACCEPT, ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE,
        CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE, VARY,
    },
};
use http_range_header::{EndPosition, StartPosition};
use pictures::{CataloguePicture, Encoding, Size};
use site::LOGO_FOLDER;

use self::{
    hot::{Found, HotPictures},
    signed::PictureAddresses,
};
use crate::{
    catalogue::Catalogue,
    edge::{error::ApiError, security_headers::RESOURCE_POLICY},
    state::AppState,
};

/// Prevents a picture opened as a page from running scripts, regardless of its content.
const SEALED: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// For readers' photos: after a deletion, browsers and shared caches may keep them for this long.
const FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const NOT_KEPT: HeaderValue = HeaderValue::from_static("private, no-store");
/// Lets feed readers and other sites show public pictures.
const FOR_OTHERS: HeaderValue = HeaderValue::from_static("cross-origin");
const BYTES: HeaderValue = HeaderValue::from_static("bytes");

/// Routes below `/media/`.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/media/{key}", get(public))
        .route("/media/private/{key}", get(private))
        .route("/media/photos/{name}/{size}/{signature}", get(photo))
        .route("/media/pictures/{name}/{size}", get(sized))
        .route(&format!("{LOGO_FOLDER}{{key}}"), get(logo))
}

/// GET `/media/{digest}.{extension}`.
async fn public(
    State(pictures): State<HotPictures>,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let content_type = content_type(&key).ok_or_else(ApiError::not_found)?;
    let mut response = serve(&pictures, &key, content_type, FOR_EVER, &headers).await?;
    response.headers_mut().insert(RESOURCE_POLICY, FOR_OTHERS);
    Ok(response)
}

/// GET `/media/photos/{name}/{size}/{signature}`: a reader's photo, in the best encoding that the browser accepts. 403
/// for an address that the site has not signed.
async fn photo(
    State(pictures): State<HotPictures>,
    State(addresses): State<PictureAddresses>,
    Path((name, size, signature)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let size = Size::named(&size).filter(|size| addresses.allows(&name, size.name, &signature));
    let size = size.ok_or_else(ApiError::forged_address)?;
    let key = |encoding: Encoding| format!("photos/{name}/{}.{}", size.name, encoding.extension());
    negotiated(&pictures, key, FOR_AN_HOUR, &headers).await
}

/// GET `/media/pictures/{name}/{size}`: a catalogue picture in the best encoding that the browser accepts.
async fn sized(
    State(pictures): State<HotPictures>,
    Path((name, size)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let picture = CataloguePicture::named(&name).zip(CataloguePicture::size(&size));
    let (picture, size) = picture.ok_or_else(ApiError::not_found)?;
    let key = |encoding| picture.file(size, encoding);
    negotiated(&pictures, key, FOR_EVER, &headers).await
}

/// Serves a public picture that is stored in every encoding, in the best encoding that the browser accepts.
async fn negotiated(
    pictures: &HotPictures,
    key: impl Fn(Encoding) -> String,
    kept: HeaderValue,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let encoding = if takes_webp(headers) {
        Encoding::WebP
    } else {
        Encoding::Jpeg
    };
    let (key, media_type) = (key(encoding), encoding.media_type());
    let mut response = serve(pictures, &key, media_type, kept, headers).await?;
    let headers = response.headers_mut();
    headers.insert(RESOURCE_POLICY, FOR_OTHERS);
    headers.insert(VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Whether a browser accepts WebP by name. `*/*` is not enough, because some clients send it but support only JPEG.
fn takes_webp(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| {
        value.split(',').any(|range| {
            let mut parts = range.split(';').map(str::trim);
            let is_webp = parts
                .next()
                .is_some_and(|kind| kind.eq_ignore_ascii_case("image/webp"));
            is_webp && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
    })
}

/// GET `/media/logo/{digest}.{extension}`: the brand's logo, from the site's own files.
async fn logo(
    State(catalogue): State<Arc<Catalogue>>,
    Path(key): Path<String>,
) -> Result<Response, ApiError> {
    let logo = catalogue.site.logo.as_ref();
    let logo = logo.filter(|logo| logo.url.strip_prefix(LOGO_FOLDER) == Some(key.as_str()));
    let logo = logo.ok_or_else(ApiError::not_found)?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(logo.content_type)),
        (CACHE_CONTROL, FOR_EVER),
        (CONTENT_SECURITY_POLICY, SEALED),
        (RESOURCE_POLICY, FOR_OTHERS),
    ];
    Ok((headers, logo.content.clone()).into_response())
}

/// GET `/media/private/{digest}.{extension}?expires=…&signature=…`: a blob that only clients with its signed address
/// may read.
async fn private(
    State(pictures): State<HotPictures>,
    State(addresses): State<AddressSigner>,
    State(clock): State<SharedClock>,
    Path(key): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let content_type = content_type(&key).ok_or_else(ApiError::not_found)?;
    let key = format!("private/{key}");
    if !addresses.allows(&key, &query.unwrap_or_default(), clock.now()) {
        return Err(ApiError::not_found());
    }
    serve(&pictures, &key, content_type, NOT_KEPT, &headers).await
}

/// Serves a blob or a range of it (RFC 9110, section 14).
async fn serve(
    pictures: &HotPictures,
    key: &str,
    content_type: &'static str,
    cache_control: HeaderValue,
    request: &HeaderMap,
) -> Result<Response, ApiError> {
    // The content of an address never changes, so the key is a strong tag.
    let tag = format!("\"{key}\"");
    let range = match request.get(RANGE) {
        Some(range)
            if request
                .get(IF_RANGE)
                .is_none_or(|held| held == tag.as_str()) =>
        {
            let size = pictures
                .blobs()
                .size(key)
                .await?
                .ok_or_else(ApiError::not_found)?;
            match wanted(range, size) {
                Wanted::Beyond => return Ok(beyond(size)),
                Wanted::Part(range) => Some(range),
                Wanted::Whole => None,
            }
        }
        _ => None,
    };
    let mut response = match range {
        Some(range) => {
            let found = pictures.blobs().read(key, Some(range)).await?;
            stream(found.ok_or_else(ApiError::not_found)?, true)
        }
        None => match pictures.find(key).await?.ok_or_else(ApiError::not_found)? {
            Found::Kept(_) if holds(request, &tag) => StatusCode::NOT_MODIFIED.into_response(),
            Found::Kept(content) => whole(content),
            Found::Streamed(content) => stream(content, false),
        },
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

/// Whether the client has cached the content with this tag.
fn holds(request: &HeaderMap, tag: &str) -> bool {
    let held = request.get_all(IF_NONE_MATCH).iter();
    let mut held = held.filter_map(|value| value.to_str().ok());
    held.any(|value| {
        let mut tags = value.split(',').map(str::trim);
        tags.any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
    })
}

fn whole(content: Bytes) -> Response {
    let length = HeaderValue::from(content.len());
    let mut response = Body::from(content).into_response();
    response.headers_mut().insert(CONTENT_LENGTH, length);
    response
}

fn stream(content: Content, is_partial: bool) -> Response {
    let Content { size, range, parts } = content;
    let length = HeaderValue::from(range.end.saturating_sub(range.start));
    let body = Body::from_stream(parts.map_err(|fault| {
        tracing::warn!(%fault, "a picture broke off");
        fault
    }));
    let mut response = body.into_response();
    response.headers_mut().insert(CONTENT_LENGTH, length);
    if is_partial {
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

/// Returns the media type of a blob's key; `None` if the key is malformed.
fn content_type(key: &str) -> Option<&'static str> {
    let (digest, extension) = key.split_once('.')?;
    let is_digest = digest.len() == 32 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    match extension {
        _ if !is_digest => None,
        "svg" => Some("image/svg+xml"),
        "jpg" => Some("image/jpeg"),
        "png" => Some("image/png"),
        "webp" => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::to_bytes, extract::Request};
    use chassis::{blobs::Blobs, clock::SystemClock, keys::Keys};
    use chrono::TimeDelta;
    use tower::ServiceExt;

    use super::*;

    #[test]
    fn only_well_formed_keys_are_looked_up() {
        let digest = "0123456789abcdef0123456789abcdef";
        assert_eq!(
            content_type(&format!("{digest}.svg")),
            Some("image/svg+xml")
        );
        for key in [
            "../secret.svg",
            "a.svg",
            &format!("{digest}.html"),
            &format!("{digest}.svg.exe"),
        ] {
            assert_eq!(content_type(key), None, "{key}");
        }
    }

    #[tokio::test]
    async fn a_range_is_answered_alone_and_anything_else_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let key = chassis::blobs::key_of(b"0123456789", "png");
        let kept = blobs.keep(&key, "0123456789".into()).await;
        kept.expect("kept");
        let router = Router::new()
            .route("/media/{key}", get(public))
            .with_state(HotPictures::new(blobs, 1 << 20));
        let ask = async |headers: &[(&str, &str)]| {
            let mut request = Request::get(format!("/media/{key}"));
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(Body::empty()).expect("a request");
            let answer = router.clone().oneshot(request).await.expect("answers");
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
        assert_eq!(ask(&[]).await, whole);
        assert_eq!(ask(&[("range", "bytes=2-4")]).await, part("2-4", "234"));
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
    async fn a_private_blob_is_there_for_its_signed_address_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let name = chassis::blobs::key_of(b"0123456789", "png");
        let key = format!("private/{name}");
        let kept = blobs.keep(&key, "0123456789".into()).await;
        kept.expect("kept");
        let addresses = AddressSigner::new(&Keys::one(&[7; 32]));
        let clock: SharedClock = std::sync::Arc::new(SystemClock);
        let ask = async |path: String| {
            let private = private(
                State(HotPictures::new(blobs.clone(), 0)),
                State(addresses.clone()),
                State(clock.clone()),
                Path(name.clone()),
                RawQuery(Some(path)),
                HeaderMap::new(),
            );
            private
                .await
                .map(|answer| answer.headers()[CACHE_CONTROL].clone())
                .ok()
        };
        let until = |delta| addresses.query(&key, clock.now() + delta);
        assert_eq!(ask(until(TimeDelta::hours(1))).await, Some(NOT_KEPT));
        assert_eq!(ask(until(TimeDelta::hours(-1))).await, None);
        assert_eq!(ask(String::new()).await, None);
        // The route of public blobs does not serve it either.
        assert_eq!(content_type(&key), None);
    }

    #[test]
    fn webp_goes_to_browsers_that_name_it() {
        let takes = |accept: &str| {
            let mut headers = HeaderMap::new();
            let accept = HeaderValue::from_str(accept).expect("a value");
            headers.insert(ACCEPT, accept);
            takes_webp(&headers)
        };
        assert!(takes("image/avif,image/webp,image/apng,*/*;q=0.8"));
        assert!(takes("image/png, image/WebP;q=0.5"));
        for accept in ["*/*", "image/*", "image/jpeg", "image/webp;q=0, */*"] {
            assert!(!takes(accept), "{accept}");
        }
        assert!(!takes_webp(&HeaderMap::new()));
    }

    #[test]
    fn a_held_picture_is_known_by_its_tag() {
        let holds = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static(value));
            super::holds(&headers, "\"a\"")
        };
        assert!(holds("\"a\"") && holds("*") && holds("\"b\", W/\"a\""));
        assert!(!holds("\"b\"") && !holds("a"));
    }
}

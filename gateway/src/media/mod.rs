//! Pictures. Addresses of catalogue pictures contain a digest of their content; drawings are served as they are, other
//! pictures in several sizes. Readers' photos have signed addresses.

pub(crate) mod hot;
mod request;
pub(crate) mod signed;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, RawQuery, State},
    response::{IntoResponse, Response},
    routing::get,
};
use chassis::{blobs::AddressSigner, clock::SharedClock};
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY},
};
use pictures::{CataloguePicture, Encoding, Size};
use site::LOGO_FOLDER;

use self::{
    request::{PictureRequest, SEALED},
    signed::PictureAddresses,
};
use crate::{
    catalogue::Catalogue,
    edge::{error::ApiError, security_headers::RESOURCE_POLICY},
    state::AppState,
};

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// For readers' photos: browsers and shared caches may keep a photo for this long after it is deleted.
const FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
const NOT_KEPT: HeaderValue = HeaderValue::from_static("private, no-store");
/// Lets feed readers and other sites show public pictures.
const FOR_OTHERS: HeaderValue = HeaderValue::from_static("cross-origin");

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
async fn public(Path(key): Path<String>, request: PictureRequest) -> Result<Response, ApiError> {
    let content_type = content_type(&key).ok_or_else(ApiError::not_found)?;
    let mut response = request.serve(&key, content_type, FOR_EVER).await?;
    response.headers_mut().insert(RESOURCE_POLICY, FOR_OTHERS);
    Ok(response)
}

/// GET `/media/photos/{name}/{size}/{signature}`: a reader's photo, in the best encoding that the browser accepts. 403
/// for an address that the site has not signed.
async fn photo(
    State(addresses): State<PictureAddresses>,
    Path((name, size, signature)): Path<(String, String, String)>,
    request: PictureRequest,
) -> Result<Response, ApiError> {
    let size = Size::named(&size).filter(|size| addresses.allows(&name, size.name, &signature));
    let size = size.ok_or_else(ApiError::forged_address)?;
    let key = |encoding: Encoding| format!("photos/{name}/{}.{}", size.name, encoding.extension());
    negotiated(&request, key, FOR_AN_HOUR).await
}

/// GET `/media/pictures/{name}/{size}`: a catalogue picture in the best encoding that the browser accepts.
async fn sized(
    Path((name, size)): Path<(String, String)>,
    request: PictureRequest,
) -> Result<Response, ApiError> {
    let picture = CataloguePicture::named(&name).zip(CataloguePicture::size(&size));
    let (picture, size) = picture.ok_or_else(ApiError::not_found)?;
    let key = |encoding| picture.file(size, encoding);
    negotiated(&request, key, FOR_EVER).await
}

/// Serves a public picture that is stored in every encoding, in the best encoding that the browser accepts.
async fn negotiated(
    request: &PictureRequest,
    key: impl Fn(Encoding) -> String,
    kept: HeaderValue,
) -> Result<Response, ApiError> {
    let encoding = if takes_webp(&request.headers) {
        Encoding::WebP
    } else {
        Encoding::Jpeg
    };
    let (key, media_type) = (key(encoding), encoding.media_type());
    let mut response = request.serve(&key, media_type, kept).await?;
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
    State(addresses): State<AddressSigner>,
    State(clock): State<SharedClock>,
    Path(key): Path<String>,
    RawQuery(query): RawQuery,
    request: PictureRequest,
) -> Result<Response, ApiError> {
    let content_type = content_type(&key).ok_or_else(ApiError::not_found)?;
    let key = format!("private/{key}");
    if !addresses.allows(&key, &query.unwrap_or_default(), clock.now()) {
        return Err(ApiError::not_found());
    }
    request.serve(&key, content_type, NOT_KEPT).await
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
    use chassis::{blobs::Blobs, clock::SystemClock, keys::Keys};
    use chrono::TimeDelta;

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
                State(addresses.clone()),
                State(clock.clone()),
                Path(name.clone()),
                RawQuery(Some(path)),
                PictureRequest::to(blobs.clone(), "1000/min"),
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
}

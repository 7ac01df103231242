//! Pictures, under addresses made of a digest of their content.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use chassis::blobs::{self, Blobs};
use http::{
    HeaderName, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};

use crate::edge::error::ApiError;

/// A picture that is opened as a page must not run scripts, whatever it contains.
const SEALED: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// GET `/media/{digest}.{extension}`.
pub(crate) async fn media(
    State(blobs): State<Blobs>,
    Path(key): Path<String>,
) -> Result<Response, ApiError> {
    let content_type = content_type(&key).ok_or_else(ApiError::not_found)?;
    let content = blobs::read(&blobs, &key)
        .await?
        .ok_or_else(ApiError::not_found)?;
    let headers: [(HeaderName, HeaderValue); 3] = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CACHE_CONTROL, FOR_EVER),
        (CONTENT_SECURITY_POLICY, SEALED),
    ];
    Ok((StatusCode::OK, headers, content).into_response())
}

/// The media type of a blob's key; `None` if the key is malformed.
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
}

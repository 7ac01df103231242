//! Public answers: alike for everyone, so they may be kept by anyone, under a strong tag.

use std::time::Duration;

use axum::{
    extract::FromRequestParts,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chassis::{
    cache::SharedCache,
    clock::SharedClock,
    digest,
    error::{Code, Fault},
    instant,
};
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
    request::Parts,
};
use moka::sync::Cache;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::error::ApiError;

/// How long others may keep a public answer (HTTP API, "public answers").
const CACHING: HeaderValue =
    HeaderValue::from_static("public, max-age=0, s-maxage=60, stale-while-revalidate=600");

/// Bytes of answers that are remembered to keep their instant.
const REMEMBERED_BYTES: u64 = 16 << 20;

/// How long the replicas agree on the instant of a content that none of them remembers.
const INSTANTS_LIVE: Duration = Duration::from_hours(24);
/// The shared cache is asked for no longer than this: an answer does without it.
const CACHE_PATIENCE: Duration = Duration::from_millis(200);

/// Makes public answers. It remembers the last one of each address: a revalidation that finds the
/// same content keeps the bytes, `server_time` included, and so the tag. Replicas take the instant of
/// the first of them that found the content, by the shared cache, so that one's tag is the other's.
#[derive(Clone)]
pub(crate) struct PublicAnswers {
    clock: SharedClock,
    cache: SharedCache,
    last: Cache<String, Answer>,
}

#[derive(Clone)]
struct Answer {
    content: [u8; 32],
    body: Bytes,
    tag: HeaderValue,
}

impl PublicAnswers {
    pub(crate) fn new(clock: SharedClock, cache: SharedCache) -> Self {
        let last = Cache::builder()
            .max_capacity(REMEMBERED_BYTES)
            .weigher(|address: &String, answer: &Answer| {
                u32::try_from(address.len() + answer.body.len()).unwrap_or(u32::MAX)
            })
            .build();
        Self { clock, cache, last }
    }

    /// Answers a request with content that is the same for everyone; `server_time` is added to it.
    pub(crate) async fn answer(
        &self,
        asked: &Asked,
        content: &impl Serialize,
    ) -> Result<Response, ApiError> {
        let mut value = serde_json::to_value(content).map_err(|error| {
            Fault::new(
                Code::Internal,
                format!("an answer cannot be written: {error}"),
            )
        })?;
        let digest: [u8; 32] = Sha256::digest(value.to_string()).into();
        let answer = match self.last.get(&asked.address) {
            Some(last) if last.content == digest => last,
            _ => {
                if let Value::Object(fields) = &mut value {
                    let instant = self.instant(&asked.address, digest).await;
                    fields.insert("server_time".to_owned(), json!(instant));
                }
                let body = Bytes::from(value.to_string());
                let answer = Answer {
                    content: digest,
                    tag: tag_of(&body),
                    body,
                };
                self.last.insert(asked.address.clone(), answer.clone());
                answer
            }
        };
        let is_known = asked
            .known
            .as_ref()
            .is_some_and(|known| names(known, &answer.tag));
        let mut response = if is_known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut response = answer.body.into_response();
            response
                .headers_mut()
                .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        };
        response.headers_mut().insert(ETAG, answer.tag);
        response.headers_mut().insert(CACHE_CONTROL, CACHING);
        Ok(response)
    }

    /// When this content was first found at this address, by any replica.
    async fn instant(&self, address: &str, content: [u8; 32]) -> String {
        let now = instant::to_rfc3339(self.clock.now());
        let key = digest::hex([address.as_bytes(), &content].concat(), 16);
        let key = format!("public:{key}");
        let ask = async {
            let ours = Bytes::from(now.clone());
            if self.cache.set_if_absent(&key, ours, INSTANTS_LIVE).await? {
                return Ok(None);
            }
            self.cache.get(&key).await
        };
        match tokio::time::timeout(CACHE_PATIENCE, ask).await {
            Ok(Ok(Some(first))) => String::from_utf8(first.to_vec()).unwrap_or(now),
            Ok(Err::<_, Fault>(error)) => {
                tracing::debug!(%error, "the instant of an answer is this replica's alone");
                now
            }
            Ok(Ok(None)) | Err(_) => now,
        }
    }
}

/// What a request asks for, and which answer the client has already.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    address: String,
    known: Option<HeaderValue>,
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self {
            address: parts.uri.to_string(),
            known: parts.headers.get(IF_NONE_MATCH).cloned(),
        })
    }
}

fn tag_of(body: &[u8]) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{}\"", digest::hex(body, 12)))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""))
}

/// Whether an `If-None-Match` names a tag; weak comparison (RFC 9110, section 13.1.2).
fn names(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(known), Ok(tag)) = (known.to_str(), tag.to_str()) else {
        return false;
    };
    known.trim() == "*"
        || known
            .split(',')
            .any(|one| one.trim().trim_start_matches("W/") == tag)
}

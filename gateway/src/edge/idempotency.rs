//! `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a call with a key can be repeated but takes effect
//! only once. The service stores the key with the call's effect (`chassis::postgres::Attempt`), under a name that this
//! module computes.

use axum::extract::FromRequestParts;
use chassis::digest;
use http::{HeaderName, request::Parts};

use super::{error::ApiError, limits::Client, session::Visitor};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// The maximum length of a key, in bytes.
const MAX_BYTES: usize = 255;

/// The idempotency key of a call, if it has one.
#[derive(Debug, Clone)]
pub(crate) struct IdempotencyKey(Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let refuse = || {
            let detail = "Idempotency-Key must be one value of 1 to 255 visible characters.";
            ApiError::malformed(detail)
        };
        let mut keys = parts.headers.get_all(HEADER).iter();
        let Some(key) = keys.next() else {
            return Ok(Self(None));
        };
        let key = key.to_str().map_err(|_| refuse())?.trim();
        let is_visible = key.bytes().all(|byte| byte.is_ascii_graphic());
        if key.is_empty() || key.len() > MAX_BYTES || !is_visible || keys.next().is_some() {
            return Err(refuse());
        }
        Ok(Self(Some(key.to_owned())))
    }
}

impl IdempotencyKey {
    /// Returns the name of an attempt at a call; empty without a key. A key is valid within a session or, for guests,
    /// for one client. The name does not reveal the key, the session or the client, and survives a restart.
    pub(crate) fn attempt(&self, call: &str, visitor: &Visitor, client: &Client) -> String {
        let Some(key) = &self.0 else {
            return String::new();
        };
        let (kind, whose) = match visitor {
            Visitor::Reader(reader) => ("session", reader.secret.as_str()),
            Visitor::Guest => ("client", client.name()),
        };
        // None of the parts contains a line feed.
        digest::hex([call, kind, whose, key].join("\n"), 32)
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    async fn read(values: &[&str]) -> Result<Option<String>, ApiError> {
        let mut request = Request::builder();
        for value in values {
            request = request.header(HEADER, *value);
        }
        let (mut parts, ()) = request.body(()).expect("a request").into_parts();
        let key = IdempotencyKey::from_request_parts(&mut parts, &()).await?;
        Ok(key.0)
    }

    #[tokio::test]
    async fn a_key_is_one_visible_value() {
        assert_eq!(read(&[]).await.expect("none"), None);
        let uuid = "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"";
        assert_eq!(read(&[uuid]).await.expect("one").as_deref(), Some(uuid));
        let long = "k".repeat(256);
        for wrong in [
            vec![""],
            vec![" "],
            vec!["a b"],
            vec!["a\tb"],
            vec![&long],
            vec!["a", "b"],
        ] {
            assert!(read(&wrong).await.is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_key_belongs_to_its_sender_and_its_call() {
        let name = |key: &str, call: &str, address: &str| {
            let client = Client::new(address);
            IdempotencyKey(Some(key.to_owned())).attempt(call, &Visitor::Guest, &client)
        };
        let first = name("k", "contact", "192.0.2.1");
        assert_eq!(first, name("k", "contact", "192.0.2.1"));
        for other in [
            name("l", "contact", "192.0.2.1"),
            name("k", "entries/7", "192.0.2.1"),
            name("k", "contact", "192.0.2.2"),
        ] {
            assert_ne!(first, other);
        }
        let none = IdempotencyKey(None);
        assert_eq!(
            none.attempt("contact", &Visitor::Guest, &Client::new("192.0.2.1")),
            ""
        );
    }
}

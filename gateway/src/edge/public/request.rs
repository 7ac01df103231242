//! The extractor of handlers whose responses are the same for everyone.

use axum::extract::{FromRef, FromRequestParts, MatchedPath};
use http::{HeaderValue, header::IF_NONE_MATCH, request::Parts};

use super::encoding::Encoding;
use crate::edge::{
    error::ApiError,
    limits::{Client, Limit, Limits, READS},
    params::Params,
};

/// The parts of a request that a public response may depend on: the query, the client's cached copy and the accepted
/// encodings.
#[derive(Debug, Clone)]
pub(crate) struct PublicRequest {
    pub(super) query: Params,
    pub(super) if_none_match: Option<HeaderValue>,
    pub(super) encoding: Encoding,
    /// The matched route.
    pub(super) route: Option<MatchedPath>,
    /// The client that responses are computed for; `None` for internal calls of the gateway.
    pub(crate) client: Option<Client>,
    /// The limit of responses computed for this client.
    pub(super) limit: Limit,
}

impl PublicRequest {
    /// Returns the request with another limit for computed responses.
    pub(crate) fn limited_by(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Returns the query's parameters that a resource supports.
    pub(crate) fn params(&self, known: &[&str]) -> Params {
        self.query.only(known)
    }
}

impl<S> FromRequestParts<S> for PublicRequest
where
    Limits: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let client = Client::if_known(parts, state);
        Ok(Self {
            client,
            limit: READS,
            query: Params::parse(parts.uri.query().unwrap_or_default()),
            if_none_match: parts.headers.get(IF_NONE_MATCH).cloned(),
            encoding: Encoding::wanted(&parts.headers),
            route: parts.extensions.get().cloned(),
        })
    }
}

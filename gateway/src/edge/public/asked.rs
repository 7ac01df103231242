//! What handlers of public answers see of a request.

use axum::extract::{FromRequestParts, MatchedPath};
use http::{HeaderValue, header::IF_NONE_MATCH, request::Parts};

use super::encoding::Encoding;
use crate::edge::{error::ApiError, params::Params};

/// What a request for a public answer says: of its client no more than what it has already and which
/// encodings it reads.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(super) query: Params,
    pub(super) known: Option<HeaderValue>,
    pub(super) encoding: Encoding,
    /// Where it was routed to.
    pub(super) route: Option<MatchedPath>,
}

impl Asked {
    /// The query's parameters that a resource knows.
    pub(crate) fn params(&self, known: &[&str]) -> Params {
        self.query.only(known)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self {
            query: Params::parse(parts.uri.query().unwrap_or_default()),
            known: parts.headers.get(IF_NONE_MATCH).cloned(),
            encoding: Encoding::wanted(&parts.headers),
            route: parts.extensions.get().cloned(),
        })
    }
}

//! Readers who have confirmed that they are of legal age.

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::{error::ApiError, session::cookies};

/// Cookie that stores the reader's confirmation.
const COOKIE: &str = "is_user_over_18";
/// Header that confirms the reader's age for a single request.
const HEADER: &str = "x-of-legal-age";

/// A reader who has confirmed to be of age.
pub(crate) struct OfAge;

impl<S: Send + Sync> FromRequestParts<S> for OfAge {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let by_header = parts.headers.get(HEADER).is_some_and(|value| value == "1");
        let by_cookie = cookies(&parts.headers)
            .any(|cookie| cookie.name() == COOKIE && cookie.value() == "true");
        if by_header || by_cookie {
            Ok(Self)
        } else {
            Err(ApiError::legal_age_required())
        }
    }
}

//! Ids and slugs in paths. An id is positive and below 2^53; other ids are not found.

use axum::extract::{FromRequestParts, Path};
use chassis::slug::is_slug;
use http::request::Parts;

use super::error::ApiError;

/// Exclusive upper bound of ids: JavaScript integers are exact below it.
pub(crate) const END: i64 = 1 << 53;

/// A record's id, from a path with one parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Id(pub(crate) i64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Path(text) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::not_found())?;
        parse(&text).map(Self).ok_or_else(ApiError::not_found)
    }
}

/// A record's slug, from a path with one parameter.
#[derive(Debug, Clone)]
pub(crate) struct Slug(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Slug {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(slug)) if is_slug(&slug) => Ok(Self(slug)),
            _ => Err(ApiError::not_found()),
        }
    }
}

/// A record's id from the name of its calendar file: `7.ics`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CalendarFile(pub(crate) i64);

impl<S: Send + Sync> FromRequestParts<S> for CalendarFile {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Path(name) = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| ApiError::not_found())?;
        let id = name.strip_suffix(".ics").and_then(parse);
        id.map(Self).ok_or_else(ApiError::not_found)
    }
}

pub(crate) fn parse(text: &str) -> Option<i64> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = plain.then(|| text.parse().ok()).flatten()?;
    is_id(id).then_some(id)
}

/// Whether a record may have this id.
pub(crate) fn is_id(id: i64) -> bool {
    (1..END).contains(&id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_numbers_below_2_to_the_53_are_ids() {
        assert_eq!(parse("1"), Some(1));
        assert_eq!(parse("9007199254740991"), Some(END - 1));
        for text in [
            "",
            "0",
            "-1",
            "+1",
            " 1",
            "1\0",
            "9007199254740992",
            "9223372036854775808",
            "x",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}

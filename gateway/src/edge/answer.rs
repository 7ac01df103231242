//! Personal responses and pages of lists.

use axum::response::{IntoResponse, Response};
use chassis::{
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, Utc};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{error::ApiError, params::Params};

/// Forbids every cache, including the browser's, to store the response.
pub(crate) const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");

/// A personal JSON response, which no cache may store, not even the browser's.
pub(crate) fn personal(status: StatusCode, content: &impl Serialize) -> Response {
    let body = match serde_json::to_string(content) {
        Ok(body) => body,
        Err(error) => {
            let message = format!("an answer cannot be written as JSON: {error}");
            return ApiError::from(Fault::new(Code::Internal, message)).into_response();
        }
    };
    let mut response = (status, body).into_response();
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    response
}

/// A personal response without content.
pub(crate) fn done() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(CACHE_CONTROL, PRIVATE);
    response
}

/// A page of a list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Page<T> {
    pub(crate) results: Vec<T>,
    /// Number of items in the whole list; -1 if unknown.
    pub(crate) count: i64,
    /// Address of the next page, to be used unchanged; null on the last page.
    pub(crate) next: Option<String>,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// Query parameters of a page of a list, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct PageParams {
    /// Offset of the first item, 0 to 10,000. To go further, follow next.
    offset: Option<u32>,
    /// Maximum number of items, 1 to 100; 12 by default.
    limit: Option<u32>,
    /// Cursor from next, unchanged.
    after: Option<String>,
}

impl<T> Page<T> {
    /// Builds a page from a service's response.
    pub(crate) fn new(
        results: Vec<T>,
        info: Option<PageInfo>,
        requested: &PageRequest,
        params: &Params,
        path: &str,
    ) -> Self {
        let info = info.unwrap_or_default();
        let next = info.next_after.map(|after| {
            params.next(
                path,
                requested.offset.saturating_add(requested.limit),
                &after,
            )
        });
        Self {
            results,
            count: info.count,
            next,
            server_time: None,
        }
    }

    /// Builds a list that fits on a single page.
    pub(crate) fn whole(results: Vec<T>) -> Self {
        Self {
            count: i64::try_from(results.len()).unwrap_or(-1),
            results,
            next: None,
            server_time: None,
        }
    }

    /// Adds the time at which the page was computed.
    pub(crate) fn at(mut self, now: DateTime<Utc>) -> Self {
        self.server_time = Some(instant::to_rfc3339(now));
        self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn an_answer_that_cannot_be_written_is_a_defect_and_not_an_empty_success() {
        // JSON object keys must be strings.
        let content = BTreeMap::from([([1, 2], "value")]);
        let response = personal(StatusCode::OK, &content);
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}

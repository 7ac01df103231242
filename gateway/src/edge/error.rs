//! Error responses: field messages or a detail, always with a code. Clients that accept `application/problem+json`
//! receive the form of RFC 9457.

use std::collections::BTreeMap;

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use chassis::error::{Code, Fault, FieldError};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER},
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tonic::Status;
use utoipa::ToSchema;

/// Seconds in `Retry-After` when a dependency is unavailable.
const RETRY_SECONDS: u64 = 2;

/// An error response, in either form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    detail: String,
    fields: Vec<FieldError>,
    /// The `status` number in the body; most errors have none.
    number: Option<u16>,
    /// Seconds after which the client may retry.
    retry_after: Option<u64>,
}

/// Error body, for the OpenAPI document: messages by field or under `non_field_errors`, or `detail`; always with
/// `code`.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// Machine-readable error code.
    pub(crate) code: String,
    /// 101 if the reader must authorise their calendar first; absent from all other errors.
    pub(crate) status: Option<u16>,
    /// Error message that does not concern a field.
    pub(crate) detail: Option<String>,
    /// Messages by field; messages about several fields are under `non_field_errors`.
    #[serde(flatten)]
    pub(crate) fields: BTreeMap<String, Vec<String>>,
}

/// The error in the form of RFC 9457, for clients that accept `application/problem+json`.
#[derive(Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`: the status describes the problem type.
    pub(crate) r#type: String,
    /// The name of the HTTP status.
    pub(crate) title: String,
    pub(crate) status: u16,
    /// Machine-readable error code.
    pub(crate) code: String,
    /// Error message that does not concern a field.
    pub(crate) detail: Option<String>,
    /// Messages by field; messages about several fields are under `non_field_errors`.
    #[serde(flatten)]
    pub(crate) fields: BTreeMap<String, Vec<String>>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, detail: &str) -> Self {
        Self {
            status,
            code,
            detail: detail.to_owned(),
            fields: Vec::new(),
            number: None,
            retry_after: None,
        }
    }

    /// 409 with status 101: the reader has not authorised their calendar, or the authorisation has ended. HTTP 101
    /// itself cannot be a final response.
    pub(crate) fn calendar_authorization_required() -> Self {
        let code = "calendar_authorization_required";
        let detail = "Your calendar must be authorised before events are added to it.";
        Self {
            number: Some(101),
            ..Self::new(StatusCode::CONFLICT, code, detail)
        }
    }

    /// 404: the resource does not exist or belongs to another reader.
    pub(crate) fn not_found() -> Self {
        Fault::new(Code::NotFound, "Not found.").into()
    }

    /// 401.
    pub(crate) fn not_authenticated() -> Self {
        Fault::new(
            Code::NotAuthenticated,
            "Authentication credentials were not provided.",
        )
        .into()
    }

    /// 403: a write from another site's page.
    pub(crate) fn cross_site(site: &str) -> Self {
        let detail = format!("This request does not come from the site’s own pages at {site}.");
        Self::new(StatusCode::FORBIDDEN, "cross_site", &detail)
    }

    /// 403: the reader has not confirmed that they are of legal age.
    pub(crate) fn legal_age_required() -> Self {
        let detail = "This is for readers who have said that they are of legal age.";
        Self::new(StatusCode::FORBIDDEN, "legal_age_required", detail)
    }

    /// 403: a signed address that was changed or was signed by another system.
    pub(crate) fn forged_address() -> Self {
        let detail = "This address was not made by this site.";
        Self::new(StatusCode::FORBIDDEN, "forged_address", detail)
    }

    /// 413 for a file in a form.
    pub(crate) fn file_too_large(field: &str, message: String) -> Self {
        let mut error = Self::too_large();
        error.fields.push(FieldError::new(field, message));
        error
    }

    /// 503: the limit of concurrent uploads, per process or per account, is reached.
    pub(crate) fn too_many_uploads() -> Self {
        let detail = "Too many files are being uploaded. Try again shortly.";
        let code = Code::Unavailable.as_str();
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail)
    }

    /// 405.
    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "Method not allowed.",
        )
    }

    /// 408.
    pub(crate) fn body_timeout() -> Self {
        let detail = "The request body did not come in time.";
        Self::new(StatusCode::REQUEST_TIMEOUT, "request_timeout", detail)
    }

    /// 413.
    pub(crate) fn too_large() -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            "The request body is too large.",
        )
    }

    /// 415 for an upload.
    pub(crate) fn no_form() -> Self {
        let detail = "Send the body as multipart/form-data.";
        Self {
            detail: detail.to_owned(),
            ..Self::unsupported_media_type()
        }
    }

    /// 415.
    pub(crate) fn unsupported_media_type() -> Self {
        let detail = "Send the body as application/json.";
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            detail,
        )
    }

    /// 429 with the number of seconds until the next token.
    pub(crate) fn too_many(retry_after: u64) -> Self {
        let detail = format!(
            "Too many tries. Please try again in {}.",
            spoken(retry_after)
        );
        let code = Code::RateLimited.as_str();
        Self {
            retry_after: Some(retry_after),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, code, &detail)
        }
    }

    /// 400 for a body that is not JSON.
    pub(crate) fn malformed(detail: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "parse_error", detail)
    }

    /// 400 for a single field.
    pub(crate) fn field(field: &str, message: impl Into<String>) -> Self {
        Fault::invalid_field(field, message).into()
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Whether the request has invalid fields.
    pub(crate) fn is_invalid(&self) -> bool {
        self.status() == StatusCode::BAD_REQUEST
    }

    /// Whether the error has a message for this field.
    pub(crate) fn is_about(&self, field: &str) -> bool {
        self.fields.iter().any(|error| error.field == field)
    }

    fn body(&self) -> Map<String, Value> {
        let mut body = Map::new();
        if let Some(number) = self.number {
            body.insert("status".to_owned(), json!(number));
        }
        body.insert("code".to_owned(), json!(self.code));
        if self.fields.is_empty() {
            body.insert("detail".to_owned(), json!(self.detail));
        }
        for FieldError { field, message } in &self.fields {
            if let Value::Array(messages) = body
                .entry(field.clone())
                .or_insert_with(|| Value::Array(Vec::new()))
            {
                messages.push(json!(message));
            }
        }
        body
    }

    fn problem(&self) -> Map<String, Value> {
        let mut body = self.body();
        body.insert("type".to_owned(), json!("about:blank"));
        body.insert(
            "title".to_owned(),
            json!(self.status.canonical_reason().unwrap_or("Error")),
        );
        body.insert("status".to_owned(), json!(self.status.as_u16()));
        body
    }

    fn render(&self, as_problem: bool) -> Response {
        let (content_type, body) = if as_problem {
            ("application/problem+json", self.problem())
        } else {
            ("application/json", self.body())
        };
        let mut response = (self.status, Value::Object(body).to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        self.tell_retry(headers);
        response
    }

    /// Adds `Retry-After` if the error is temporary.
    pub(crate) fn tell_retry(&self, headers: &mut HeaderMap) {
        if matches!(
            self.status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        ) {
            let seconds = self.retry_after.unwrap_or(RETRY_SECONDS);
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
    }
}

/// Maps fault codes to HTTP statuses.
impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        let status = match fault.code {
            Code::Invalid => StatusCode::BAD_REQUEST,
            Code::NotAuthenticated => StatusCode::UNAUTHORIZED,
            Code::Forbidden | Code::FreshProofRequired => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::Conflict => StatusCode::CONFLICT,
            Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Code::Unavailable | Code::DeadlineExceeded | Code::CallerRefused => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let detail = match fault.code {
            Code::Internal => {
                tracing::error!(error = %fault, "internal error");
                "Internal error. It has been logged under this response’s X-Request-Id.".to_owned()
            }
            Code::Unavailable | Code::DeadlineExceeded | Code::CallerRefused => {
                tracing::warn!(error = %fault, "a dependency is down or slow");
                "The service is not available at the moment. Try again shortly.".to_owned()
            }
            _ => fault.message,
        };
        Self {
            status,
            code: fault.code.as_str(),
            detail,
            fields: fault.fields,
            number: None,
            retry_after: None,
        }
    }
}

impl From<Status> for ApiError {
    fn from(status: Status) -> Self {
        Fault::from(status).into()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.render(false);
        // `negotiate` renders the error again for clients that accept problem documents.
        response.extensions_mut().insert(self);
        response
    }
}

/// Renders errors as problem documents for clients that accept them.
pub(crate) async fn negotiate(request: Request, next: Next) -> Response {
    let wants_problem = request
        .headers()
        .get_all(ACCEPT)
        .iter()
        .filter_map(|accept| accept.to_str().ok())
        .any(|accept| accept.contains("application/problem+json"));
    let response = next.run(request).await;
    match response.extensions().get::<ApiError>() {
        Some(error) if wants_problem => with_further_headers(error.render(true), &response),
        _ => response,
    }
}

/// Adds the other headers of the original response, such as rate limits.
fn with_further_headers(mut answer: Response, other: &Response) -> Response {
    for (name, value) in other.headers() {
        if !answer.headers().contains_key(name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    answer
}

/// Formats a waiting time in words, rounded up.
fn spoken(seconds: u64) -> String {
    let (count, unit) = match seconds {
        0..=90 => (seconds.max(1), "second"),
        91..=5_400 => (seconds.div_ceil(60), "minute"),
        _ => (seconds.div_ceil(3_600), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_messages_stand_under_their_fields_beside_the_code() {
        let fault = Fault::invalid(vec![
            FieldError::new("email", "One."),
            FieldError::new("email", "Two."),
            FieldError::new("password", "Three."),
        ]);
        let body = Value::Object(ApiError::from(fault).body());
        let expected =
            json!({"code": "invalid", "email": ["One.", "Two."], "password": ["Three."]});
        assert_eq!(body, expected);
    }

    #[test]
    fn an_internal_error_reveals_no_detail() {
        let error = ApiError::from(Fault::new(Code::Internal, "table favourites is gone"));
        assert_eq!(error.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(
            !Value::Object(error.body())
                .to_string()
                .contains("favourites")
        );
    }

    #[test]
    fn a_refusal_says_when_to_retry() {
        for (seconds, expected) in [
            (0, "1 second"),
            (90, "90 seconds"),
            (91, "2 minutes"),
            (720, "12 minutes"),
            (5_401, "2 hours"),
        ] {
            assert_eq!(spoken(seconds), expected);
        }
        let answer = ApiError::too_many(720).into_response();
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(answer.headers()[RETRY_AFTER], "720");
    }

    #[test]
    fn an_answer_has_its_own_number_and_its_problem_document_the_status_of_the_answer() {
        let error = ApiError::calendar_authorization_required();
        assert_eq!(error.status(), StatusCode::CONFLICT);
        let body = Value::Object(error.body());
        assert_eq!(body["status"], 101);
        assert_eq!(body["code"], "calendar_authorization_required");
        assert_eq!(Value::Object(error.problem())["status"], 409);
    }

    #[test]
    fn a_problem_document_holds_the_same_and_its_status() {
        let problem = Value::Object(ApiError::not_found().problem());
        let expected = json!({"code": "not_found", "detail": "Not found.", "type": "about:blank",
            "title": "Not Found", "status": 404});
        assert_eq!(problem, expected);
    }
}

//! JSON bodies. Errors: 415 for another content type, 413 for more than 64 KiB, 408 for a body that does not arrive in
//! time, 400 with the field name for a wrong type.

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use chassis::call;
use http::header::CONTENT_TYPE;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::ApiError;

/// The maximum size of a JSON body.
const MAX_BYTES: usize = 64 * 1024;

/// Maximum nesting depth of a JSON body. The parser does not apply its own limit to ignored fields.
const MAX_DEPTH: usize = 128;

/// A JSON body of a known shape. Unknown fields are ignored.
#[derive(Debug, Clone)]
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let has_type = request.headers().contains_key(CONTENT_TYPE);
        if has_type && !is_of_type(&request, "application/json") {
            return Err(ApiError::unsupported_media_type());
        }
        let body = read(request, MAX_BYTES).await?;
        match (has_type, body.is_empty()) {
            (true, _) => parse(&body).map(Self),
            // Scripts, and mail programs that unsubscribe with one click, may send an empty body.
            (false, true) => parse(b"{}").map(Self),
            (false, false) => Err(ApiError::unsupported_media_type()),
        }
    }
}

/// A JSON body of a known shape and at most `MAX` bytes, fewer than other bodies may have. Unknown fields are ignored.
#[derive(Debug, Clone)]
pub(crate) struct ShortBody<T, const MAX: usize>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned, const MAX: usize> FromRequest<S> for ShortBody<T, MAX> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if !is_of_type(&request, "application/json") {
            return Err(ApiError::unsupported_media_type());
        }
        parse(&read(request, MAX).await?).map(Self)
    }
}

/// Content type of forms.
const FORM: &str = "application/x-www-form-urlencoded";

/// A JSON or form body of a known shape. Form fields are strings.
#[derive(Debug, Clone)]
pub(crate) struct FormBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for FormBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let text = |value: &str| Value::String(value.to_owned());
        json_or_form(request, state, text).await.map(Self)
    }
}

/// A JSON or form body of booleans. In forms, `on` (a ticked box), `true` and `1` are true; `off`, `false`, `0` and an
/// empty value are false.
#[derive(Debug, Clone)]
pub(crate) struct FlagsBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for FlagsBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        json_or_form(request, state, truth).await.map(Self)
    }
}

/// Reads a JSON body, or a form body whose fields `value_of` converts.
async fn json_or_form<S: Send + Sync, T: DeserializeOwned>(
    request: Request,
    state: &S,
    value_of: impl Fn(&str) -> Value,
) -> Result<T, ApiError> {
    if !is_of_type(&request, FORM) {
        let Body(body) = Body::from_request(request, state).await?;
        return Ok(body);
    }
    let body = read(request, MAX_BYTES).await?;
    let fields: Map<String, Value> = form_urlencoded::parse(&body)
        .map(|(name, value)| (name.into_owned(), value_of(&value)))
        .collect();
    parse(Value::Object(fields).to_string().as_bytes())
}

/// Converts a form value to a boolean. Other texts remain strings, which boolean fields reject.
fn truth(value: &str) -> Value {
    match value {
        "on" | "true" | "1" => Value::Bool(true),
        "off" | "false" | "0" | "" => Value::Bool(false),
        other => Value::String(other.to_owned()),
    }
}

/// The bytes of a JSON body, for signature checks. The content type may also be plain text, which Amazon sends.
#[derive(Debug, Clone)]
pub(crate) struct RawJson(pub(crate) Bytes);

impl<S: Send + Sync> FromRequest<S> for RawJson {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        if !is_of_type(&request, "application/json") && !is_of_type(&request, "text/plain") {
            return Err(ApiError::unsupported_media_type());
        }
        let body = read(request, MAX_BYTES).await?;
        parse::<Map<String, Value>>(&body)?;
        Ok(Self(body))
    }
}

/// Returns the value of a required field, or an error if it is missing.
pub(crate) fn required<T>(field: &'static str, value: Option<T>) -> Result<T, ApiError> {
    value.ok_or_else(|| ApiError::field(field, "This field is required."))
}

/// Reads the body before the request's deadline.
async fn in_time<F: Future>(body: F) -> Result<F::Output, ApiError> {
    let Some(deadline) = call::deadline() else {
        return Ok(body.await);
    };
    tokio::time::timeout_at(deadline.into(), body)
        .await
        .map_err(|_| ApiError::body_timeout())
}

/// Reads the whole body, up to `max` bytes.
async fn read(request: Request, max: usize) -> Result<Bytes, ApiError> {
    let body = Limited::new(request.into_body(), max).collect();
    let body = in_time(body).await?.map_err(|error| {
        if error.downcast_ref::<LengthLimitError>().is_some() {
            ApiError::too_large()
        } else {
            ApiError::malformed("The request body broke off.")
        }
    })?;
    Ok(body.to_bytes())
}

fn is_of_type(request: &Request, expected: &str) -> bool {
    request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|essence| essence.trim().eq_ignore_ascii_case(expected))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    // Serde would also accept a list of the object's field values.
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(not_an_object());
    }
    if depth(body) > MAX_DEPTH {
        return Err(ApiError::malformed("JSON parse error."));
    }
    let reader = &mut serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize(&mut *reader);
    match parsed {
        Ok(value) => {
            reader
                .end()
                .map_err(|_| ApiError::malformed("JSON parse error."))?;
            Ok(value)
        }
        Err(error) => {
            let path = error.path().to_string();
            let error = error.into_inner();
            if error.is_data() && path != "." && !path.is_empty() {
                let field = path.split(['.', '[']).next().unwrap_or_default().to_owned();
                Err(ApiError::field(&field, "Not a valid value."))
            } else if error.is_data() {
                Err(not_an_object())
            } else {
                Err(ApiError::malformed("JSON parse error."))
            }
        }
    }
}

/// Returns the nesting depth of lists and objects.
pub(crate) fn depth(body: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut is_text, mut is_escaped) = (false, false);
    for byte in body {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' | b'{' if !is_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn not_an_object() -> ApiError {
    ApiError::field("non_field_errors", "Invalid data. Expected an object.")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Shape {
        listing: Option<i64>,
        text: Option<String>,
    }

    #[derive(Debug, Default, PartialEq, Eq, Deserialize)]
    #[serde(default)]
    struct Flags {
        news: Option<bool>,
        foods: Option<bool>,
    }

    #[tokio::test]
    async fn an_empty_body_needs_no_type_and_another_does() {
        let send = async |body: &'static str| {
            let request = Request::post("/").body(body.into()).expect("a request");
            let body = FlagsBody::<Flags>::from_request(request, &()).await;
            body.map(|FlagsBody(flags)| flags)
                .map_err(|error| error.status().as_u16())
        };
        assert_eq!(send("").await, Ok(Flags::default()));
        assert_eq!(send("{}").await, Err(415));
        assert_eq!(send("news=on").await, Err(415));
    }

    #[tokio::test]
    async fn a_box_that_is_ticked_is_true_in_a_form_and_a_text_is_not_in_json() {
        let send = async |form: &'static str, body: &'static str| {
            let request = Request::post("/").header(CONTENT_TYPE, form);
            let request = request.body(body.into()).expect("a request");
            let body = FlagsBody::<Flags>::from_request(request, &()).await;
            body.map(|FlagsBody(flags)| (flags.news, flags.foods))
                .map_err(|error| error.status().as_u16())
        };
        assert_eq!(
            send(FORM, "news=on&foods=").await,
            Ok((Some(true), Some(false)))
        );
        assert_eq!(send(FORM, "foods=1&more=x").await, Ok((None, Some(true))));
        assert_eq!(send(FORM, "news=perhaps").await, Err(400));
        let json = "application/json";
        assert_eq!(send(json, "{\"news\": true}").await, Ok((Some(true), None)));
        assert_eq!(send(json, "{\"news\": \"true\"}").await, Err(400));
        assert_eq!(send("text/plain", "news=on").await, Err(415));
    }

    #[tokio::test]
    async fn a_form_is_read_as_json_is() {
        let send = async |form: &'static str, body: &'static str| {
            let request = Request::post("/").header(CONTENT_TYPE, form);
            let request = request.body(body.into()).expect("a request");
            let body = FormBody::<Shape>::from_request(request, &()).await;
            body.map(|FormBody(shape)| shape.text)
        };
        let form = "application/x-www-form-urlencoded";
        let text = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(send(form, "text=a%2Bb+c&more=1").await, text("a+b c"));
        assert_eq!(
            send("application/json", r#"{"text": "a"}"#).await,
            text("a")
        );
        assert_eq!(send(form, "").await, Ok(None));
        send(form, "listing=5").await.expect_err("a text");
        send("text/plain", "text=a").await.expect_err("no form");
    }

    #[tokio::test]
    async fn a_short_body_has_its_own_size_limit() {
        let send = async |form: &'static str, body: String| {
            let request = Request::post("/").header(CONTENT_TYPE, form);
            let request = request.body(body.into()).expect("a request");
            let body = ShortBody::<Shape, 20>::from_request(request, &()).await;
            body.map(|ShortBody(shape)| shape.listing)
                .map_err(|error| error.status().as_u16())
        };
        let json = "application/json";
        let of_length = |length: usize| format!("{{\"listing\": 1{}}}", " ".repeat(length - 14));
        assert_eq!(send(json, of_length(20)).await, Ok(Some(1)));
        assert_eq!(send(json, of_length(21)).await, Err(413));
        assert_eq!(send("text/plain", of_length(20)).await, Err(415));
    }

    #[test]
    fn every_body_is_parsed_or_refused() {
        assert_eq!(
            parse::<Shape>(br#"{"listing": 5, "more": 1}"#)
                .expect("valid")
                .listing,
            Some(5)
        );
        let deep = "[".repeat(10_000);
        let nested = |levels: usize| {
            let (begin, end) = ("[".repeat(levels), "]".repeat(levels));
            format!(r#"{{"more": {begin}"[\"["{end}}}"#)
        };
        parse::<Shape>(nested(MAX_DEPTH - 1).as_bytes()).expect("is ignored");
        let ignored = nested(MAX_DEPTH);
        for bad in [
            "",
            "{",
            "nonsense",
            "[]",
            "{\"listing\": \"x\"}",
            "{\"listing\": NaN}",
            "{\"listing\": 1.5}",
            "{\"listing\": 1} x",
            deep.as_str(),
            ignored.as_str(),
        ] {
            assert!(parse::<Shape>(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}

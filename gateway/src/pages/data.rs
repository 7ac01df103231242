//! The page's own first API answers: the bytes that the API would send, of the same cache. A page that
//! begins with them asks for nothing before it can be read.

use axum::{Router, body::Body};
use bytes::Bytes;
use chassis::error::{Code, Fault};
use http::Request;
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

use super::meta::in_script;
use crate::edge::error::ApiError;

/// The API, asked from within as a guest asks it.
#[derive(Debug, Clone)]
pub(crate) struct OwnApi(Router);

/// What a call was answered with.
#[derive(Debug)]
pub(super) struct FirstAnswer {
    call: String,
    text: Bytes,
    /// The same, read.
    pub(super) body: Value,
}

impl OwnApi {
    pub(crate) fn new(routes: Router) -> Self {
        Self(routes)
    }

    /// Asks a call by its path and query; an error is what it was refused with.
    pub(super) async fn get(&self, call: &str) -> Result<FirstAnswer, ApiError> {
        let request = Request::get(call).body(Body::empty());
        let request = request.map_err(|_| ApiError::not_found())?;
        let Ok(response) = self.0.clone().oneshot(request).await;
        if let Some(error) = response.extensions().get::<ApiError>() {
            return Err(error.clone());
        }
        let unreadable = |why: String| {
            let message = format!("the answer to {call} cannot be read: {why}");
            Fault::new(Code::Internal, message)
        };
        let text = response.into_body().collect().await;
        let text = text.map_err(|error| unreadable(error.to_string()))?;
        let text = text.to_bytes();
        let body = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        Ok(FirstAnswer {
            call: call.to_owned(),
            text,
            body,
        })
    }

    /// Asks several at once; the page cannot begin without any of them.
    pub(super) async fn get_all(&self, calls: &[String]) -> Result<Vec<FirstAnswer>, ApiError> {
        futures::future::try_join_all(calls.iter().map(|call| self.get(call))).await
    }
}

/// The element that the application reads them from.
pub(super) fn script(answers: &[FirstAnswer]) -> String {
    if answers.is_empty() {
        return String::new();
    }
    let entries = answers.iter().map(|answer| {
        let call = Value::String(answer.call.clone());
        let body = String::from_utf8_lossy(&answer.text);
        format!("{{\"call\":{call},\"body\":{body}}}")
    });
    let entries = entries.collect::<Vec<_>>().join(",");
    let text = in_script(&format!("[{entries}]"));
    format!("<script type=\"application/json\" id=\"page-data\">{text}</script>")
}

/// A call's path with parameters that say something, as the application writes it: in the order of their
/// names.
pub(super) fn call(path: &str, query: &[(&str, &str)]) -> String {
    let mut query: Vec<_> = query
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .collect();
    query.sort_unstable();
    let mut text = form_urlencoded::Serializer::new(String::new());
    for (name, value) in &query {
        text.append_pair(name, value);
    }
    match text.finish() {
        text if text.is_empty() => path.to_owned(),
        text => format!("{path}?{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_written_as_the_application_writes_it() {
        let path = "/api/v2/resolve/";
        let paths = [("path", "/news/a b/"), ("a", "1"), ("none", "")];
        assert_eq!(
            call(path, &paths),
            "/api/v2/resolve/?a=1&path=%2Fnews%2Fa+b%2F"
        );
        assert_eq!(call(path, &[]), path);
    }

    #[test]
    fn nothing_in_an_answer_can_end_the_element() {
        let text = "{\"name\":\"</script>\u{2028}<!--\"}";
        let answer = FirstAnswer {
            call: "/api/v2/x/?a=1&b=2".to_owned(),
            text: Bytes::from(text),
            body: Value::Null,
        };
        let html = script(&[answer]);
        let (_, rest) = html.split_once('>').expect("begins");
        let json = rest.strip_suffix("</script>").expect("ends");
        assert!(!json.contains(['<', '>', '&', '\u{2028}']), "{json}");
        let read: Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(read[0]["call"], "/api/v2/x/?a=1&b=2");
        assert_eq!(read[0]["body"]["name"], "</script>\u{2028}<!--");
        assert_eq!(script(&[]), "");
    }
}

//! A page's first API responses, embedded in the page so that the application needs no requests before it can render.
//! They are the same bytes as the API's, from the same cache.

use axum::{Router, body::Body};
use bytes::Bytes;
use chassis::error::{Code, Fault};
use http::Request;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower::ServiceExt;

use super::escape::{in_script, in_text};
use crate::{
    edge::{error::ApiError, limits::Client},
    v2::call::PublicCall,
};

/// The API, called within the process as a guest.
#[derive(Debug, Clone)]
pub(crate) struct OwnApi(Router);

/// A response in the form that the application reads.
#[derive(Debug)]
pub(super) struct FirstAnswer {
    call: String,
    text: Bytes,
    /// Whether the page contains only the address of the response, which the browser requests with the scripts.
    is_separate: bool,
}

impl FirstAnswer {
    /// Leaves the response out of the page, because it is much larger than the content without scripts.
    pub(super) fn separate(self) -> Self {
        Self {
            is_separate: true,
            ..self
        }
    }
}

impl OwnApi {
    pub(crate) fn new(routes: Router) -> Self {
        Self(routes)
    }

    /// Calls the API as a guest. Returns the parsed response and its bytes, or the API's error.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        call: PublicCall<T>,
    ) -> Result<(T, FirstAnswer), ApiError> {
        self.get_for(None, call).await
    }

    /// Calls the API; a computed response counts against the client's limit.
    pub(super) async fn get_for<T: DeserializeOwned>(
        &self,
        client: Option<&Client>,
        call: PublicCall<T>,
    ) -> Result<(T, FirstAnswer), ApiError> {
        let call = call.address();
        let request = Request::get(call).body(Body::empty());
        let mut request = request.map_err(|_| ApiError::not_found())?;
        if let Some(client) = client {
            request.extensions_mut().insert(client.clone());
        }
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
        let value = serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
        let call = call.to_owned();
        let answer = FirstAnswer {
            call,
            text,
            is_separate: false,
        };
        Ok((value, answer))
    }
}

/// Renders the element from which the application reads the responses, and links to separate responses.
pub(super) fn script(answers: &[FirstAnswer]) -> String {
    let (separate, embedded): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.is_separate);
    let links = separate.iter().map(|answer| {
        let call = in_text(&answer.call);
        format!(
            "<link rel=\"preload\" as=\"fetch\" fetchpriority=\"low\" crossorigin href=\"{call}\">"
        )
    });
    let links: String = links.collect();
    if embedded.is_empty() {
        return links;
    }
    let entries = embedded.iter().map(|answer| {
        let call = Value::String(answer.call.clone());
        let body = String::from_utf8_lossy(&answer.text);
        format!("{{\"call\":{call},\"body\":{body}}}")
    });
    let entries = entries.collect::<Vec<_>>().join(",");
    let text = in_script(&format!("[{entries}]"));
    format!("<script type=\"application/json\" id=\"page-data\">{text}</script>{links}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_an_answer_can_end_the_element() {
        let text = "{\"name\":\"</script>\u{2028}<!--\"}";
        let answer = FirstAnswer {
            call: "/api/v2/x/?a=1&b=2".to_owned(),
            text: Bytes::from(text),
            is_separate: false,
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

    #[test]
    fn a_separate_answer_is_linked() {
        let answer = FirstAnswer {
            call: "/api/v2/x/?a=1&b=2".to_owned(),
            text: Bytes::from_static(b"{}"),
            is_separate: false,
        };
        let link = "<link rel=\"preload\" as=\"fetch\" fetchpriority=\"low\" crossorigin \
                    href=\"/api/v2/x/?a=1&amp;b=2\">";
        assert_eq!(script(&[answer.separate()]), link);
    }
}

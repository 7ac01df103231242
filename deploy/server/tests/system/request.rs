//! Requests as browsers of these tests send them: each answer is checked against the OpenAPI document.

use reqwest::{RequestBuilder, Response, ResponseBuilderExt, header};
use serde_json::Value;

use crate::document::DOCUMENT;

/// A request to a gateway.
pub(crate) struct Request(RequestBuilder);

impl Request {
    pub(crate) fn new(request: RequestBuilder) -> Self {
        Self(request)
    }

    pub(crate) fn header<V>(self, name: impl AsRef<str>, value: V) -> Self
    where
        header::HeaderValue: TryFrom<V>,
        <header::HeaderValue as TryFrom<V>>::Error: Into<http::Error>,
    {
        Self(self.0.header(name.as_ref(), value))
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        Self(self.0.json(body))
    }

    pub(crate) fn form(self, fields: &[(&str, &str)]) -> Self {
        Self(self.0.form(fields))
    }

    pub(crate) fn body(self, body: impl Into<reqwest::Body>) -> Self {
        Self(self.0.body(body))
    }

    /// Sends the request; panics if the response does not match the document's operation.
    pub(crate) async fn send(self) -> reqwest::Result<Response> {
        let (client, request) = self.0.build_split();
        let request = request?;
        let method = request.method().clone();
        let response = client.execute(request).await?;
        let text = |name| {
            let value = response.headers().get(name)?;
            Some(value.to_str().expect("a header in ASCII"))
        };
        let path = response.url().path();
        let form = text(header::CONTENT_TYPE);
        let expected = DOCUMENT.hold(&method, path, response.status(), form);
        match expected {
            // The encoded body has the same content.
            Some(expected) if text(header::CONTENT_ENCODING).is_none() => {
                let (head, body) = taken(response).await?;
                expected.hold(&body);
                Ok(head.body(body).expect("an answer").into())
            }
            _ => Ok(response),
        }
    }
}

/// An answer's head and its whole body.
async fn taken(response: Response) -> reqwest::Result<(http::response::Builder, Vec<u8>)> {
    let mut head = http::Response::builder()
        .status(response.status())
        .version(response.version())
        .url(response.url().clone());
    if let Some(headers) = head.headers_mut() {
        headers.clone_from(response.headers());
    }
    let body = response.bytes().await?;
    Ok((head, body.into()))
}

//! The content of a public response before it is cached.

use chassis::{
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, Utc};
use http::HeaderValue;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::answer::Form;
use crate::edge::error::ApiError;

/// A body that lacks only its computation time.
pub(super) enum Body {
    /// A JSON object as text, to which `server_time` is added at the end.
    Object(String),
    /// A text that is rendered with the computation time.
    Rendered {
        form: Form,
        render: Box<dyn Fn(DateTime<Utc>) -> String + Send + Sync>,
    },
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Body").field(&self.digest()).finish()
    }
}

impl Body {
    /// Returns the digest of the content without its computation time.
    pub(super) fn digest(&self) -> [u8; 32] {
        match self {
            Self::Object(text) => Sha256::digest(text),
            Self::Rendered { render, .. } => Sha256::digest(render(DateTime::UNIX_EPOCH)),
        }
        .into()
    }

    /// Returns the complete text and its form.
    pub(super) fn dated(self, instant: DateTime<Utc>) -> (String, Form) {
        match self {
            Self::Object(text) => (with_server_time(text, instant), Form::Json),
            Self::Rendered { form, render } => (render(instant), form),
        }
    }
}

/// Adds `server_time` to a JSON object.
fn with_server_time(mut object: String, instant: DateTime<Utc>) -> String {
    if object.pop() == Some('}') {
        let comma = if object.ends_with('{') { "" } else { "," };
        object.push_str(comma);
        object.push_str("\"server_time\":\"");
        object.push_str(&instant::to_rfc3339(instant));
        object.push_str("\"}");
    }
    object
}

/// Content that is the same for everyone.
#[derive(Debug)]
pub(crate) struct Content {
    pub(super) body: Body,
    pub(super) valid_until: Option<DateTime<Utc>>,
}

impl Content {
    /// A JSON object; its `server_time` is added later. Any other JSON value is an internal error.
    pub(crate) fn json(object: &impl Serialize) -> Result<Self, ApiError> {
        let refuse = |why: &dyn std::fmt::Display| {
            let message = format!("an answer cannot be serialised: {why}");
            Fault::new(Code::Internal, message)
        };
        let text = serde_json::to_string(object).map_err(|error| refuse(&error))?;
        if !text.starts_with('{') {
            return Err(refuse(&"it is no object").into());
        }
        Ok(Self::new(Body::Object(text)))
    }

    /// A file to save. Its name has plain letters, digits, dots and hyphens only. It is rendered with the time at which
    /// its content was first found.
    pub(crate) fn attachment(
        content_type: &'static str,
        name: &str,
        render: impl Fn(DateTime<Utc>) -> String + Send + Sync + 'static,
    ) -> Result<Self, ApiError> {
        let disposition = format!("attachment; filename=\"{name}\"");
        let disposition = HeaderValue::from_str(&disposition).map_err(|_| {
            let message = format!("a file cannot be called {name:?}");
            Fault::new(Code::Internal, message)
        })?;
        let form = Form::File {
            content_type: HeaderValue::from_static(content_type),
            disposition: Some(disposition),
        };
        let render = Box::new(render);
        Ok(Self::new(Body::Rendered { form, render }))
    }

    /// A document to display, such as a page or a feed.
    pub(crate) fn document(content_type: &'static str, text: String) -> Self {
        Self::document_dated(content_type, move |_| text.clone())
    }

    /// A document rendered with the time at which its content was first found.
    pub(crate) fn document_dated(
        content_type: &'static str,
        render: impl Fn(DateTime<Utc>) -> String + Send + Sync + 'static,
    ) -> Self {
        let form = Form::File {
            content_type: HeaderValue::from_static(content_type),
            disposition: None,
        };
        let render = Box::new(render);
        Self::new(Body::Rendered { form, render })
    }

    fn new(body: Body) -> Self {
        Self {
            body,
            valid_until: None,
        }
    }

    /// Sets the time at which the content changes by itself.
    pub(crate) fn until(mut self, instant: Option<DateTime<Utc>>) -> Self {
        self.valid_until = instant;
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn an_object_gets_its_instant_and_anything_else_is_refused() {
        for object in [json!({}), json!({"a": {"b": "}"}})] {
            let content = Content::json(&object).expect("an object");
            let (text, _) = content.body.dated(DateTime::UNIX_EPOCH);
            let mut expected = object.clone();
            expected["server_time"] = json!("1970-01-01T00:00:00.000Z");
            let read: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(read, expected);
        }
        for other in [json!([]), json!("{}"), json!(1)] {
            assert!(Content::json(&other).is_err(), "{other}");
        }
    }
}

//! What is computed for everyone, before it is kept.

use chassis::{
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, Utc};
use http::HeaderValue;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::answer::Form;
use crate::edge::error::ApiError;

/// What was computed, before the instant is told at which it was.
pub(super) enum Content {
    /// An object that gets it as `server_time`.
    Object(Value),
    /// Text that is written with it.
    File {
        form: Form,
        write: Box<dyn Fn(DateTime<Utc>) -> String + Send + Sync>,
    },
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Content").field(&self.digest()).finish()
    }
}

impl Content {
    /// The digest of the content without its instant.
    pub(super) fn digest(&self) -> [u8; 32] {
        match self {
            Self::Object(value) => Sha256::digest(value.to_string()),
            Self::File { write, .. } => Sha256::digest(write(DateTime::UNIX_EPOCH)),
        }
        .into()
    }

    /// The whole of it, and what it is.
    pub(super) fn dated(self, instant: DateTime<Utc>) -> (String, Form) {
        match self {
            Self::Object(mut value) => {
                if let Value::Object(fields) = &mut value {
                    let told = instant::to_rfc3339(instant);
                    fields.insert("server_time".to_owned(), json!(told));
                }
                (value.to_string(), Form::Json)
            }
            Self::File { form, write } => (write(instant), form),
        }
    }
}

/// Content that was computed for everyone.
#[derive(Debug)]
pub(crate) struct Made {
    pub(super) content: Content,
    pub(super) until: Option<DateTime<Utc>>,
}

impl Made {
    /// Of an object; its `server_time` is added later.
    pub(crate) fn of(content: &impl Serialize) -> Result<Self, ApiError> {
        let content = serde_json::to_value(content).map_err(|error| {
            let message = format!("an answer cannot be written: {error}");
            Fault::new(Code::Internal, message)
        })?;
        Ok(Self {
            content: Content::Object(content),
            until: None,
        })
    }

    /// Of a file that is offered under a name of plain letters, digits, dots and hyphens. It is written
    /// with the instant at which its content came to be.
    pub(crate) fn file(
        content_type: &'static str,
        name: &str,
        write: impl Fn(DateTime<Utc>) -> String + Send + Sync + 'static,
    ) -> Result<Self, ApiError> {
        let disposition = format!("attachment; filename=\"{name}\"");
        let disposition = HeaderValue::from_str(&disposition).map_err(|_| {
            let message = format!("a file cannot be called {name:?}");
            Fault::new(Code::Internal, message)
        })?;
        Ok(Self {
            content: Content::File {
                form: Form::File {
                    content_type: HeaderValue::from_static(content_type),
                    disposition: Some(disposition),
                },
                write: Box::new(write),
            },
            until: None,
        })
    }

    /// Of a document that is read where it is, as feeds are.
    pub(crate) fn document(content_type: &'static str, text: String) -> Self {
        Self::document_dated(content_type, move |_| text.clone())
    }

    /// The same, written with the instant at which its content came to be.
    pub(crate) fn document_dated(
        content_type: &'static str,
        write: impl Fn(DateTime<Utc>) -> String + Send + Sync + 'static,
    ) -> Self {
        Self {
            content: Content::File {
                form: Form::File {
                    content_type: HeaderValue::from_static(content_type),
                    disposition: None,
                },
                write: Box::new(write),
            },
            until: None,
        }
    }

    /// The same, which says something else from an instant on.
    pub(crate) fn until(mut self, instant: Option<DateTime<Utc>>) -> Self {
        self.until = instant;
        self
    }
}

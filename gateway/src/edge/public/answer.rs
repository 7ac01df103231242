//! The bytes of a public answer, in each encoding, each under a strong tag of its own (RFC 9110,
//! section 8.8.3.3: encodings of one content are different representations).

use bytes::Bytes;
use chassis::digest;
use http::{
    HeaderMap, HeaderValue,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use tokio::sync::OnceCell;

use super::encoding::Encoding;

/// A longer text is encoded on a blocking thread.
const INLINE_BYTES: usize = 4 << 10;

/// The form of an answer's bytes.
#[derive(Debug, Clone)]
pub(super) enum Form {
    Json,
    /// A file, with its type and its `Content-Disposition` (RFC 6266), if it has one.
    File {
        content_type: HeaderValue,
        disposition: Option<HeaderValue>,
    },
}

impl Form {
    pub(super) fn write(&self, headers: &mut HeaderMap) {
        match self {
            Self::Json => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            }
            Self::File {
                content_type,
                disposition,
            } => {
                headers.insert(CONTENT_TYPE, content_type.clone());
                if let Some(disposition) = disposition {
                    headers.insert(CONTENT_DISPOSITION, disposition.clone());
                }
            }
        }
    }
}

/// An answer that can be served many times. It is encoded when an encoding is first wanted.
#[derive(Debug)]
pub(super) struct Answer {
    /// The digest of the content without its instant.
    pub(super) content: [u8; 32],
    text: Bytes,
    form: Form,
    /// In the order of [`Encoding::ALL`].
    tags: [HeaderValue; Encoding::ALL.len()],
    encoded: [OnceCell<Bytes>; Encoding::ALL.len()],
}

impl Answer {
    pub(super) fn new(content: [u8; 32], text: Bytes, form: Form) -> Self {
        let digest = digest::hex(&text, 12);
        let tags = Encoding::ALL.map(|encoding| {
            let tag = match encoding {
                Encoding::Identity => format!("\"{digest}\""),
                encoding => format!("\"{digest}-{}\"", encoding.name()),
            };
            HeaderValue::from_str(&tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""))
        });
        Self {
            content,
            text,
            form,
            tags,
            encoded: Default::default(),
        }
    }

    pub(super) fn form(&self) -> &Form {
        &self.form
    }

    pub(super) fn tag(&self, encoding: Encoding) -> &HeaderValue {
        &self.tags[encoding.index()]
    }

    /// The bytes in an encoding, or, if encoding fails, plain; with the encoding that they are in.
    pub(super) async fn body(&self, encoding: Encoding) -> (Encoding, Bytes) {
        if encoding == Encoding::Identity {
            return (encoding, self.text.clone());
        }
        let encoded = self.encoded[encoding.index()].get_or_try_init(|| self.encode(encoding));
        match encoded.await {
            Ok(bytes) => (encoding, bytes.clone()),
            Err(error) => {
                tracing::error!(encoding = encoding.name(), error, "cannot be encoded");
                (Encoding::Identity, self.text.clone())
            }
        }
    }

    /// The bytes in an encoding that was wanted before.
    pub(super) fn encoded(&self, encoding: Encoding) -> Option<Bytes> {
        if encoding == Encoding::Identity {
            return Some(self.text.clone());
        }
        self.encoded[encoding.index()].get().cloned()
    }

    async fn encode(&self, encoding: Encoding) -> Result<Bytes, String> {
        let text = self.text.clone();
        let encode = move || encoding.encode(&text).map(Bytes::from);
        let encoded = if self.text.len() <= INLINE_BYTES {
            encode()
        } else {
            let task = tokio::task::spawn_blocking(encode);
            task.await.map_err(|error| error.to_string())?
        };
        encoded.map_err(|error| error.to_string())
    }

    /// The bytes that it takes in memory: its encodings together are shorter than its text.
    pub(super) fn weight(&self) -> usize {
        2 * self.text.len() + size_of::<Self>()
    }
}

/// Whether an `If-None-Match` names a tag; weak comparison (RFC 9110, section 13.1.2).
pub(super) fn names(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(known), Ok(tag)) = (known.to_str(), tag.to_str()) else {
        return false;
    };
    known.trim() == "*"
        || known
            .split(',')
            .any(|one| one.trim().trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_encoding_has_a_tag_and_is_made_once() {
        let answer = Answer::new([0; 32], Bytes::from("words ".repeat(5_000)), Form::Json);
        let mut tags: Vec<_> = Encoding::ALL.map(|encoding| answer.tag(encoding)).into();
        tags.dedup();
        assert_eq!(tags.len(), 4);
        let (encoding, first) = answer.body(Encoding::Brotli).await;
        assert_eq!(encoding, Encoding::Brotli);
        assert!(first.len() < 300, "{}", first.len());
        let (_, again) = answer.body(Encoding::Brotli).await;
        assert_eq!(first.as_ptr(), again.as_ptr());
    }

    #[test]
    fn a_client_may_know_several_tags() {
        let names = |known: &'static str| {
            names(
                &HeaderValue::from_static(known),
                &HeaderValue::from_static("\"a-br\""),
            )
        };
        for known in ["\"a-br\"", "W/\"a-br\"", "\"x\", \"a-br\"", "*"] {
            assert!(names(known), "{known}");
        }
        for known in ["", "\"a\"", "\"a-gzip\"", "a-br"] {
            assert!(!names(known), "{known}");
        }
    }
}

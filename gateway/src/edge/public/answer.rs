//! The bytes of a public response in each encoding. Each encoding has its own strong tag, because encodings of the same
//! content are different representations (RFC 9110, section 8.8.3.3).

use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use chassis::digest;
use http::{
    HeaderMap, HeaderValue,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use tokio::sync::OnceCell;

use super::encoding::{Effort, Encoding};

/// Longer texts are encoded on a blocking thread.
const INLINE_BYTES: usize = 16 << 10;

/// The media type of a response.
#[derive(Debug, Clone)]
pub(super) enum Form {
    Json,
    /// A file with its content type and optional `Content-Disposition` (RFC 6266).
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

/// An encoding and its effort, with its own bytes and tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) encoding: Encoding,
    pub(super) effort: Effort,
}

impl Variant {
    const PLAIN: Self = Self {
        encoding: Encoding::Identity,
        effort: Effort::Best,
    };
}

/// The bytes of a variant, encoded on demand.
#[derive(Debug)]
struct Encoded {
    tag: HeaderValue,
    bytes: OnceCell<Bytes>,
}

/// A response that can be served many times. The first request for an encoding uses a quick one; repeated requests
/// produce the best one.
#[derive(Debug)]
pub(super) struct Answer {
    /// The digest of the content without its computation time.
    pub(super) content: [u8; 32],
    text: Bytes,
    form: Form,
    /// Indexed in the orders of [`Encoding::ALL`] and [`Effort::ALL`].
    encoded: [[Encoded; Effort::ALL.len()]; Encoding::ALL.len()],
    /// How often each encoding was served before its best variant was ready.
    served: [AtomicU32; Encoding::ALL.len()],
}

impl Answer {
    pub(super) fn new(content: [u8; 32], text: Bytes, form: Form) -> Self {
        let digest = digest::hex(&text, 12);
        let encoded = Encoding::ALL.map(|encoding| {
            Effort::ALL.map(|effort| {
                let tag = match (encoding, effort) {
                    (Encoding::Identity, _) => format!("\"{digest}\""),
                    (encoding, Effort::Best) => format!("\"{digest}-{}\"", encoding.name()),
                    (encoding, Effort::Quick) => format!("\"{digest}-{}-quick\"", encoding.name()),
                };
                Encoded {
                    tag: HeaderValue::from_str(&tag)
                        .unwrap_or_else(|_| HeaderValue::from_static("\"\"")),
                    bytes: OnceCell::new(),
                }
            })
        });
        Self {
            content,
            text,
            form,
            encoded,
            served: Default::default(),
        }
    }

    pub(super) fn form(&self) -> &Form {
        &self.form
    }

    pub(super) fn tag(&self, variant: Variant) -> &HeaderValue {
        &self.cell(variant).tag
    }

    /// Returns the variant of an encoding that is served now.
    pub(super) fn current(&self, encoding: Encoding) -> Variant {
        let best = Variant {
            encoding,
            effort: Effort::Best,
        };
        if encoding == Encoding::Identity || self.cell(best).bytes.initialized() {
            return best;
        }
        Variant {
            encoding,
            effort: Effort::Quick,
        }
    }

    /// Returns the variant of an encoding that an `If-None-Match` names. Another replica may have served a better
    /// variant.
    pub(super) fn known(&self, known: &HeaderValue, encoding: Encoding) -> Option<Variant> {
        let current = self.current(encoding);
        let mut variants = Effort::ALL.map(|effort| Variant { encoding, effort });
        variants.sort_by_key(|variant| *variant != current);
        let mut variants = variants.into_iter();
        variants.find(|variant| names(known, self.tag(*variant)))
    }

    /// Returns the bytes in an encoding, or unencoded if encoding fails, with their variant.
    pub(super) async fn body(&self, encoding: Encoding) -> (Variant, Bytes) {
        if encoding == Encoding::Identity {
            return (Variant::PLAIN, self.text.clone());
        }
        let variant = self.current(encoding);
        match self.make(variant).await {
            Ok(bytes) => (variant, bytes),
            Err(error) => {
                tracing::error!(
                    encoding = encoding.name(),
                    error,
                    "a public response could not be encoded"
                );
                (Variant::PLAIN, self.text.clone())
            }
        }
    }

    /// Returns the bytes of a variant that is already encoded.
    pub(super) fn encoded(&self, variant: Variant) -> Option<Bytes> {
        if variant.encoding == Encoding::Identity {
            return Some(self.text.clone());
        }
        self.cell(variant).bytes.get().cloned()
    }

    /// Counts a served variant. Returns whether to start making the best variant of its encoding.
    pub(super) fn note_served(&self, variant: Variant) -> bool {
        // The second request shows demand and starts the first attempt. Every 64th request starts another, in case an
        // attempt was dropped.
        const NEXT_ATTEMPT: u32 = 64;
        variant.effort == Effort::Quick
            && self.served[variant.encoding.index()].fetch_add(1, Ordering::Relaxed) % NEXT_ATTEMPT
                == 1
    }

    /// Returns the bytes of a variant and encodes them if necessary.
    pub(super) async fn make(&self, variant: Variant) -> Result<Bytes, String> {
        let bytes = &self.cell(variant).bytes;
        bytes
            .get_or_try_init(|| self.encode(variant))
            .await
            .cloned()
    }

    async fn encode(&self, variant: Variant) -> Result<Bytes, String> {
        let Variant { encoding, effort } = variant;
        let text = self.text.clone();
        let encode = move || encoding.encode(&text, effort).map(Bytes::from);
        let encoded = if effort == Effort::Quick && self.text.len() <= INLINE_BYTES {
            encode()
        } else {
            let task = tokio::task::spawn_blocking(encode);
            task.await.map_err(|error| error.to_string())?
        };
        metrics::counter!("gateway_cache_encodings_total", "effort" => effort.name()).increment(1);
        encoded.map_err(|error| error.to_string())
    }

    fn cell(&self, variant: Variant) -> &Encoded {
        &self.encoded[variant.encoding.index()][variant.effort.index()]
    }

    /// Memory size in bytes: the encodings together are shorter than twice the text.
    pub(super) fn weight(&self) -> usize {
        3 * self.text.len() + size_of::<Self>()
    }
}

/// Whether an `If-None-Match` matches a tag, by weak comparison (RFC 9110, section 13.1.2).
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

    fn answer() -> Answer {
        let numbers = (0..5_000_u64).map(|n| (n * n % 7919).to_string());
        let text = numbers.collect::<Vec<_>>().join(" ");
        Answer::new([0; 32], Bytes::from(text), Form::Json)
    }

    #[tokio::test]
    async fn each_variant_has_a_tag_and_is_made_once() {
        let answer = answer();
        let mut tags = Vec::new();
        for encoding in Encoding::ALL {
            for effort in Effort::ALL {
                tags.push(answer.tag(Variant { encoding, effort }));
            }
        }
        tags.sort_by_key(|tag| tag.as_bytes().to_vec());
        tags.dedup();
        assert_eq!(tags.len(), 7, "two of each, and one of the plain text");
        let (variant, first) = answer.body(Encoding::Brotli).await;
        assert_eq!(variant.encoding, Encoding::Brotli);
        let (_, again) = answer.body(Encoding::Brotli).await;
        assert_eq!(first.as_ptr(), again.as_ptr());
    }

    #[tokio::test]
    async fn the_best_is_made_when_an_encoding_is_wanted_again_and_both_tags_stay_known() {
        let answer = answer();
        let (quick, first) = answer.body(Encoding::Brotli).await;
        assert!(!answer.note_served(quick), "nobody may ask again");
        assert!(answer.note_served(quick));
        assert!(!answer.note_served(quick), "it is being made");
        let best = Variant {
            effort: Effort::Best,
            ..quick
        };
        let made = answer.make(best).await.expect("encodes");
        assert!(made.len() < first.len(), "{} {}", made.len(), first.len());
        assert_eq!(answer.body(Encoding::Brotli).await, (best, made));
        for variant in [quick, best] {
            let known = answer.known(answer.tag(variant), Encoding::Brotli);
            assert_eq!(known, Some(variant));
        }
        let any = HeaderValue::from_static("*");
        assert_eq!(answer.known(&any, Encoding::Brotli), Some(best));
        let gzip = answer.tag(answer.current(Encoding::Gzip));
        assert_eq!(answer.known(gzip, Encoding::Brotli), None);
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

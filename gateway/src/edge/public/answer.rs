//! The bytes of a public answer, in each encoding, each under a strong tag of its own (RFC 9110,
//! section 8.8.3.3: encodings of one content are different representations).

use std::sync::atomic::{AtomicU32, Ordering};

use bytes::Bytes;
use chassis::digest;
use http::{
    HeaderMap, HeaderValue,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE},
};
use tokio::sync::OnceCell;

use super::encoding::{Effort, Encoding};

/// A longer text is encoded on a blocking thread.
const INLINE_BYTES: usize = 16 << 10;

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

/// One of the forms in which an answer is served, with bytes and a tag of its own.
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

/// The bytes of a variant, once they are wanted.
#[derive(Debug)]
struct Encoded {
    tag: HeaderValue,
    bytes: OnceCell<Bytes>,
}

/// An answer that can be served many times. It is encoded quickly when an encoding is first wanted, and better when
/// it is wanted again.
#[derive(Debug)]
pub(super) struct Answer {
    /// The digest of the content without its instant.
    pub(super) content: [u8; 32],
    text: Bytes,
    form: Form,
    /// In the orders of [`Encoding::ALL`] and [`Effort::ALL`].
    encoded: [[Encoded; Effort::ALL.len()]; Encoding::ALL.len()],
    /// How often each encoding was served before its best was there.
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

    /// The variant of an encoding that is served now.
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

    /// The variant of an encoding that an `If-None-Match` names. Another replica may have served a better one.
    pub(super) fn known(&self, known: &HeaderValue, encoding: Encoding) -> Option<Variant> {
        let current = self.current(encoding);
        let mut variants = Effort::ALL.map(|effort| Variant { encoding, effort });
        variants.sort_by_key(|variant| *variant != current);
        let mut variants = variants.into_iter();
        variants.find(|variant| names(known, self.tag(*variant)))
    }

    /// The bytes in an encoding, or, if encoding fails, plain; with the variant that they are.
    pub(super) async fn body(&self, encoding: Encoding) -> (Variant, Bytes) {
        if encoding == Encoding::Identity {
            return (Variant::PLAIN, self.text.clone());
        }
        let variant = self.current(encoding);
        match self.make(variant).await {
            Ok(bytes) => (variant, bytes),
            Err(error) => {
                tracing::error!(encoding = encoding.name(), error, "cannot be encoded");
                (Variant::PLAIN, self.text.clone())
            }
        }
    }

    /// The bytes of a variant that was wanted before.
    pub(super) fn encoded(&self, variant: Variant) -> Option<Bytes> {
        if variant.encoding == Encoding::Identity {
            return Some(self.text.clone());
        }
        self.cell(variant).bytes.get().cloned()
    }

    /// Notes that a variant is served; returns whether it is time to make its encoding's best.
    pub(super) fn note_served(&self, variant: Variant) -> bool {
        // The second request shows that more may come. Then once in a while, should the first attempt be dropped.
        const NEXT_ATTEMPT: u32 = 64;
        variant.effort == Effort::Quick
            && self.served[variant.encoding.index()].fetch_add(1, Ordering::Relaxed) % NEXT_ATTEMPT
                == 1
    }

    /// The bytes of a variant, made if nobody has wanted them before.
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

    /// The bytes that it takes in memory: its encodings together are shorter than twice its text.
    pub(super) fn weight(&self) -> usize {
        3 * self.text.len() + size_of::<Self>()
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

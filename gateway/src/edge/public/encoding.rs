//! Content encodings: which one a client prefers (RFC 9110, section 12.5.3), and encoding itself.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Request, header::ACCEPT_ENCODING};

const BROTLI_WINDOW: i32 = 22;

/// The processor time that an encoding may take. Brotli at its best takes longer than the rest of a first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// A request waits for it.
    Quick,
    /// It is made in the background of an answer that is asked for again, and served from then on.
    Best,
}

impl Effort {
    pub(super) const ALL: [Self; 2] = [Self::Quick, Self::Best];

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Quick => 0,
            Self::Best => 1,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Best => "best",
        }
    }

    const fn brotli_quality(self) -> i32 {
        match self {
            Self::Quick => 1,
            Self::Best => 5,
        }
    }

    const fn zstd_level(self) -> i32 {
        match self {
            Self::Quick => 1,
            Self::Best => 5,
        }
    }

    const fn gzip_level(self) -> u32 {
        match self {
            Self::Quick => 1,
            Self::Best => 6,
        }
    }
}

/// A content encoding. Among those that a client prefers equally, the first in this order is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Zstd,
    Gzip,
    Identity,
}

impl Encoding {
    pub(super) const ALL: [Self; 4] = [Self::Brotli, Self::Zstd, Self::Gzip, Self::Identity];

    /// The encoding that a request prefers. Identity if it refuses all of ours: an unwanted encoding
    /// serves the client better than no answer.
    pub(super) fn wanted(headers: &HeaderMap) -> Self {
        let mut given = [None; Self::ALL.len()];
        let mut others = None;
        let values = headers.get_all(ACCEPT_ENCODING).into_iter();
        let values = values.filter_map(|value| value.to_str().ok());
        for one in values.flat_map(|value| value.split(',')) {
            let (name, weight) = one
                .split_once(';')
                .map_or((one, FULL_WEIGHT), |(name, weight)| {
                    (name, weight_of(weight))
                });
            let name = name.trim();
            if name == "*" {
                others = Some(weight);
            } else if let Some(coding) = Self::ALL.into_iter().find(|coding| coding.is(name)) {
                given[coding.index()] = Some(weight);
            }
        }
        let weight = |coding: Self| {
            // Identity is acceptable without being named, and the last resort.
            given[coding.index()].or(others).unwrap_or_default()
        };
        let mut best = (Self::Identity, weight(Self::Identity));
        for coding in Self::ALL.into_iter().rev() {
            if weight(coding) > 0 && weight(coding) >= best.1 {
                best = (coding, weight(coding));
            }
        }
        best.0
    }

    fn is(self, name: &str) -> bool {
        let is_alias = self == Self::Gzip && name.eq_ignore_ascii_case("x-gzip");
        is_alias || name.eq_ignore_ascii_case(self.name())
    }

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Brotli => 0,
            Self::Zstd => 1,
            Self::Gzip => 2,
            Self::Identity => 3,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// The value of `Content-Encoding`; identity has none.
    pub(super) fn header(self) -> Option<HeaderValue> {
        (self != Self::Identity).then(|| HeaderValue::from_static(self.name()))
    }

    /// Encodes a text. It takes processor time.
    pub(super) fn encode(self, text: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        match self {
            Self::Identity => Ok(text.to_vec()),
            Self::Zstd => zstd::bulk::compress(text, effort.zstd_level()),
            Self::Gzip => {
                let level = flate2::Compression::new(effort.gzip_level());
                let mut encoder = GzEncoder::new(Vec::new(), level);
                encoder.write_all(text)?;
                encoder.finish()
            }
            Self::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: effort.brotli_quality(),
                    lgwin: BROTLI_WINDOW,
                    size_hint: text.len(),
                    ..Default::default()
                };
                let mut encoded = Vec::new();
                brotli::BrotliCompress(&mut &*text, &mut encoded, &params)?;
                Ok(encoded)
            }
        }
    }
}

/// Removes `Accept-Encoding` from a request that will get plain bytes: the compression layer would refuse
/// a request that accepts no encoding at all, not even identity.
pub(crate) fn relax<B>(mut request: Request<B>) -> Request<B> {
    if Encoding::wanted(request.headers()) == Encoding::Identity {
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    request
}

/// The weight of an encoding without `q`.
const FULL_WEIGHT: u16 = 1_000;

/// A weight in thousandths; 0, so refused, if it is malformed (section 12.4.2).
fn weight_of(parameter: &str) -> u16 {
    let parameter = parameter.trim();
    let value = parameter
        .strip_prefix("q=")
        .or_else(|| parameter.strip_prefix("Q="));
    let Some(value) = value else { return 0 };
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    let is_plain = part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    match (whole, format!("{part:0<3}").parse::<u16>()) {
        ("0", Ok(part)) if is_plain => part,
        ("1", Ok(0)) if is_plain => FULL_WEIGHT,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn wanted(accept: &[&'static str]) -> &'static str {
        let mut headers = HeaderMap::new();
        for value in accept {
            headers.append(ACCEPT_ENCODING, HeaderValue::from_static(value));
        }
        Encoding::wanted(&headers).name()
    }

    #[test]
    fn the_best_liked_is_taken_and_ours_among_equals() {
        for (accept, expected) in [
            (&[][..], "identity"),
            (&[""], "identity"),
            (&["gzip, deflate, br, zstd"], "br"),
            (&["gzip", "zstd"], "zstd"),
            (&["gzip"], "gzip"),
            (&["x-gzip"], "gzip"),
            (&["GZIP;Q=0.5"], "gzip"),
            (&["br;q=0"], "identity"),
            (&["br;q=0, gzip"], "gzip"),
            (&["br;q=0, *"], "zstd"),
            (&["*"], "br"),
            (&["*;q=0"], "identity"),
            (&["gzip;q=1.0, br;q=0.999"], "gzip"),
            (&["br ; q=0.2 , zstd;q=0.3"], "zstd"),
            (&["identity, br;q=0.5"], "identity"),
            (&["identity;q=0"], "identity"),
            (&["br;q=2, gzip;q=0.1"], "gzip"),
            (&["br;q=0.0001, br;q=x"], "identity"),
            (&["deflate, compress;q=1"], "identity"),
        ] {
            assert_eq!(wanted(accept), expected, "{accept:?}");
        }
    }

    #[test]
    fn each_encoding_is_read_back() {
        let text = "a place, ".repeat(1_000);
        for effort in Effort::ALL {
            let encoded = |encoding: Encoding| {
                let encoded = encoding.encode(text.as_bytes(), effort);
                encoded.expect("encodes")
            };
            let mut read = String::new();
            brotli::Decompressor::new(&*encoded(Encoding::Brotli), 4_096)
                .read_to_string(&mut read)
                .expect("brotli");
            assert_eq!(read, text);
            read.clear();
            flate2::read::GzDecoder::new(&*encoded(Encoding::Gzip))
                .read_to_string(&mut read)
                .expect("gzip");
            assert_eq!(read, text);
            let zstd = zstd::bulk::decompress(&encoded(Encoding::Zstd), text.len()).expect("zstd");
            assert_eq!(zstd, text.as_bytes());
        }
    }
}

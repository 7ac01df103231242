//! Content encodings: the client's preference (RFC 9110, section 12.5.3) and the encoding itself.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Request, header::ACCEPT_ENCODING};

const BROTLI_WINDOW: i32 = 22;

/// How much processor time an encoding may take. The best Brotli takes longer than the rest of a first response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Used while a request waits.
    Quick,
    /// Made in the background after repeated requests and served from then on.
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

/// A content encoding. If the client has no preference between encodings, the first in this order is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Zstd,
    Gzip,
    Identity,
}

impl Encoding {
    pub(super) const ALL: [Self; 4] = [Self::Brotli, Self::Zstd, Self::Gzip, Self::Identity];

    /// Returns the encoding that a request prefers. If it accepts no available encoding, returns identity, because an
    /// unwanted encoding is better than no response.
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
            // Identity is the fallback and acceptable even if it is not named.
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

    /// Returns the value of `Content-Encoding`; identity has none.
    pub(super) fn header(self) -> Option<HeaderValue> {
        (self != Self::Identity).then(|| HeaderValue::from_static(self.name()))
    }

    /// Encodes a text. Uses a lot of processor time.
    pub(crate) fn encode(self, text: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
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

/// Removes `Accept-Encoding` from a request with an unencoded response: the compression layer would reject a request
/// that accepts no encoding, not even identity.
pub(crate) fn relax<B>(mut request: Request<B>) -> Request<B> {
    if Encoding::wanted(request.headers()) == Encoding::Identity {
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    request
}

/// Weight of an encoding without `q`, in thousandths.
const FULL_WEIGHT: u16 = 1_000;

/// Parses a weight, in thousandths; 0 (not acceptable) if it is malformed (section 12.4.2).
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

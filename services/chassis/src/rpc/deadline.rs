//! The `grpc-timeout` header, which transmits the deadline (gRPC over HTTP/2, "Requests").

use std::time::Duration;

use http::{HeaderMap, HeaderValue};

const HEADER: &str = "grpc-timeout";

/// The largest number that the specification allows: eight digits.
const MAX_DIGITS: u128 = 99_999_999;

/// Writes the caller's remaining time in milliseconds, or in seconds if there are too many digits.
pub(super) fn write(headers: &mut HeaderMap, remaining: Duration) {
    let millis = remaining.as_millis();
    let text = if millis <= MAX_DIGITS {
        format!("{millis}m")
    } else {
        format!("{}S", u128::from(remaining.as_secs()).min(MAX_DIGITS))
    };
    if let Ok(value) = HeaderValue::from_str(&text) {
        headers.insert(HEADER, value);
    }
}

/// Reads the caller's remaining time; `None` if the header is absent or invalid.
pub(super) fn read(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(HEADER)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 3600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, HeaderValue::from_str(text).expect("a header value"));
        read(&headers)
    }

    #[test]
    fn what_is_written_is_read() {
        for remaining in [
            Duration::ZERO,
            Duration::from_millis(1500),
            Duration::from_secs(200_000),
        ] {
            let mut headers = HeaderMap::new();
            write(&mut headers, remaining);
            assert_eq!(read(&headers), Some(remaining));
        }
    }

    #[test]
    fn units_of_the_specification_are_read_and_nonsense_is_not() {
        assert_eq!(read_text("2H"), Some(Duration::from_hours(2)));
        assert_eq!(read_text("7u"), Some(Duration::from_micros(7)));
        for text in ["", "5", "S", "-1S", "123456789m", "1x", "1.5S"] {
            assert_eq!(read_text(text), None, "{text}");
        }
    }
}

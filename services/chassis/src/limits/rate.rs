//! A rate, as written in settings: `10/min`, `5/5min`, `120/min`.

use std::{borrow::Cow, fmt, str::FromStr, time::Duration};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The units of the window, in seconds.
const UNITS: [(&str, u64); 4] = [("s", 1), ("min", 60), ("h", 3_600), ("d", 86_400)];
/// The maximum window of a rate, in seconds: 31 days.
const MAX_SECONDS: u64 = 31 * 86_400;
/// The maximum count of a rate: tokens less than a microsecond apart cannot be distinguished.
const MAX_COUNT: u32 = 1_000_000;

/// A token bucket's size and the time in which an empty bucket fills, one token at a time, evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate {
    count: u32,
    seconds: u64,
}

impl Rate {
    /// A rate per minute; `count` is at least 1.
    #[must_use]
    pub const fn per_minute(count: u32) -> Self {
        Self { count, seconds: 60 }
    }

    /// The number of tokens in a full bucket, at least 1.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The time in which an empty bucket fills, at least 1 s.
    #[must_use]
    pub const fn window(self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// A rate with `factor` times as many tokens in the same window.
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        Self {
            count: self.count.saturating_mul(factor).clamp(1, MAX_COUNT),
            ..self
        }
    }

    /// Microseconds between two tokens, at least 1.
    pub(super) fn interval_micros(self) -> i64 {
        let micros = self.seconds * 1_000_000 / u64::from(self.count);
        i64::try_from(micros).unwrap_or(i64::MAX)
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| {
            format!(
                "{text:?} is no rate: write a number from 1 to {MAX_COUNT}, a slash and a time of at most \
                 31 days in s, min, h or d, as 10/min or 5/5min"
            )
        })
    }
}

fn parse(text: &str) -> Option<Rate> {
    let (count, time) = text.split_once('/')?;
    let number = |digits: &str| {
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse::<u32>().ok()).flatten()
    };
    let unit_at = time.find(|c: char| !c.is_ascii_digit())?;
    let (times, unit) = time.split_at(unit_at);
    let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let times = if times.is_empty() { 1 } else { number(times)? };
    let (count, seconds) = (number(count)?, u64::from(times) * unit);
    let fits = (1..=MAX_COUNT).contains(&count) && (1..=MAX_SECONDS).contains(&seconds);
    fits.then_some(Rate { count, seconds })
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, unit) = UNITS
            .iter()
            .rev()
            .find(|(_, unit)| self.seconds.is_multiple_of(*unit))
            .unwrap_or(&UNITS[0]);
        match self.seconds / unit {
            1 => write!(f, "{}/{name}", self.count),
            times => write!(f, "{}/{times}{name}", self.count),
        }
    }
}

impl TryFrom<String> for Rate {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> Self {
        rate.to_string()
    }
}

impl JsonSchema for Rate {
    fn schema_name() -> Cow<'static, str> {
        "Rate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How many in which time: 10/min, 5/5min, 5/h.",
            "type": "string",
            "pattern": "^[0-9]+/[0-9]*(s|min|h|d)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_read_as_it_is_written() {
        for (text, count, seconds) in [
            ("10/min", 10, 60),
            ("5/5min", 5, 300),
            ("5/h", 5, 3_600),
            ("3/90s", 3, 90),
            ("1000000/s", 1_000_000, 1),
            ("1/31d", 1, 31 * 86_400),
        ] {
            let rate: Rate = text.parse().expect(text);
            assert_eq!((rate.count(), rate.window().as_secs()), (count, seconds));
            assert_eq!(rate.to_string(), text);
            assert!(rate.interval_micros() >= 1);
        }
        assert_eq!(
            "5/60s".parse::<Rate>().expect("a rate").to_string(),
            "5/min"
        );
    }

    #[test]
    fn what_is_no_rate_is_refused_with_a_word_on_how_to_write_one() {
        for text in [
            "",
            "5",
            "5/",
            "/min",
            "0/min",
            "5/0min",
            "5/month",
            "-5/min",
            "5 / min",
            "5/min ",
            "+5/min",
            "1.5/min",
            "1000001/s",
            "5/32d",
            "99999999999/s",
            "5/99999999999s",
        ] {
            let error = text.parse::<Rate>().expect_err(text);
            assert!(error.contains("10/min"), "{error}");
        }
    }
}

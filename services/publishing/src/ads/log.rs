//! The event log as a file, in JSON, so that an advertiser can recompute an invoice: the keys of its signatures on the
//! first line, then one batch per line.

use ad_delivery::{LogKey, LoggedBatch, LoggedEvent};
use chassis::digest;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The keys of the log's signatures, as the first line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogFileKeys {
    keys: Vec<LogFileKey>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LogFileKey {
    position: i64,
    public_key: String,
    first_used_at_milliseconds: i64,
    handover: String,
    acceptance: String,
}

impl LogFileKeys {
    /// Converts keys to a line.
    #[must_use]
    pub fn of(keys: &[LogKey]) -> Self {
        let keys = keys.iter().map(|key| LogFileKey {
            position: key.position,
            public_key: digest::text(&key.public_key),
            first_used_at_milliseconds: key.first_used_at.timestamp_millis(),
            handover: digest::text(&key.handover),
            acceptance: digest::text(&key.acceptance),
        });
        Self {
            keys: keys.collect(),
        }
    }

    /// Converts a line to keys; the error message is for the file's reader.
    pub fn keys(self) -> Result<Vec<LogKey>, String> {
        let keys = self.keys.into_iter();
        keys.map(|key| {
            let position = key.position;
            key.read()
                .ok_or_else(|| format!("the key of batch {position} is not valid"))
        })
        .collect()
    }
}

impl LogFileKey {
    fn read(self) -> Option<LogKey> {
        Some(LogKey {
            position: self.position,
            public_key: bytes(&self.public_key)?.try_into().ok()?,
            first_used_at: DateTime::<Utc>::from_timestamp_millis(self.first_used_at_milliseconds)?,
            handover: bytes(&self.handover)?,
            acceptance: bytes(&self.acceptance)?,
        })
    }
}

/// A batch of the log, as a line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogFile {
    position: i64,
    digest: String,
    signature: String,
    is_emptied: bool,
    events: Vec<LoggedEvent>,
}

impl LogFile {
    /// Converts a batch to a line.
    #[must_use]
    pub fn of(batch: LoggedBatch) -> Self {
        Self {
            position: batch.position,
            digest: digest::text(&batch.events_digest),
            signature: digest::text(&batch.signature),
            is_emptied: batch.is_emptied,
            events: batch.events,
        }
    }

    /// Converts a line to a batch; the error message is for the file's reader.
    pub fn batch(self) -> Result<LoggedBatch, String> {
        let position = self.position;
        let broken = || format!("batch {position}: no digest");
        let digest = bytes(&self.digest).and_then(|bytes| bytes.try_into().ok());
        Ok(LoggedBatch {
            position,
            events: self.events,
            events_digest: digest.ok_or_else(broken)?,
            signature: bytes(&self.signature).ok_or_else(broken)?,
            is_emptied: self.is_emptied,
        })
    }
}

/// Decodes hexadecimal bytes.
#[must_use]
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use ad_delivery::{EventKind, Verdict};
    use uuid::Uuid;

    use super::*;

    fn batch() -> LoggedBatch {
        LoggedBatch {
            position: 7,
            events_digest: [0xab; 32],
            signature: vec![0, 1, 255],
            events: vec![LoggedEvent {
                opportunity: Uuid::from_u128(9),
                kind: EventKind::Viewable,
                at: 1_764_590_400_123,
                campaign: "kayaks".to_owned(),
                line_item: "home".to_owned(),
                creative: "wide".to_owned(),
                position: "lead".to_owned(),
                verdict: Verdict::TooSoon,
            }],
            is_emptied: false,
        }
    }

    /// Advertisers store these files, so their format must not change.
    #[test]
    fn a_line_says_everything_and_is_read_as_it_was_written() {
        let line = serde_json::to_string(&LogFile::of(batch())).expect("data");
        let digest = "ab".repeat(32);
        let expected = format!(
            "{{\"position\":7,\"digest\":\"{digest}\",\"signature\":\"0001ff\",\"is_emptied\":false,\"events\":\
             [{{\"opportunity\":\"00000000-0000-0000-0000-000000000009\",\"kind\":\"viewable\",\
             \"at_milliseconds\":1764590400123,\"campaign\":\"kayaks\",\"line_item\":\"home\",\"creative\":\"wide\",\
             \"position\":\"lead\",\"verdict\":\"too_soon\"}}]}}"
        );
        assert_eq!(line, expected);
        let read: LogFile = serde_json::from_str(&line).expect("a line");
        assert_eq!(read.batch(), Ok(batch()));
    }

    #[test]
    fn the_line_of_keys_says_everything_and_is_read_as_it_was_written() {
        let key = LogKey {
            position: 7,
            public_key: [0xab; 32],
            first_used_at: DateTime::UNIX_EPOCH,
            handover: Vec::new(),
            acceptance: vec![0, 1, 255],
        };
        let line =
            serde_json::to_string(&LogFileKeys::of(std::slice::from_ref(&key))).expect("data");
        let digits = "ab".repeat(32);
        let expected = format!(
            "{{\"keys\":[{{\"position\":7,\"public_key\":\"{digits}\",\"first_used_at_milliseconds\":0,\
             \"handover\":\"\",\"acceptance\":\"0001ff\"}}]}}"
        );
        assert_eq!(line, expected);
        let read = |line: &str| serde_json::from_str::<LogFileKeys>(line).map(LogFileKeys::keys);
        assert_eq!(read(&line).expect("a line"), Ok(vec![key]));
        let shorter = read(&line.replace("abab", "ab")).expect("a line");
        assert_eq!(shorter, Err("the key of batch 7 is not valid".to_owned()));
    }

    #[test]
    fn what_is_no_line_is_refused_with_why() {
        let line = serde_json::to_string(&LogFile::of(batch())).expect("data");
        for (from, to, why) in [
            ("viewable", "seen", "an unknown kind: \"seen\""),
            ("too_soon", "", "an unknown verdict: \"\""),
            ("\"kind\"", "\"more\":1,\"kind\"", "unknown field `more`"),
        ] {
            let changed = line.replace(from, to);
            let refused = serde_json::from_str::<LogFile>(&changed).expect_err(to);
            assert!(refused.to_string().contains(why), "{refused}");
        }
        let shorter = line.replace("abab", "ab");
        let read: LogFile = serde_json::from_str(&shorter).expect("a line");
        assert_eq!(read.batch(), Err("batch 7: no digest".to_owned()));
    }
}

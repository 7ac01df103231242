//! The event log as a file: one batch per line, in JSON, so that an advertiser can recompute an invoice.

use ad_delivery::{LoggedBatch, LoggedEvent};
use serde::{Deserialize, Serialize};

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
            digest: chassis::digest::text(&batch.events_digest),
            signature: chassis::digest::text(&batch.signature),
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

//! Returned mail: a Maildir with reports of undeliverable emails (RFC 3464).

use std::{
    io,
    path::{Path, PathBuf},
};

use chassis::mail::Reply;
use mail_parser::{Message, MessageParser, MimeHeaders};
use tokio::io::AsyncReadExt;

/// Number of bytes read from a message: the report precedes the returned message.
const MAX_BYTES: u64 = 256 * 1024;
/// Headers with the recipient's address: first the receiving server's headers, then the sender's.
const RECIPIENT_HEADERS: [&str; 4] = ["Delivered-To", "X-Original-To", "Envelope-To", "To"];

/// A Maildir (<https://cr.yp.to/proto/maildir.html>) into which a mail server delivers returned mail.
#[derive(Debug, Clone)]
pub(crate) struct Mailbox(PathBuf);

impl Mailbox {
    /// Opens the Maildir at this path; `None` if the path is empty.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        (!path.as_os_str().is_empty()).then(|| Self(path.to_owned()))
    }

    /// Returns at most this many unprocessed message files.
    pub(crate) async fn new_files(&self, most: usize) -> io::Result<Vec<PathBuf>> {
        let mut entries = tokio::fs::read_dir(self.0.join("new")).await?;
        let mut files = Vec::new();
        while files.len() < most {
            let Some(entry) = entries.next_entry().await? else {
                break;
            };
            if entry.file_type().await?.is_file() {
                files.push(entry.path());
            }
        }
        Ok(files)
    }
}

/// Reads the beginning of a message file, including the report if there is one.
pub(crate) async fn read(file: &Path) -> io::Result<Vec<u8>> {
    let file = tokio::fs::File::open(file).await?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// A returned message, or another message to a return address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Returned {
    /// Recipient addresses.
    pub(crate) to: Vec<String>,
    /// Why the original email was not delivered; `None` if unknown or not final.
    pub(crate) failure: Option<Reply>,
}

impl Returned {
    /// Parses a message.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let message = MessageParser::default().parse(bytes)?;
        Some(Self {
            to: recipients(&message),
            failure: failure(&message),
        })
    }
}

fn recipients(message: &Message<'_>) -> Vec<String> {
    let wanted = |name: &str| {
        RECIPIENT_HEADERS
            .iter()
            .any(|one| one.eq_ignore_ascii_case(name))
    };
    let values = message.headers_raw().filter(|(name, _)| wanted(name));
    let words = values.flat_map(|(_, value)| {
        value.split(|letter: char| letter.is_whitespace() || "<>,;\"".contains(letter))
    });
    words
        .filter(|word| word.contains('@'))
        .map(str::to_owned)
        .collect()
}

/// Returns the failure of the first failed recipient in a report.
fn failure(message: &Message<'_>) -> Option<Reply> {
    let is_report = |part: &&mail_parser::MessagePart<'_>| {
        part.content_type().is_some_and(|kind| {
            kind.ctype().eq_ignore_ascii_case("message")
                && kind.subtype().is_some_and(|subtype| {
                    subtype.eq_ignore_ascii_case("delivery-status")
                        || subtype.eq_ignore_ascii_case("global-delivery-status")
                })
        })
    };
    let report = message.parts.iter().find(is_report)?;
    let text = String::from_utf8_lossy(report.contents()).replace("\r\n", "\n");
    // The fields of the message come first, followed by the fields of each recipient, separated by empty lines.
    text.split("\n\n").find_map(|group| {
        let fields = MessageParser::default().parse_headers(group.as_bytes())?;
        let field = |name: &'static str| fields.header_raw(name).map(str::trim);
        let has_failed = field("Action").is_some_and(|one| one.eq_ignore_ascii_case("failed"));
        has_failed.then(|| reply(field("Status"), field("Diagnostic-Code")))
    })
}

/// Parses the server's reply in a report: `5.1.1` and `smtp; 550 5.1.1 no such user`.
fn reply(status: Option<&str>, diagnostic: Option<&str>) -> Reply {
    let words = diagnostic.map_or("", |text| {
        text.split_once(';').map_or(text, |(_, words)| words).trim()
    });
    let (first, rest) = words.split_once([' ', '-']).unwrap_or((words, ""));
    let code = first.parse().ok().filter(|code| (200..600).contains(code));
    let status = status.unwrap_or_default();
    let number = status.split_whitespace().next().unwrap_or_default();
    let numbers: Vec<u8> = number
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect();
    Reply {
        code: code.unwrap_or_default(),
        enhanced: numbers.try_into().unwrap_or_default(),
        words: match (code, words) {
            (Some(_), _) => rest.to_owned(),
            (None, "") => status.to_owned(),
            (None, words) => words.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report in Postfix's format, with the fields of one recipient.
    fn report(fields: &str) -> String {
        format!(
            "Return-Path: <>\r\nX-Original-To: bounces+1-2-aa@guide.example\r\n\
             To: bounces+1-2-aa@guide.example\r\nFrom: MAILER-DAEMON@mx.example\r\n\
             Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary=\"b\"\r\n\r\n\
             --b\r\nContent-Type: text/plain\r\n\r\nI'm sorry to have to inform you.\r\n\
             --b\r\nContent-Type: message/delivery-status\r\n\r\n\
             Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; ada@example.com\r\n{fields}\r\n\
             --b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Win a canoe\r\n\r\nWords.\r\n--b--\r\n"
        )
    }

    fn read(fields: &str) -> Option<Reply> {
        let returned = Returned::parse(report(fields).as_bytes()).expect("a letter");
        assert!(
            returned
                .to
                .contains(&"bounces+1-2-aa@guide.example".to_owned())
        );
        returned.failure
    }

    #[test]
    fn a_report_tells_why_a_letter_was_not_delivered() {
        let failed = read(
            "Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such\r\n user here",
        );
        let failed = failed.expect("a failure");
        assert_eq!((failed.code, failed.enhanced), (550, [5, 1, 1]));
        assert!(failed.words.starts_with("5.1.1 no such"), "{failed:?}");
        let bare = read("Action: Failed\r\nStatus: 5.0.0 (unknown)").expect("a failure");
        assert_eq!((bare.code, bare.enhanced), (0, [5, 0, 0]));
    }

    #[test]
    fn what_is_on_its_way_or_no_report_is_no_failure() {
        assert_eq!(read("Action: delayed\r\nStatus: 4.4.1"), None);
        assert_eq!(read("Action: delivered\r\nStatus: 2.0.0"), None);
        let away = "To: Bounces <bounces+1-2-aa@guide.example>\r\nSubject: I am away\r\n\r\nUntil Monday: 550 5.1.1.\r\n";
        let away = Returned::parse(away.as_bytes()).expect("a letter");
        assert_eq!(away.failure, None);
        assert_eq!(away.to, ["bounces+1-2-aa@guide.example"]);
    }

    #[test]
    fn whatever_is_mailed_there_is_read_without_harm() {
        let report = report("Action: failed\r\nStatus: 5.1.1");
        for end in 0..report.len() {
            let _ = Returned::parse(&report.as_bytes()[..end]);
        }
        let nested = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(5_000);
        for odd in [&b""[..], b"\0\xff\xfe", nested.as_bytes()] {
            let _ = Returned::parse(odd);
        }
    }
}

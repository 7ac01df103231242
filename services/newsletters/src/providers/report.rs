//! Parses and verifies reports of each provider.

use base64::{Engine, prelude::BASE64_STANDARD};
use chassis::error::Fault;
use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::{
    event::{Event, MAX, Reported, forged, parse},
    seal::{is_fresh, tag, verify},
    sns::Topic,
};

/// A provider with the secret or topic that authenticates its reports.
#[derive(Debug, Clone)]
pub(crate) enum Reporter {
    Generic(String),
    Mailgun(String),
    Postmark(String),
    Ses(Topic),
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    pub(crate) body: &'a [u8],
    /// `X-Cityguide-Signature`; empty if missing.
    pub(crate) signature: &'a str,
    /// `Authorization`; empty if missing.
    pub(crate) authorization: &'a str,
}

impl Report<'_> {
    /// Verifies a report of a configured provider and returns its events.
    ///
    /// # Errors
    /// `Invalid` if it is not a report of this provider; `Forbidden` if its signature is missing, invalid or too old;
    /// `Unavailable` if Amazon's certificate cannot be fetched.
    pub(crate) async fn read(
        &self,
        reporter: &Reporter,
        now: DateTime<Utc>,
    ) -> Result<Vec<Reported>, Fault> {
        match reporter {
            Reporter::Generic(secret) => self.generic(secret, now),
            Reporter::Mailgun(secret) => self.mailgun(secret, now),
            Reporter::Postmark(secret) => self.postmark(secret),
            Reporter::Ses(topic) => topic.read(self.body, now).await,
        }
    }

    fn body<T: for<'de> Deserialize<'de>>(&self) -> Result<T, Fault> {
        parse(self.body)
    }

    /// Verifies `t=1764081000,v1=…`: the hexadecimal HMAC of the time, a full stop and the body.
    fn generic(&self, secret: &str, now: DateTime<Utc>) -> Result<Vec<Reported>, Fault> {
        let report: Generic = self.body()?;
        if report.events.len() > MAX {
            let why = "At most 100 events in a report.";
            return Err(Fault::invalid_field("events", why));
        }
        let part = |name: &str| {
            let mut parts = self.signature.split(',');
            parts.find_map(|part| part.trim().strip_prefix(name))
        };
        let (Some(at), Some(signature)) = (part("t="), part("v1=")) else {
            return Err(forged());
        };
        verify(secret, &[at.as_bytes(), b".", self.body], signature)?;
        is_fresh(at, now)?;
        let events = report.events.into_iter();
        Ok(events
            .map(|event| Reported {
                email: event.email,
                event: match event.kind {
                    GenericKind::Bounce => Event::Bounced,
                    GenericKind::Complaint => Event::Complained,
                },
            })
            .collect())
    }

    fn mailgun(&self, secret: &str, now: DateTime<Utc>) -> Result<Vec<Reported>, Fault> {
        let report: Mailgun = self.body()?;
        let MailgunSignature {
            timestamp,
            token,
            signature,
        } = &report.signature;
        verify(secret, &[timestamp.as_bytes(), token.as_bytes()], signature)?;
        is_fresh(timestamp, now)?;
        let event = match (report.data.event.as_str(), report.data.severity.as_str()) {
            ("failed", "permanent") => Event::Bounced,
            ("complained", _) => Event::Complained,
            _ => return Ok(Vec::new()),
        };
        let email = report.data.recipient;
        Ok(vec![Reported { email, event }])
    }

    /// Verifies a password (HTTP Basic); the user name is ignored.
    fn postmark(&self, secret: &str) -> Result<Vec<Reported>, Fault> {
        let report: Postmark = self.body()?;
        let given = self
            .authorization
            .strip_prefix("Basic ")
            .unwrap_or_default();
        let given = BASE64_STANDARD.decode(given).unwrap_or_default();
        let given = String::from_utf8(given).unwrap_or_default();
        let password = given.split_once(':').map(|(_, password)| password);
        // Compares tags with the same key, so that the duration does not reveal where the passwords differ.
        let tag = tag(secret, &[secret.as_bytes()])?;
        let given = password.unwrap_or_default();
        verify(secret, &[given.as_bytes()], &chassis::digest::text(&tag))?;
        let event = match (report.record.as_str(), report.kind.as_str()) {
            ("Bounce", "HardBounce" | "BadEmailAddress") => Event::Bounced,
            ("SpamComplaint", _) => Event::Complained,
            _ => return Ok(Vec::new()),
        };
        let email = report.email;
        Ok(vec![Reported { email, event }])
    }
}

#[derive(Deserialize)]
struct Generic {
    events: Vec<GenericEvent>,
}

#[derive(Deserialize)]
struct GenericEvent {
    #[serde(rename = "type")]
    kind: GenericKind,
    email: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GenericKind {
    Bounce,
    Complaint,
}

#[derive(Deserialize)]
struct Mailgun {
    signature: MailgunSignature,
    #[serde(rename = "event-data")]
    data: MailgunEvent,
}

#[derive(Deserialize)]
struct MailgunSignature {
    timestamp: String,
    token: String,
    signature: String,
}

#[derive(Deserialize)]
struct MailgunEvent {
    event: String,
    #[serde(default)]
    severity: String,
    recipient: String,
}

#[derive(Deserialize)]
struct Postmark {
    #[serde(rename = "RecordType")]
    record: String,
    #[serde(rename = "Type", default)]
    kind: String,
    #[serde(rename = "Email")]
    email: String,
}

#[cfg(test)]
mod tests {
    use chassis::error::Code;

    use super::*;

    const SECRET: &str = "a secret";

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_000_000, 0).expect("an instant")
    }

    fn signed(parts: &[&[u8]]) -> String {
        chassis::digest::text(&tag(SECRET, parts).expect("a tag"))
    }

    fn read(
        reporter: fn(String) -> Reporter,
        body: &str,
        (signature, authorization): (&str, &str),
    ) -> Result<Vec<(String, Event)>, Code> {
        let report = Report {
            body: body.as_bytes(),
            signature,
            authorization,
        };
        let reporter = reporter(SECRET.to_owned());
        let read = futures::executor::block_on(report.read(&reporter, now()))
            .map_err(|fault| fault.code)?;
        Ok(read.into_iter().map(|one| (one.email, one.event)).collect())
    }

    fn one(event: Event) -> Vec<(String, Event)> {
        vec![("ada@example.com".to_owned(), event)]
    }

    #[test]
    fn a_signed_report_counts_and_a_forged_or_old_one_does_not() {
        let body = r#"{"events": [{"type": "bounce", "email": "ada@example.com"}]}"#;
        let at = |seconds: i64| {
            let at = seconds.to_string();
            let tag = signed(&[at.as_bytes(), b".", body.as_bytes()]);
            format!("t={at},v1={tag}")
        };
        let generic = |signature: &str| read(Reporter::Generic, body, (signature, ""));
        assert_eq!(generic(&at(1_795_000_000)), Ok(one(Event::Bounced)));
        for forged in [
            String::new(),
            at(1_795_000_000).replace("v1=", "v1=0"),
            at(1_795_000_000).replace("t=1795000000", "t=1795000001"),
            at(1_795_000_000 - 901),
            at(1_795_000_000 + 901),
            "t=,v1=é".to_owned(),
        ] {
            assert_eq!(generic(&forged), Err(Code::Forbidden), "{forged}");
        }
        let other = read(
            Reporter::Generic,
            "{\"events\": 1}",
            (&at(1_795_000_000), ""),
        );
        assert_eq!(other, Err(Code::Invalid));
    }

    #[test]
    fn mailgun_signs_its_instant_and_token() {
        let body = |event: &str, tag: &str| {
            format!(
                r#"{{"signature": {{"timestamp": "1795000000", "token": "t0ken", "signature": "{tag}"}},
                "event-data": {{{event}, "recipient": "ada@example.com"}}}}"#
            )
        };
        let tag = signed(&[b"1795000000", b"t0ken"]);
        let mailgun = |event: &str, tag: &str| read(Reporter::Mailgun, &body(event, tag), ("", ""));
        let bounced = r#""event": "failed", "severity": "permanent""#;
        assert_eq!(mailgun(bounced, &tag), Ok(one(Event::Bounced)));
        let complained = r#""event": "complained""#;
        assert_eq!(mailgun(complained, &tag), Ok(one(Event::Complained)));
        let later = r#""event": "failed", "severity": "temporary""#;
        assert_eq!(mailgun(later, &tag), Ok(Vec::new()));
        assert_eq!(mailgun(bounced, &"0".repeat(64)), Err(Code::Forbidden));
    }

    #[test]
    fn postmark_knows_the_password() {
        let body = |record: &str, kind: &str| {
            format!(r#"{{"RecordType": "{record}", "Type": "{kind}", "Email": "ada@example.com"}}"#)
        };
        let basic = |password: &str| {
            let pair = BASE64_STANDARD.encode(format!("postmark:{password}"));
            format!("Basic {pair}")
        };
        let postmark = |record, kind, password: &str| {
            read(
                Reporter::Postmark,
                &body(record, kind),
                ("", &basic(password)),
            )
        };
        let bounced = postmark("Bounce", "HardBounce", SECRET);
        assert_eq!(bounced, Ok(one(Event::Bounced)));
        let complained = postmark("SpamComplaint", "SpamComplaint", SECRET);
        assert_eq!(complained, Ok(one(Event::Complained)));
        assert_eq!(postmark("Bounce", "SoftBounce", SECRET), Ok(Vec::new()));
        for wrong in ["", "a secre", "a secret "] {
            assert_eq!(
                postmark("Bounce", "HardBounce", wrong),
                Err(Code::Forbidden)
            );
        }
    }
}

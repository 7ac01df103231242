//! An encoded mail (RFC 5322).

use std::time::SystemTime;

use chrono::{DateTime, Utc};
use lettre::{
    Message,
    address::Envelope,
    message::{
        Mailbox, MultiPart, SinglePart,
        header::{HeaderName, HeaderValue},
    },
};
use uuid::Uuid;

use super::{content::Mail, dkim::Signer};
use crate::error::{Code, Fault};

/// Headers that every letter has or that describe its encoding: mails must not set them.
const OWN_HEADERS: [&str; 11] = [
    "Bcc",
    "Cc",
    "Date",
    "From",
    "Message-ID",
    "MIME-Version",
    "Reply-To",
    "Return-Path",
    "Sender",
    "Subject",
    "To",
];

/// An encoded mail, with its envelope.
#[derive(Debug, Clone)]
pub struct Letter {
    /// The mail's id; encoding a mail again yields the same letter.
    pub id: Uuid,
    pub(super) envelope: Envelope,
    pub(super) content: Vec<u8>,
}

impl Letter {
    /// The recipient's domain, in lower case.
    pub(super) fn domain(&self) -> String {
        let to = self.envelope.to().first();
        to.map(|to| to.domain().to_lowercase()).unwrap_or_default()
    }

    /// Encodes a mail of the site. The `Message-ID` is derived from the mail's id, so that duplicates are recognised.
    /// Control characters in names, subjects and headers are refused, so that they cannot inject a header.
    pub fn write(id: Uuid, from: &Mailbox, mail: &Mail, at: DateTime<Utc>) -> Result<Self, Fault> {
        let reply_to = mail.reply_to.as_ref();
        let name = reply_to.and_then(|reply_to| reply_to.name.as_deref());
        let values = mail.headers.iter().map(|(_, value)| value.as_str());
        let mut lines = [mail.subject.as_str()]
            .into_iter()
            .chain(name)
            .chain(values);
        if lines.any(|line| line.chars().any(char::is_control)) {
            let message = format!("mail {id} has a line end in a header");
            return Err(Fault::new(Code::Invalid, message));
        }
        let domain = from.email.domain();
        let mut message = Message::builder()
            .message_id(Some(format!("<{id}@{domain}>")))
            .date(SystemTime::from(at))
            .from(from.clone())
            .to(Mailbox::new(None, mail.to.clone()))
            .subject(mail.subject.clone());
        // An address with non-ASCII characters requires a server that supports it (RFC 6532).
        if let Some(reply_to) = reply_to.filter(|reply_to| reply_to.email.to_string().is_ascii()) {
            message = message.reply_to(reply_to.clone());
        }
        for (name, value) in &mail.headers {
            message = message.raw_header(header(name, value)?);
        }
        let text = mail.text.clone();
        let written = match &mail.html {
            None => message.singlepart(SinglePart::plain(text)),
            Some(html) => {
                let boundary = format!("alternatives-{}", id.simple());
                let parts = MultiPart::alternative().boundary(boundary);
                let parts = parts.singlepart(SinglePart::plain(text));
                message.multipart(parts.singlepart(SinglePart::html(html.clone())))
            }
        };
        let message = written.map_err(|error| {
            let message = format!("mail {id} cannot be written: {error}");
            Fault::new(Code::Internal, message)
        })?;
        let sender = mail.return_path.as_ref().unwrap_or(&from.email);
        let envelope = Envelope::new(Some(sender.clone()), vec![mail.to.clone()]);
        let envelope = envelope.map_err(|error| {
            let message = format!("mail {id} has no envelope: {error}");
            Fault::new(Code::Internal, message)
        })?;
        Ok(Self {
            id,
            envelope,
            content: message.formatted(),
        })
    }

    /// The letter with the site's signature (RFC 6376).
    pub(super) fn signed(mut self, signer: &Signer) -> Result<Self, Fault> {
        let mut content = signer.header(&self.content)?.into_bytes();
        content.append(&mut self.content);
        self.content = content;
        Ok(self)
    }

    /// The headers and body, as sent.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        &self.content
    }
}

/// Creates an additional header. Refuses the names of headers that are set here.
fn header(name: &str, value: &str) -> Result<HeaderValue, Fault> {
    let is_own = OWN_HEADERS.iter().any(|own| own.eq_ignore_ascii_case(name));
    let is_of_content = name.to_ascii_lowercase().starts_with("content-");
    match HeaderName::new_from_ascii(name.to_owned()) {
        Ok(name) if !is_own && !is_of_content => Ok(HeaderValue::new(name, value.to_owned())),
        _ => {
            let message = format!("a mail cannot have the header {name:?}");
            Err(Fault::new(Code::Invalid, message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(mail: &Mail) -> String {
        let from = "City Guide <post@guide.example>"
            .parse()
            .expect("an address");
        let at = "2026-11-20T12:00:00Z".parse().expect("an instant");
        let letter = Letter::write(Uuid::nil(), &from, mail, at).expect("writes");
        String::from_utf8(letter.content().to_vec()).expect("text")
    }

    fn mail() -> Mail {
        Mail {
            about: "contact".to_owned(),
            to: "editor@guide.example".parse().expect("an address"),
            reply_to: Some(Mailbox::new(
                Some("Ada King".to_owned()),
                "ada@example.com".parse().expect("an address"),
            )),
            return_path: None,
            subject: "A question".to_owned(),
            text: "Where is it?\n.\nThere?\n".to_owned(),
            html: None,
            headers: Vec::new(),
        }
    }

    #[test]
    fn a_letter_says_whence_it_comes_and_who_gets_the_answer() {
        let text = written(&mail());
        assert_eq!(text, written(&mail()));
        for header in [
            "Message-ID: <00000000-0000-0000-0000-000000000000@guide.example>",
            "Date: Fri, 20 Nov 2026 12:00:00 +0000",
            "From: \"City Guide\" <post@guide.example>",
            "To: editor@guide.example",
            "Reply-To: \"Ada King\" <ada@example.com>",
            "Subject: A question",
        ] {
            assert!(text.contains(&format!("{header}\r\n")), "{header}: {text}");
        }
        assert!(
            text.ends_with("\r\n\r\nWhere is it?\r\n.\r\nThere?\r\n\r\n"),
            "{text:?}"
        );
    }

    #[test]
    fn no_name_and_no_subject_begins_a_header() {
        let from = "post@guide.example".parse().expect("an address");
        let at = "2026-11-20T12:00:00Z".parse().expect("an instant");
        let named = |name: &str| {
            let address = "ada@example.com".parse().expect("an address");
            Some(Mailbox::new(Some(name.to_owned()), address))
        };
        for end in ["\r\n", "\n", "\r", "\0"] {
            let injected = format!("Hi{end}Bcc: victim@example.com");
            for wrong in [
                Mail {
                    subject: injected.clone(),
                    ..mail()
                },
                Mail {
                    reply_to: named(&injected),
                    ..mail()
                },
            ] {
                assert!(Letter::write(Uuid::nil(), &from, &wrong, at).is_err());
            }
        }
        let odd = "<script>, \"; é: 🚋 \\ ".repeat(9);
        let text = written(&Mail {
            subject: odd.clone(),
            reply_to: named(&odd),
            ..mail()
        });
        let headers = text.split("\r\n\r\n").next().expect("headers");
        // A continuation line of a header begins with a space.
        let lines = headers.split("\r\n").filter(|line| !line.starts_with(' '));
        let begun: Vec<_> = lines.filter_map(|line| line.split(':').next()).collect();
        assert_eq!(
            begun[..6],
            ["Message-ID", "Date", "From", "To", "Subject", "Reply-To"]
        );
        assert_eq!(begun.len(), 9);
        assert!(headers.is_ascii(), "{text}");
    }

    #[test]
    fn an_answer_goes_to_no_address_that_servers_would_choke_on() {
        let mut mail = mail();
        let address = "jürgen@example.com".parse().expect("an address");
        mail.reply_to = Some(Mailbox::new(None, address));
        let text = written(&mail);
        assert!(!text.contains("Reply-To") && text.is_ascii(), "{text}");
    }

    #[test]
    fn html_stands_beside_the_text_and_the_same_mail_is_the_same_letter() {
        let mail = Mail {
            html: Some("<p>Where is <b>it</b>?</p>".to_owned()),
            headers: vec![(
                "List-Unsubscribe".to_owned(),
                "<https://guide.example/u>".to_owned(),
            )],
            ..mail()
        };
        let text = written(&mail);
        assert_eq!(text, written(&mail));
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        assert!(at("multipart/alternative") < at("text/plain"));
        // Mail programs prefer the last part (RFC 2046, section 5.1.4).
        assert!(at("Where is it?") < at("text/html") && at("text/html") < at("<b>it</b>"));
        assert!(
            text.contains("List-Unsubscribe: <https://guide.example/u>\r\n"),
            "{text}"
        );
    }

    #[test]
    fn a_mail_sets_no_header_that_the_letter_has_and_none_that_is_two() {
        let from = "post@guide.example".parse().expect("an address");
        let at = "2026-11-20T12:00:00Z".parse().expect("an instant");
        for (name, value) in [
            ("bcc", "victim@example.com"),
            ("From", "Ada <ada@example.com>"),
            ("Content-Type", "text/html"),
            ("X-One: x\r\nBcc", "victim@example.com"),
            ("X-One", "x\r\nBcc: victim@example.com"),
        ] {
            let wrong = Mail {
                headers: vec![(name.to_owned(), value.to_owned())],
                ..mail()
            };
            let refused = Letter::write(Uuid::nil(), &from, &wrong, at).map(|_| ());
            assert_eq!(refused.expect_err(name).code, Code::Invalid);
        }
    }
}

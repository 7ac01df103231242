//! Email addresses.

use unicode_normalization::UnicodeNormalization;

/// The maximum length of an address, in characters.
const MAX_LENGTH: usize = 255;

/// A well-formed email address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses an address; the error message is for the reader. A domain beyond ASCII is converted to its ASCII form
    /// (RFC 5890), which browsers send for some of the addresses that people type, and which every mail server accepts.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text: String = text.trim().nfc().collect();
        if text.is_empty() {
            return Err("This field may not be blank.".to_owned());
        }
        if text.chars().count() > MAX_LENGTH {
            return Err(format!(
                "Ensure this field has no more than {MAX_LENGTH} characters."
            ));
        }
        let invalid = || "Enter a valid email address.".to_owned();
        if !is_well_formed(&text) {
            return Err(invalid());
        }
        match text.rsplit_once('@') {
            Some((local, domain)) if !domain.is_ascii() => {
                let domain = idna::domain_to_ascii_strict(domain).map_err(|_| invalid())?;
                Ok(Self(format!("{local}@{domain}")))
            }
            _ => Ok(Self(text)),
        }
    }

    /// The address as the reader wrote it, with the domain in ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address in lower case, for comparing addresses.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

/// Accepts the addresses that `input type=email` accepts (HTML Living Standard, "valid email address") if the domain
/// contains a dot. RFC 5321's shorter limit on the local part is left to the mail server; this site's limit is 255
/// characters.
fn is_well_formed(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let local_ok = !local.is_empty()
        && local
            .chars()
            .all(|c| c.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c));
    let labels: Vec<&str> = domain.split('.').collect();
    let label_ok = |label: &&str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    local_ok && labels.len() > 1 && labels.iter().all(label_ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_addresses_pass_and_others_do_not() {
        for text in [
            "a@b.ca",
            "A.B+c@sub.example.com",
            " ada@example.com ",
            "jürgen@exämple.de",
        ] {
            assert!(Email::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "a",
            "@b.ca",
            "a@",
            "a@b",
            "a b@c.ca",
            "a@b..ca",
            "a@-b.ca",
            "a@b.ca\r\nBcc: x@y.z",
            "<a@b.ca>",
            "a@b@c.ca\0",
            "a,b@c.ca",
        ] {
            assert!(Email::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_address_of_255_characters_passes_and_of_256_does_not() {
        let of_length = |length: usize| format!("{}@example.com", "a".repeat(length - 12));
        assert!(Email::parse(&of_length(255)).is_ok());
        assert!(Email::parse(&of_length(256)).is_err());
    }

    #[test]
    fn a_domain_is_the_same_in_unicode_and_in_ascii() {
        for text in [
            "info@exämple.com",
            "info@exa\u{308}mple.com",
            "info@EXÄMPLE.com",
        ] {
            let email = Email::parse(text).expect("valid");
            assert_eq!(email.as_str(), "info@xn--exmple-cua.com", "{text}");
        }
        assert_eq!(
            Email::parse("jürgen@b.ca"),
            Email::parse("ju\u{308}rgen@b.ca")
        );
        let long = format!("info@{}.example", "ä".repeat(63));
        Email::parse(&long).expect_err("longer than a label in ASCII");
    }

    #[test]
    fn case_does_not_tell_addresses_apart() {
        let key = |text| Email::parse(text).expect("valid").key();
        assert_eq!(key("Ada@Example.com"), key("ada@example.COM"));
    }
}

//! `[security]` of a site's file: contacts for vulnerability reports, for `/.well-known/security.txt`.

use http::Uri;
use serde::Deserialize;

use super::parts::is_path;

/// Site-specific fields of RFC 9116. Without them, there is no `security.txt`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecuritySettings {
    /// Contacts, preferred first: `mailto:`, `https:` or `tel:`.
    pub contacts: Vec<String>,
    /// Policy for reporters: a path of this site, or an address.
    #[serde(default)]
    pub policy: Option<String>,
    /// Accepted languages of reports (RFC 5646).
    #[serde(default)]
    pub languages: Vec<String>,
}

impl SecuritySettings {
    /// Rejects values that are useless to reporters or to programs that read the file.
    pub fn check(&self) -> Result<(), String> {
        if self.contacts.is_empty() {
            return Err("security.contacts names nobody".to_owned());
        }
        if let Some(contact) = self.contacts.iter().find(|contact| !is_contact(contact)) {
            return Err(format!(
                "security.contacts: {contact:?} is neither mailto:, https: nor tel: with an address"
            ));
        }
        let is_policy = |policy: &String| is_line(policy) && (is_path(policy) || is_https(policy));
        if let Some(policy) = self.policy.as_ref().filter(|policy| !is_policy(policy)) {
            return Err(format!(
                "security.policy: {policy:?} is neither a path of this site nor an https address"
            ));
        }
        match self
            .languages
            .iter()
            .find(|language| !is_language(language))
        {
            Some(language) => Err(format!(
                "security.languages: {language:?} is no language tag"
            )),
            None => Ok(()),
        }
    }
}

fn is_contact(contact: &str) -> bool {
    let is_address = match contact.split_once(':') {
        Some(("mailto", address)) => address
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty()),
        Some(("tel", number)) => number.contains(|letter: char| letter.is_ascii_digit()),
        _ => is_https(contact),
    };
    is_address && is_line(contact)
}

fn is_https(address: &str) -> bool {
    address.starts_with("https://")
        && address
            .parse::<Uri>()
            .is_ok_and(|uri| uri.host().is_some_and(|host| !host.is_empty()))
}

/// Whether a value fits in a line of the file without starting another line.
fn is_line(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_language(tag: &str) -> bool {
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    tag.split('-').all(is_part) && tag.starts_with(|letter: char| letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(contact: &str, policy: Option<&str>, language: &str) -> SecuritySettings {
        SecuritySettings {
            contacts: vec![contact.to_owned()],
            policy: policy.map(str::to_owned),
            languages: vec![language.to_owned()],
        }
    }

    #[test]
    fn contacts_are_mail_web_or_telephone() {
        for contact in [
            "mailto:security@guide.example",
            "mailto:security@guide.example?subject=Report",
            "https://guide.example/security/",
            "tel:+1-416-555-0100",
        ] {
            assert_eq!(settings(contact, None, "en").check(), Ok(()), "{contact}");
        }
        for contact in [
            "",
            "security@guide.example",
            "http://guide.example/",
            "https:",
            "https:///security/",
            "mailto:",
            "mailto:security",
            "mailto:@guide.example",
            "tel:",
            "tel:us",
            "xmpp:security@guide.example",
            "mailto:security@guide.example\nContact: mailto:other@guide.example",
            "mailto:Security <security@guide.example>",
        ] {
            let why = settings(contact, None, "en").check().expect_err("refused");
            assert!(why.contains("neither mailto:, https: nor tel:"), "{why}");
        }
    }

    #[test]
    fn a_policy_is_a_page_and_a_language_has_a_tag() {
        for policy in ["/security/", "https://example.org/policy"] {
            let settings = settings("tel:+1", Some(policy), "fr-CA");
            assert_eq!(settings.check(), Ok(()), "{policy}");
        }
        for policy in ["security", "//example.org/", "http://example.org/", "/a b/"] {
            let settings = settings("tel:+1", Some(policy), "en");
            let why = settings.check().expect_err("refused");
            assert!(why.contains("security.policy"), "{why}");
        }
        for language in ["", "english please", "en,fr", "1", "en-"] {
            let why = settings("tel:+1", None, language).check();
            let why = why.expect_err("refused");
            assert!(why.contains("no language tag"), "{why}");
        }
    }
}

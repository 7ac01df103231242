//! Email addresses: identification, display and hashing.

use chassis::{email::Email, keys::Keys};

/// Returns the mailbox of an address: in lower case, without the part after a `+` (RFC 5233). Some servers treat the
/// `+` as an ordinary character, so mailboxes are only used for limits and refusals, never for identification.
pub(crate) fn mailbox(email: &Email) -> String {
    let key = email.key();
    let Some((local, domain)) = key.rsplit_once('@') else {
        return key;
    };
    match local.split_once('+') {
        Some((name, _)) if !name.is_empty() => format!("{name}@{domain}"),
        _ => format!("{local}@{domain}"),
    }
}

/// Shortens an address for holders of an emailed link: its owner can recognise it.
pub(crate) fn masked(email: &str) -> String {
    let Some((local, domain)) = email.rsplit_once('@') else {
        return String::new();
    };
    let first: String = local.chars().take(1).collect();
    format!("{first}…@{domain}")
}

/// Computes keyed hashes of addresses, as evidence and refusals are kept longer than the addresses themselves.
#[derive(Debug, Clone)]
pub(crate) struct Addresses(Keys);

impl Addresses {
    pub(crate) fn new(key: &[u8]) -> Self {
        Self(Keys::one(key))
    }

    /// Returns a word that cannot be guessed without the key.
    pub(crate) fn mark(&self) -> String {
        format!(
            "mark-{}",
            chassis::digest::text(&self.hash("the mark of tokens"))
        )
    }

    pub(crate) fn hash(&self, address: &str) -> Vec<u8> {
        self.0.tag(&[address]).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(text: &str) -> Email {
        Email::parse(text).expect("valid")
    }

    #[test]
    fn addresses_of_one_mailbox_are_counted_together() {
        for text in [
            "Ada@Example.com",
            "ada+news@example.com",
            "ada+a+b@example.com",
        ] {
            assert_eq!(mailbox(&email(text)), "ada@example.com", "{text}");
        }
        assert_eq!(mailbox(&email("+@example.com")), "+@example.com");
    }

    #[test]
    fn a_link_shows_no_more_of_an_address_than_its_owner_needs() {
        assert_eq!(masked("ada.lovelace@example.com"), "a…@example.com");
        assert_eq!(masked("élise@example.com"), "é…@example.com");
    }
}

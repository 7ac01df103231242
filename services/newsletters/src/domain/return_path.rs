//! Return addresses of undeliverable emails, which identify the delivery.

use super::Addresses;

/// Number of hexadecimal digits of the signature, which prevents forged reports of undelivered emails.
const SEAL: usize = 16;

/// Return addresses such as `bounces+12-345-0123456789abcdef@guide.example`, for issue 12 and subscriber 345.
#[derive(Debug, Clone)]
pub(crate) struct ReturnPath {
    local: String,
    domain: String,
    addresses: Addresses,
}

impl ReturnPath {
    /// Creates return addresses of a mailbox such as `bounces@guide.example`; `None` if it is not a valid address.
    pub(crate) fn new(mailbox: &str, addresses: &Addresses) -> Option<Self> {
        let (local, domain) = mailbox.rsplit_once('@')?;
        let is_plain = !local.is_empty() && !domain.is_empty() && !local.contains('+');
        is_plain.then(|| Self {
            local: local.to_owned(),
            domain: domain.to_owned(),
            addresses: addresses.clone(),
        })
    }

    /// Returns the address for a delivery.
    pub(crate) fn of(&self, issue: i64, subscriber: i64) -> String {
        let (local, domain) = (&self.local, &self.domain);
        let seal = self.seal(issue, subscriber);
        format!("{local}+{issue}-{subscriber}-{seal}@{domain}")
    }

    /// Parses and verifies a return address and returns its issue and subscriber. Servers may have changed its case.
    pub(crate) fn read(&self, address: &str) -> Option<(i64, i64)> {
        let address = address.to_ascii_lowercase();
        let (local, domain) = address.rsplit_once('@')?;
        let (name, tag) = local.split_once('+')?;
        if !name.eq_ignore_ascii_case(&self.local) || !domain.eq_ignore_ascii_case(&self.domain) {
            return None;
        }
        let mut parts = tag.split('-');
        let (issue, subscriber, seal) = (parts.next()?, parts.next()?, parts.next()?);
        let named = (issue.parse().ok()?, subscriber.parse().ok()?);
        (parts.next().is_none() && seal == self.seal(named.0, named.1)).then_some(named)
    }

    fn seal(&self, issue: i64, subscriber: i64) -> String {
        let hash = self.addresses.hash(&format!("return {issue} {subscriber}"));
        let mut seal = chassis::digest::text(&hash);
        seal.truncate(SEAL);
        seal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(key: &[u8]) -> ReturnPath {
        ReturnPath::new("Bounces@guide.example", &Addresses::new(key)).expect("an address")
    }

    #[test]
    fn an_address_names_its_delivery_and_an_invented_one_none() {
        let paths = paths(&[7; 32]);
        let address = paths.of(12, 345);
        assert!(address.starts_with("Bounces+12-345-"), "{address}");
        assert_eq!(paths.read(&address), Some((12, 345)));
        assert_eq!(paths.read(&address.to_uppercase()), Some((12, 345)));
        for invented in [
            address.replace("-345-", "-346-"),
            address.replace("guide.example", "other.example"),
            address.replace("Bounces", "Post"),
            address.replace('@', "-1@"),
            "bounces@guide.example".to_owned(),
            "bounces+--@guide.example".to_owned(),
            super::tests::paths(&[8; 32]).of(12, 345),
            String::new(),
        ] {
            assert_eq!(paths.read(&invented), None, "{invented}");
        }
    }

    #[test]
    fn a_mailbox_that_is_none_has_no_such_addresses() {
        for none in [
            "",
            "bounces",
            "@guide.example",
            "bounces@",
            "a+b@guide.example",
        ] {
            assert!(
                ReturnPath::new(none, &Addresses::new(&[7; 32])).is_none(),
                "{none}"
            );
        }
    }
}

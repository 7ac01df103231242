//! The consent ledger: a hash chain, in which each link covers its entry and the previous link, so that entries cannot
//! be changed, removed or inserted without breaking the chain.

use chassis::digest;
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

/// Predecessor of the first link.
pub(crate) const BEFORE_FIRST: [u8; 32] = [0; 32];

/// The act recorded in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// A newsletter was requested for an address that is not confirmed yet.
    Requested,
    /// Consent was given.
    Given,
    /// Consent was withdrawn.
    Withdrawn,
    /// Further requests to the address were refused, or third-party content was not allowed.
    Refused,
}

impl Act {
    /// Returns the act's name in the ledger.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Given => "given",
            Self::Withdrawn => "withdrawn",
            Self::Refused => "refused",
        }
    }
}

/// The content of an entry, as covered by links.
#[derive(Debug, Clone)]
pub(crate) struct LinkedEntry {
    pub(crate) address: Vec<u8>,
    pub(crate) kind: String,
    pub(crate) act: String,
    pub(crate) wording: Option<Vec<u8>>,
    pub(crate) way: String,
    pub(crate) page: String,
    pub(crate) network: String,
    pub(crate) at: DateTime<Utc>,
}

/// A ledger entry for an address.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) id: i64,
    pub(crate) position: Option<i64>,
    pub(crate) kind: String,
    pub(crate) act: String,
    pub(crate) wording: String,
    pub(crate) way: String,
    pub(crate) page: String,
    pub(crate) network: String,
    pub(crate) at: DateTime<Utc>,
    pub(crate) digest: Option<Vec<u8>>,
}

impl Entry {
    /// Returns the digest in hexadecimal; empty until the entry is linked.
    pub(crate) fn digest_text(&self) -> String {
        self.digest.as_deref().map(digest::text).unwrap_or_default()
    }
}

/// A link of the chain: its position, and the digest that the next link covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) position: i64,
    pub(crate) digest: [u8; 32],
}

impl Link {
    /// The end of an empty chain.
    pub(crate) const NONE: Self = Self {
        position: 0,
        digest: BEFORE_FIRST,
    };

    pub(crate) fn next(self, entry: &LinkedEntry) -> Self {
        let position = self.position + 1;
        let mut hash = Sha256::new();
        hash.update(self.digest);
        hash.update(position.to_be_bytes());
        // PostgreSQL stores microseconds.
        hash.update(entry.at.timestamp_micros().to_be_bytes());
        let wording = entry.wording.as_deref().unwrap_or_default();
        for part in [
            &entry.address,
            entry.kind.as_bytes(),
            entry.act.as_bytes(),
            wording,
            entry.way.as_bytes(),
            entry.page.as_bytes(),
            entry.network.as_bytes(),
        ] {
            // The lengths make the boundaries between the parts unambiguous.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self {
            position,
            digest: hash.finalize().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> LinkedEntry {
        LinkedEntry {
            address: vec![7; 32],
            kind: "news".to_owned(),
            act: Act::Given.as_str().to_owned(),
            wording: Some(vec![8; 32]),
            way: "form".to_owned(),
            page: "/".to_owned(),
            network: "203.0.113.0/24".to_owned(),
            at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_link_covers_every_part_of_its_entry_and_the_one_before() {
        let link = Link::NONE.next(&entry());
        assert_eq!(link, Link::NONE.next(&entry()));
        let changes: [fn(&mut LinkedEntry); 8] = [
            |entry| entry.address[0] = 0,
            |entry| entry.kind = "foods".to_owned(),
            |entry| entry.act = Act::Withdrawn.as_str().to_owned(),
            |entry| entry.wording = None,
            |entry| entry.way = "settings".to_owned(),
            |entry| entry.page = "/news/".to_owned(),
            |entry| entry.network.clear(),
            |entry| entry.at += chrono::TimeDelta::microseconds(1),
        ];
        for change in changes {
            let mut other = entry();
            change(&mut other);
            assert_ne!(Link::NONE.next(&other).digest, link.digest, "{other:?}");
        }
        let mut shifted = entry();
        (shifted.kind, shifted.act) = ("new".to_owned(), "sgiven".to_owned());
        assert_ne!(Link::NONE.next(&shifted).digest, link.digest);
        assert_ne!(link.next(&entry()).digest, link.digest);
    }
}

//! Erasures and their receipts.

use chassis::{
    instant,
    postgres::{erased, jobs::Job},
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long a receipt can be read at its address.
pub(crate) const RECEIPT_KEPT: TimeDelta = TimeDelta::days(30);

/// An erasure visits every service twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Pass {
    /// Runs immediately.
    First,
    /// Runs when all calls that were in progress have ended: deletes the data that such calls wrote, and issues the
    /// receipt.
    Last,
}

/// A queued erasure.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EraseJob {
    pub(crate) erasure_id: Uuid,
    pub(crate) pass: Pass,
    /// The number of audit log entries kept under a pseudonym.
    pub(crate) kept_entries: u64,
}

impl Job for EraseJob {
    const KIND: &'static str = "erase";
    /// A confirmed erasure is never abandoned.
    const MAX_OUTAGE: TimeDelta = TimeDelta::MAX;
}

/// Adds an erasure to the register outside of the database.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RegisterErasure {
    pub(crate) erasure_id: Uuid,
    pub(crate) profile_id: i64,
    pub(crate) requested_at: DateTime<Utc>,
}

impl Job for RegisterErasure {
    const KIND: &'static str = "register_erasure";
    /// Without its entry, a restore would not repeat the erasure.
    const MAX_OUTAGE: TimeDelta = TimeDelta::MAX;
    /// The register belongs to the site, not to its copies.
    const LEAVES_SITE: bool = true;
}

/// Erases an account that a restored backup contains although it had been erased.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RepeatErasure {
    /// The account's number.
    pub profile_id: i64,
}

impl Job for RepeatErasure {
    const KIND: &'static str = "repeat_erasure";
    const MAX_OUTAGE: TimeDelta = TimeDelta::MAX;
}

/// An erasure in progress.
#[derive(Debug, Clone)]
pub(crate) struct Erasure {
    pub(crate) id: Uuid,
    pub(crate) profile_id: i64,
    pub(crate) requested_at: DateTime<Utc>,
    /// The account's address, to which the receipt is mailed.
    pub(crate) email: String,
    /// The address that was awaiting confirmation.
    pub(crate) pending_email: Option<String>,
    pub(crate) email_verified: bool,
    /// The digests of the sessions that ended with the account.
    pub(crate) sessions: Vec<Vec<u8>>,
}

impl Erasure {
    /// The addresses that must receive no further mail.
    pub(crate) fn addresses(&self) -> Vec<String> {
        let own = std::iter::once(self.email.clone());
        own.chain(self.pending_email.clone()).collect()
    }
}

/// The content of a receipt.
#[derive(Debug, Serialize)]
pub(crate) struct Statement {
    /// The site's address.
    site: String,
    /// The account's id.
    account: i64,
    requested_at: String,
    erased_at: String,
    erased: Vec<ErasedKind>,
    kept: Vec<Kept>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct ErasedKind {
    kind: String,
    count: i64,
}

/// Data that is kept after an erasure.
#[derive(Debug, Serialize)]
pub(crate) struct Kept {
    kind: String,
    count: u64,
    reason: String,
    /// When the last of the data is deleted.
    until: String,
}

impl Kept {
    pub(crate) fn new(kind: String, count: u64, reason: String, until: DateTime<Utc>) -> Self {
        Self {
            kind,
            count,
            reason,
            until: instant::to_rfc3339(until),
        }
    }
}

/// The audit log entries that are kept after an erasure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptEntries {
    pub(crate) count: u64,
    /// When the last entry is deleted.
    pub(crate) until: DateTime<Utc>,
}

impl Statement {
    /// The statement about a completed erasure, with the counts of all services.
    pub(crate) fn new(
        site: &str,
        erasure: &Erasure,
        counts: impl IntoIterator<Item = (String, i64)>,
        entries: KeptEntries,
        now: DateTime<Utc>,
    ) -> Self {
        let mut erased: Vec<ErasedKind> = Vec::new();
        for (kind, count) in counts {
            // Several services may have data of the same kind.
            match erased.iter_mut().find(|known| known.kind == kind) {
                Some(known) => known.count += count,
                None => erased.push(ErasedKind { kind, count }),
            }
        }
        erased.sort_by(|one, other| one.kind.cmp(&other.kind));
        Self {
            site: site.to_owned(),
            account: erasure.profile_id,
            requested_at: instant::to_rfc3339(erasure.requested_at),
            erased_at: instant::to_rfc3339(now),
            erased,
            kept: vec![
                Kept {
                    kind: "audit_entries".to_owned(),
                    count: entries.count,
                    reason: "Our record of sign-ins and of changes to the account, so that misuse can be investigated: \
                             what was done, when, and from which network, without your name, your addresses and the \
                             number of the account."
                        .to_owned(),
                    until: instant::to_rfc3339(entries.until),
                },
                Kept {
                    kind: "account_number".to_owned(),
                    count: 1,
                    reason: "The number of the account, so that nothing is stored for it if a delayed message or a \
                             retried request arrives."
                        .to_owned(),
                    until: instant::to_rfc3339(now + erased::REMEMBERED),
                },
                Kept {
                    kind: "receipt".to_owned(),
                    count: 1,
                    reason: "This receipt itself, so that you can read it at its address: the number of the account, \
                             the two times and the counts. It names neither you nor your email address."
                        .to_owned(),
                    until: instant::to_rfc3339(now + RECEIPT_KEPT),
                },
            ],
        }
    }

    /// Adds the data that other services keep; kinds with a count of 0 are omitted.
    pub(crate) fn keeping(mut self, kept: impl IntoIterator<Item = Kept>) -> Self {
        self.kept
            .extend(kept.into_iter().filter(|kept| kept.count > 0));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_kind_that_two_services_keep_are_one_line() {
        let erasure = Erasure {
            id: Uuid::nil(),
            profile_id: 7,
            requested_at: DateTime::UNIX_EPOCH,
            email: "ada@example.com".to_owned(),
            pending_email: None,
            email_verified: true,
            sessions: Vec::new(),
        };
        let count = |kind: &str, count| (kind.to_owned(), count);
        let counts = [
            count("last_updates", 4),
            count("event_bookmarks", 2),
            count("last_updates", 1),
        ];
        let statement = Statement::new(
            "https://guide.example",
            &erasure,
            counts,
            KeptEntries {
                count: 5,
                until: DateTime::UNIX_EPOCH + TimeDelta::days(365),
            },
            DateTime::UNIX_EPOCH,
        );
        let erased: Vec<_> = statement
            .erased
            .iter()
            .map(|one| (one.kind.as_str(), one.count))
            .collect();
        assert_eq!(erased, [("event_bookmarks", 2), ("last_updates", 5)]);
        let kept: Vec<_> = statement
            .kept
            .iter()
            .map(|one| (one.kind.as_str(), one.count))
            .collect();
        assert_eq!(
            kept,
            [("audit_entries", 5), ("account_number", 1), ("receipt", 1)]
        );
        let text = serde_json::to_string(&statement).expect("JSON");
        assert!(!text.contains("ada@"), "{text}");
    }
}

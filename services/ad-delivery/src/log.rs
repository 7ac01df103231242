//! The event log: a chain of batches in which each signed link covers its batch's events and the previous link, so that
//! any change, removal or insertion is detectable, also by advertisers.

use std::collections::BTreeMap;

use chassis::signing::{PublicKey, is_signed};
use sha2::{Digest, Sha256};

use crate::{
    event::{Counts, LoggedEvent},
    log_key::{LogKey, LogKeys},
};

/// The digest that the first link covers as its predecessor.
const BEFORE_FIRST: [u8; 32] = [0; 32];

/// The digest of the events of a batch, independent of their order.
#[must_use]
pub fn digest(events: &[LoggedEvent]) -> [u8; 32] {
    let mut events: Vec<_> = events.iter().collect();
    events.sort();
    let mut hash = Sha256::new();
    for event in events {
        hash.update(event.opportunity.as_bytes());
        hash.update(event.at.to_be_bytes());
        for part in [
            event.kind.name(),
            &event.campaign,
            &event.line_item,
            &event.creative,
            &event.position,
            event.verdict.name(),
        ] {
            // The lengths preserve the boundaries between the parts.
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hash.finalize().into()
}

/// A link of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The position, starting at 1.
    pub position: i64,
    /// The digest, which the next link covers.
    pub digest: [u8; 32],
}

impl Link {
    /// The predecessor of the first link.
    pub const NONE: Self = Self {
        position: 0,
        digest: BEFORE_FIRST,
    };

    /// The next link, from the digest of its batch's events.
    #[must_use]
    pub fn next(self, events: [u8; 32]) -> Self {
        let position = self.position + 1;
        let mut hash = Sha256::new();
        hash.update(self.digest);
        hash.update(position.to_be_bytes());
        hash.update(events);
        Self {
            position,
            digest: hash.finalize().into(),
        }
    }
}

/// A batch, as returned to readers of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedBatch {
    /// The position in the chain.
    pub position: i64,
    /// The digest of the events.
    pub events_digest: [u8; 32],
    /// The signature of the link.
    pub signature: Vec<u8>,
    /// The events; empty if they were deleted after their retention period.
    pub events: Vec<LoggedEvent>,
    /// Whether the events were deleted.
    pub is_emptied: bool,
}

/// The totals by campaign, line item and creative.
pub type Totals = BTreeMap<(String, String, String), Counts>;

/// Verifies the log from its beginning, and sums up its events.
#[derive(Debug)]
pub struct Follower {
    keys: LogKeys,
    last: Link,
    batches: u64,
    emptied: u64,
    totals: Totals,
}

/// A defect of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The position of the batch.
    pub position: i64,
    /// A description of the defect.
    pub why: &'static str,
}

impl Follower {
    /// Creates a follower of a log with these keys, in the order of their positions. It trusts the keys of `trusted`,
    /// the keys that they hand over to, and the keys that they replaced.
    #[must_use]
    pub fn new(keys: Vec<LogKey>, trusted: &[PublicKey]) -> Self {
        Self {
            keys: LogKeys::new(keys, trusted),
            last: Link::NONE,
            batches: 0,
            emptied: 0,
            totals: Totals::new(),
        }
    }

    /// Verifies and counts the next batch.
    pub fn take(&mut self, batch: &LoggedBatch) -> Result<(), Broken> {
        let broken = |why| Broken {
            position: batch.position,
            why,
        };
        let next = self.last.next(batch.events_digest);
        if batch.position != next.position {
            return Err(broken("a batch is missing before it"));
        }
        let key = self.keys.at(next.position).map_err(broken)?;
        if !is_signed(&next.digest, &batch.signature, key) {
            return Err(broken("its signature is not that of its link"));
        }
        if !batch.is_emptied && digest(&batch.events) != batch.events_digest {
            return Err(broken("its events are not those that were stored"));
        }
        for event in &batch.events {
            let names = [&event.campaign, &event.line_item, &event.creative];
            let [campaign, line_item, creative] = names.map(Clone::clone);
            let counts = self
                .totals
                .entry((campaign, line_item, creative))
                .or_default();
            *counts += Counts::of(event.kind, event.verdict);
        }
        self.batches += 1;
        self.emptied += u64::from(batch.is_emptied);
        self.last = next;
        Ok(())
    }

    /// The number of batches verified, and how many of them had been emptied.
    #[must_use]
    pub fn followed(&self) -> (u64, u64) {
        (self.batches, self.emptied)
    }

    /// The position of the last batch; 0 before the first.
    #[must_use]
    pub fn position(&self) -> i64 {
        self.last.position
    }

    /// The totals of the verified events.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }
}

#[cfg(test)]
mod tests {
    use chassis::keys::Keys;
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::{
        event::{EventKind, Verdict},
        log_key::LogSigner,
    };

    fn event(number: u128) -> LoggedEvent {
        LoggedEvent {
            opportunity: Uuid::from_u128(number),
            kind: EventKind::Impression,
            at: 1_764_590_400_123,
            campaign: "kayaks".to_owned(),
            line_item: "home".to_owned(),
            creative: "wide".to_owned(),
            position: "lead".to_owned(),
            verdict: Verdict::Charged,
        }
    }

    fn signer() -> LogSigner {
        LogSigner::new(&Keys::one(b"a secret of a test, long enough."))
    }

    fn key(signer: &LogSigner) -> LogKey {
        let key = signer.key_at(1, &[], DateTime::UNIX_EPOCH);
        key.expect("a key")
    }

    /// A log of three batches of two events each.
    fn log() -> Vec<LoggedBatch> {
        let mut last = Link::NONE;
        let batches = (0..3).map(|number| {
            let events = vec![event(2 * number), event(2 * number + 1)];
            let events_digest = digest(&events);
            last = last.next(events_digest);
            LoggedBatch {
                position: last.position,
                events_digest,
                signature: signer().sign(&last.digest, &key(&signer()).public_key),
                events,
                is_emptied: false,
            }
        });
        batches.collect()
    }

    fn follow(log: &[LoggedBatch]) -> Result<Follower, Broken> {
        let mut follower = Follower::new(vec![key(&signer())], &signer().public_keys());
        for batch in log {
            follower.take(batch)?;
        }
        Ok(follower)
    }

    #[test]
    fn a_whole_log_is_followed_and_counted() {
        let follower = follow(&log()).expect("whole");
        assert_eq!(follower.followed(), (3, 0));
        let key = ("kayaks".to_owned(), "home".to_owned(), "wide".to_owned());
        let six = Counts {
            impressions: 6,
            ..Counts::default()
        };
        assert_eq!(follower.totals()[&key], six);
    }

    #[test]
    fn a_change_of_any_part_of_an_event_is_found_where_it_is() {
        let changes: [fn(&mut LoggedEvent); 8] = [
            |event| event.opportunity = Uuid::nil(),
            |event| event.kind = EventKind::Click,
            |event| event.at += 1,
            |event| event.campaign.push('x'),
            |event| event.line_item.clear(),
            |event| event.creative = "tall".to_owned(),
            |event| event.position = "side".to_owned(),
            |event| event.verdict = Verdict::Bot,
        ];
        for change in changes {
            let mut log = log();
            change(&mut log[1].events[1]);
            let broken = follow(&log).expect_err("changed");
            assert_eq!(broken.position, 2, "{broken:?}");
        }
    }

    #[test]
    fn a_batch_that_is_removed_added_moved_or_signed_by_another_is_found() {
        let mut removed = log();
        removed.remove(1);
        let mut moved = log();
        moved.swap(0, 1);
        let mut repeated = log();
        repeated.push(repeated[2].clone());
        let mut shorter = log();
        shorter[2].events.pop();
        let mut foreign = log();
        let other = LogSigner::new(&Keys::one(b"a secret of another site, longer"));
        let link = Link::NONE.next(foreign[2].events_digest);
        foreign[2].signature = other.sign(&link.digest, &key(&other).public_key);
        for (log, at) in [
            (removed, 3),
            (moved, 2),
            (repeated, 3),
            (shorter, 3),
            (foreign, 3),
        ] {
            assert_eq!(follow(&log).expect_err("broken").position, at);
        }
    }

    #[test]
    fn what_was_deleted_after_its_time_does_not_break_the_chain() {
        let mut log = log();
        log[0].events.clear();
        assert!(follow(&log).is_err(), "nobody said that it was");
        log[0].is_emptied = true;
        assert_eq!(follow(&log).expect("whole").followed(), (3, 1));
    }
}

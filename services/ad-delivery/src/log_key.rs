//! The keys of the log's signatures. Each key signs the links from its position up to the position of the next key. A
//! replacement is signed by the previous key (the handover), so that a reader who trusts that key trusts the next one,
//! and by the new key (the acceptance), so that a reader who trusts the new key trusts the previous one.

use chassis::{
    keys::Keys,
    signing::{PublicKey, SigningKey, is_signed},
};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

/// A key that has signed links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogKey {
    /// The position of the first link that the key signed.
    pub position: i64,
    /// The public key (Ed25519).
    pub public_key: PublicKey,
    /// When the key first signed, to the millisecond.
    pub first_used_at: DateTime<Utc>,
    /// The signature of the replacement by the previous key. Empty for the first key, and if the process that replaced
    /// the previous key did not have that key.
    pub handover: Vec<u8>,
    /// The signature of the replacement by this key.
    pub acceptance: Vec<u8>,
}

impl LogKey {
    /// The message that signs the replacement of the previous key.
    fn replacement(&self, previous: Option<&Self>) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"cityguide: a key of the ad log");
        hash.update(self.position.to_be_bytes());
        hash.update(self.first_used_at.timestamp_millis().to_be_bytes());
        hash.update(previous.map_or([0; 32], |key| key.public_key));
        hash.update(self.public_key);
        hash.finalize().into()
    }

    fn is_handed_over_by(&self, previous: &Self) -> bool {
        let message = self.replacement(Some(previous));
        is_signed(&message, &self.handover, &previous.public_key)
    }

    fn accepts(&self, previous: &Self) -> bool {
        let message = self.replacement(Some(previous));
        is_signed(&message, &self.acceptance, &self.public_key)
    }
}

/// Signs links with the keys of this process.
pub struct LogSigner(Vec<SigningKey>);

chassis::opaque_debug!(LogSigner);

impl LogSigner {
    /// Derives a signing key from each of the system's keys: the first replaces the others.
    #[must_use]
    pub fn new(keys: &Keys) -> Self {
        Self(SigningKey::all(keys, "ad log"))
    }

    /// The signature of a digest; empty if this process does not have the key.
    #[must_use]
    pub fn sign(&self, digest: &[u8; 32], key: &PublicKey) -> Vec<u8> {
        let found = self.0.iter().find(|own| own.public_key() == *key);
        found.map_or_else(Vec::new, |own| own.sign(digest))
    }

    /// The public keys of this process.
    #[must_use]
    pub fn public_keys(&self) -> Vec<PublicKey> {
        self.0.iter().map(SigningKey::public_key).collect()
    }

    /// The key that signs the link at a position: the last of the used keys, or its replacement.
    ///
    /// A process whose first key was already replaced continues with the last key if it has that key too, because
    /// processes are restarted with new keys one by one.
    #[must_use]
    pub fn key_at(&self, position: i64, used: &[LogKey], now: DateTime<Utc>) -> Option<LogKey> {
        let own = self.public_keys();
        let first = *own.first()?;
        let last = used.last();
        if let Some(last) = last
            && own.contains(&last.public_key)
            && used.iter().any(|key| key.public_key == first)
        {
            return Some(last.clone());
        }
        let mut key = LogKey {
            position,
            public_key: first,
            first_used_at: now,
            handover: Vec::new(),
            acceptance: Vec::new(),
        };
        let message = key.replacement(last);
        key.acceptance = self.sign(&message, &first);
        if let Some(last) = last {
            key.handover = self.sign(&message, &last.public_key);
        }
        Some(key)
    }
}

/// The keys of a log, and whether its reader trusts them.
#[derive(Debug)]
pub(crate) struct LogKeys(Vec<(LogKey, bool)>);

impl LogKeys {
    /// Trusts the given keys, and the keys that they hand over to or accept. `keys` is ordered by position.
    pub(crate) fn new(keys: Vec<LogKey>, trusted: &[PublicKey]) -> Self {
        let mut is_trusted: Vec<bool> = keys
            .iter()
            .map(|key| trusted.contains(&key.public_key))
            .collect();
        for at in 1..keys.len() {
            is_trusted[at] |= is_trusted[at - 1] && keys[at].is_handed_over_by(&keys[at - 1]);
        }
        for at in (1..keys.len()).rev() {
            is_trusted[at - 1] |= is_trusted[at] && keys[at].accepts(&keys[at - 1]);
        }
        Self(keys.into_iter().zip(is_trusted).collect())
    }

    /// The trusted key that signs at a position, or the reason why there is none.
    pub(crate) fn at(&self, position: i64) -> Result<&PublicKey, &'static str> {
        let mut keys = self.0.iter().rev();
        match keys.find(|(key, _)| key.position <= position) {
            Some((key, true)) => Ok(&key.public_key),
            Some((_, false)) => Err("its key is neither trusted nor handed over by a trusted key"),
            None => Err("it has no key"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process with a key for each digit.
    fn process(keys: &str) -> LogSigner {
        let lines: Vec<_> = keys.chars().map(|key| key.to_string().repeat(32)).collect();
        LogSigner::new(&Keys::parse(&lines.join("\n")).expect("keys"))
    }

    /// The keys of a log whose links are signed by these processes in turn.
    fn signed_by(processes: &[&str]) -> Vec<LogKey> {
        let mut used: Vec<LogKey> = Vec::new();
        for (position, keys) in (1..).zip(processes) {
            let now = DateTime::UNIX_EPOCH;
            let key = process(keys).key_at(position, &used, now).expect("a key");
            if used.last() != Some(&key) {
                used.push(key);
            }
        }
        used
    }

    /// Whether the reader trusts the key of each position.
    fn trusts(keys: &[LogKey], trusted: &str, positions: i64) -> Vec<bool> {
        let trusted = process(trusted).public_keys();
        let keys = LogKeys::new(keys.to_vec(), &trusted);
        let positions = 1..=positions;
        positions.map(|at| keys.at(at).is_ok()).collect()
    }

    #[test]
    fn a_key_is_replaced_once_while_processes_restart_one_by_one() {
        let keys = signed_by(&["1", "12", "21", "12", "21", "12", "2"]);
        let positions: Vec<_> = keys.iter().map(|key| key.position).collect();
        assert_eq!(positions, [1, 3]);
        let own = process("21").public_keys();
        assert_eq!([keys[0].public_key, keys[1].public_key], [own[1], own[0]]);
    }

    #[test]
    fn a_reader_who_trusts_any_key_trusts_all_that_were_handed_over() {
        let keys = signed_by(&["1", "21", "32", "43"]);
        assert_eq!(keys.len(), 4);
        for trusted in ["1", "2", "3", "4"] {
            assert_eq!(trusts(&keys, trusted, 4), [true; 4], "{trusted}");
        }
        assert_eq!(trusts(&keys, "5", 4), [false; 4]);
    }

    #[test]
    fn a_key_that_was_not_handed_over_is_trusted_only_by_those_who_have_it() {
        let keys = signed_by(&["1", "2"]);
        assert_eq!(trusts(&keys, "1", 2), [true, false]);
        assert_eq!(trusts(&keys, "2", 2), [true, true]);
    }

    #[test]
    fn a_replacement_that_was_changed_is_not_trusted() {
        let changes: [fn(&mut LogKey); 4] = [
            |key| key.position -= 1,
            |key| key.first_used_at += chrono::TimeDelta::milliseconds(1),
            |key| key.public_key = process("5").public_keys()[0],
            |key| key.handover[0] ^= 1,
        ];
        for change in changes {
            let mut keys = signed_by(&["1", "1", "21"]);
            change(&mut keys[1]);
            assert!(!trusts(&keys, "1", 3)[2]);
        }
        let mut keys = signed_by(&["1", "21"]);
        keys[1].acceptance[0] ^= 1;
        assert_eq!(trusts(&keys, "2", 2), [false, true]);
    }

    #[test]
    fn a_log_without_keys_or_before_its_first_has_none() {
        let mut keys = signed_by(&["1"]);
        keys[0].position = 2;
        assert_eq!(trusts(&keys, "1", 2), [false, true]);
        assert_eq!(trusts(&[], "1", 1), [false]);
    }
}

//! Limits the concurrent uploads of a gateway and of an account.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::edge::error::ApiError;

/// Maximum number of concurrent uploads per account.
const MAX_OF_AN_ACCOUNT: usize = 6;

/// The current uploads, of which there are at most `most`.
#[derive(Clone)]
pub(super) struct Slots {
    most: usize,
    open: Arc<Mutex<Open>>,
}

/// Current uploads by account.
#[derive(Debug, Default)]
struct Open {
    all: usize,
    of_accounts: HashMap<i64, usize>,
}

/// A current upload, until dropped.
pub(super) struct Slot {
    account: i64,
    open: Arc<Mutex<Open>>,
}

impl Slots {
    pub(super) fn new(most: usize) -> Self {
        for bound in ["account", "gateway"] {
            // Registers the counter at 0 before the first refusal.
            refusals(bound).increment(0);
        }
        Self {
            most,
            open: Arc::default(),
        }
    }

    pub(super) fn take(&self, account: i64) -> Result<Slot, ApiError> {
        let mut open = lock(&self.open);
        let of_account = open.of_accounts.get(&account).copied().unwrap_or_default();
        let bound = if open.all >= self.most {
            Some("gateway")
        } else {
            (of_account >= MAX_OF_AN_ACCOUNT).then_some("account")
        };
        if let Some(bound) = bound {
            refusals(bound).increment(1);
            return Err(ApiError::too_many_uploads());
        }
        open.all += 1;
        *open.of_accounts.entry(account).or_default() += 1;
        open.measure();
        Ok(Slot {
            account,
            open: Arc::clone(&self.open),
        })
    }
}

impl Open {
    fn measure(&self) {
        let open = u32::try_from(self.all).unwrap_or(u32::MAX);
        metrics::gauge!("uploads_open").set(f64::from(open));
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        open.all -= 1;
        if let Entry::Occupied(mut of_account) = open.of_accounts.entry(self.account) {
            *of_account.get_mut() -= 1;
            if *of_account.get() == 0 {
                of_account.remove();
            }
        }
        open.measure();
    }
}

fn lock(open: &Mutex<Open>) -> MutexGuard<'_, Open> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts uploads rejected by a limit.
fn refusals(bound: &'static str) -> metrics::Counter {
    metrics::counter!("upload_refusals_total", "bound" => bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_and_an_account_have_bounded_uploads_and_an_ended_one_makes_room() {
        let slots = Slots::new(MAX_OF_AN_ACCOUNT + 1);
        let mut open: Vec<_> = (0..MAX_OF_AN_ACCOUNT)
            .map(|_| slots.take(1).expect("room"))
            .collect();
        assert!(slots.take(1).is_err(), "the account has enough");
        open.push(slots.take(2).expect("room"));
        assert!(slots.take(3).is_err(), "the gateway has enough");
        open.clear();
        slots.take(1).expect("room again");
        assert!(lock(&slots.open).of_accounts.is_empty());
    }
}

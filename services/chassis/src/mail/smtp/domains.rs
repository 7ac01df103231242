//! Keeps domains at which letters take long from delaying the letters to other domains.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

/// A domain counts as slow once a letter to it has taken this long.
pub(super) const SLOW: Duration = Duration::from_secs(5);
/// How long a domain counts as slow after its last slow letter.
const REMEMBERED: Duration = Duration::from_mins(10);
/// The maximum number of domains remembered as slow; the one noted first is forgotten first.
const MAX_REMEMBERED: usize = 1_000;

/// The shares of the connections. Letters to one domain use at most half of them and wait for each other; letters to
/// all slow domains together use at most a quarter and do not wait.
#[derive(Debug)]
pub(super) struct Domains {
    share: usize,
    of_slow: Arc<Semaphore>,
    in_progress: Mutex<HashMap<String, Arc<Semaphore>>>,
    slow: Mutex<HashMap<String, Instant>>,
}

/// A letter's permission to use a connection, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _of_domain: OwnedSemaphorePermit,
    _of_slow: Option<OwnedSemaphorePermit>,
}

impl Domains {
    pub(super) fn new(connections: usize) -> Self {
        Self {
            share: (connections / 2).max(1),
            of_slow: Arc::new(Semaphore::new((connections / 4).max(1))),
            in_progress: Mutex::default(),
            slow: Mutex::default(),
        }
    }

    /// Waits until a letter to the domain may be sent; `None` if the domain is slow and its letter must be sent later.
    pub(super) async fn turn(&self, domain: &str) -> Option<Turn> {
        let of_domain = {
            let mut in_progress = lock(&self.in_progress);
            in_progress.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
            let of_domain = in_progress.entry(domain.to_owned());
            let of_domain = of_domain.or_insert_with(|| Arc::new(Semaphore::new(self.share)));
            Arc::clone(of_domain)
        };
        let of_domain = if self.is_slow(domain) {
            of_domain.try_acquire_owned().ok()
        } else {
            of_domain.acquire_owned().await.ok()
        };
        // The domain may have become slow during the wait.
        let of_slow = if self.is_slow(domain) {
            Some(Arc::clone(&self.of_slow).try_acquire_owned().ok()?)
        } else {
            None
        };
        Some(Turn {
            _of_domain: of_domain?,
            _of_slow: of_slow,
        })
    }

    fn is_slow(&self, domain: &str) -> bool {
        let mut slow = lock(&self.slow);
        slow.retain(|_, noted_at| noted_at.elapsed() < REMEMBERED);
        slow.contains_key(domain)
    }

    /// Notes that a letter to the domain takes long.
    pub(super) fn note_slow(&self, domain: &str) {
        let mut slow = lock(&self.slow);
        slow.insert(domain.to_owned(), Instant::now());
        if slow.len() > MAX_REMEMBERED {
            let first = slow.iter().min_by_key(|(_, noted_at)| **noted_at);
            if let Some(first) = first.map(|(first, _)| first.clone()) {
                slow.remove(&first);
            }
        }
        measure(&slow);
    }

    /// Notes that a letter to the domain was sent quickly.
    pub(super) fn note_fast(&self, domain: &str) {
        let mut slow = lock(&self.slow);
        slow.remove(domain);
        measure(&slow);
    }
}

fn measure(slow: &HashMap<String, Instant>) {
    let domains = u32::try_from(slow.len()).map_or(f64::INFINITY, f64::from);
    metrics::gauge!("mail_slow_domains").set(domains);
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_domain_uses_half_of_the_connections_and_all_slow_domains_a_quarter() {
        let domains = Domains::new(4);
        let turns = [domains.turn("a").await, domains.turn("a").await];
        assert!(turns.iter().all(Option::is_some));
        assert!(domains.turn("a").now_or_never().is_none(), "waits");
        assert!(domains.turn("b").await.is_some());
        drop(turns);

        domains.note_slow("a");
        domains.note_slow("b");
        let slow = domains.turn("a").await;
        assert!(slow.is_some());
        assert!(domains.turn("a").await.is_none(), "does not wait");
        assert!(domains.turn("b").await.is_none(), "does not wait");
        assert!(domains.turn("c").await.is_some());
        drop(slow);
        assert!(domains.turn("b").await.is_some());

        let slow = domains.turn("a").await;
        domains.note_fast("b");
        assert!(domains.turn("b").await.is_some());
        tokio::time::advance(REMEMBERED).await;
        let again = domains.turn("a").await;
        assert!(slow.is_some() && again.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_letter_that_waits_while_its_domain_becomes_slow_is_sent_later() {
        let domains = Domains::new(2);
        let turn = domains.turn("a").await;
        let mut waiting = Box::pin(domains.turn("a"));
        assert!(waiting.as_mut().now_or_never().is_none());
        domains.note_slow("b");
        let slow = domains.turn("b").await;
        domains.note_slow("a");
        drop(turn);
        assert!(waiting.await.is_none());
        drop(slow);
    }

    #[tokio::test(start_paused = true)]
    async fn few_domains_are_remembered() {
        let domains = Domains::new(4);
        for number in 0..=MAX_REMEMBERED {
            domains.note_slow(&number.to_string());
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert!(!domains.is_slow("0"));
        assert!(domains.is_slow("1"));
        assert_eq!(lock(&domains.slow).len(), MAX_REMEMBERED);
        assert_eq!(lock(&domains.in_progress).len(), 0);
    }
}

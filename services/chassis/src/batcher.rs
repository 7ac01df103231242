//! Batches the keys of many callers into one query. If no query is running, a key is loaded immediately; otherwise it
//! waits and shares the next query. The busier a service is, the less each key costs.

use std::{
    collections::HashMap,
    hash::Hash,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::{FutureExt, future::BoxFuture};
use tokio::sync::oneshot;
use tracing::Instrument;

use crate::error::{Code, Fault};

/// The maximum number of concurrent queries: while one waits for the database, another is being prepared.
const QUERIES: usize = 2;
/// A query is abandoned after this time, so that it does not block the callers behind it.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum number of keys in a query.
const MAX_KEYS: usize = 100;

type Load<K, V> = dyn Fn(Vec<K>) -> BoxFuture<'static, Result<HashMap<K, V>, Fault>> + Send + Sync;
type Waiting<K, V> = Vec<(K, oneshot::Sender<Result<V, Fault>>)>;

/// Batches the keys of many callers into one query. Each caller gets a value read after its call.
pub struct Batcher<K, V> {
    load: Arc<Load<K, V>>,
    state: Arc<Mutex<State<K, V>>>,
    /// The number of waiting keys that starts a second, concurrent query.
    worth_another: usize,
}

struct State<K, V> {
    waiting: Waiting<K, V>,
    under_way: usize,
}

impl<K, V> State<K, V> {
    /// Whether enough keys are waiting to start another query.
    fn is_worth_a_query(&self, worth_another: usize) -> bool {
        let least = if self.under_way == 0 {
            1
        } else {
            worth_another
        };
        self.waiting.len() >= least
    }
}

impl<K, V> Clone for Batcher<K, V> {
    fn clone(&self) -> Self {
        Self {
            load: Arc::clone(&self.load),
            state: Arc::clone(&self.state),
            worth_another: self.worth_another,
        }
    }
}

impl<K, V> std::fmt::Debug for Batcher<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batcher").finish_non_exhaustive()
    }
}

impl<K, V> Batcher<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Default + Send + 'static,
{
    /// Batches calls to `load`. A key that is missing from its result gets the default value.
    pub fn new<F>(load: impl Fn(Vec<K>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<HashMap<K, V>, Fault>> + Send + 'static,
    {
        Self::beginning(load, 1)
    }

    /// A batcher for queries that cost little more for many keys than for a single key, such as writes: while a query
    /// is running, a second query starts only for a full batch.
    pub fn gathering<F>(load: impl Fn(Vec<K>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<HashMap<K, V>, Fault>> + Send + 'static,
    {
        Self::beginning(load, MAX_KEYS)
    }

    fn beginning<F>(
        load: impl Fn(Vec<K>) -> F + Send + Sync + 'static,
        worth_another: usize,
    ) -> Self
    where
        F: Future<Output = Result<HashMap<K, V>, Fault>> + Send + 'static,
    {
        Self {
            worth_another,
            load: Arc::new(move |keys| load(keys).boxed()),
            state: Arc::new(Mutex::new(State {
                waiting: Vec::new(),
                under_way: 0,
            })),
        }
    }

    /// Loads the value of this key. If the query fails, all its callers get the error.
    pub async fn get(&self, key: K) -> Result<V, Fault> {
        let mut values = self.get_all([key]).await?;
        values.pop().ok_or_else(given_up)
    }

    /// Loads the values of several keys, in the same order, with one query if there are few enough keys.
    pub async fn get_all(&self, keys: impl IntoIterator<Item = K>) -> Result<Vec<V>, Fault> {
        let mut answers = Vec::new();
        let begins = {
            let mut state = self.state();
            for key in keys {
                let (sender, answer) = oneshot::channel();
                state.waiting.push((key, sender));
                answers.push(answer);
            }
            let begins = state.under_way < QUERIES && state.is_worth_a_query(self.worth_another);
            state.under_way += usize::from(begins);
            begins
        };
        if begins {
            // The query runs in a separate task, so that a caller that gives up does not cancel the query for the other
            // callers.
            tokio::spawn(self.clone().work().in_current_span());
        }
        let mut values = Vec::with_capacity(answers.len());
        for answer in answers {
            values.push(answer.await.unwrap_or_else(|_| Err(given_up()))?);
        }
        Ok(values)
    }

    /// Runs queries until no more callers wait.
    async fn work(self) {
        while let Some(batch) = self.next() {
            let keys = batch.iter().map(|(key, _)| key.clone()).collect();
            let loading = AssertUnwindSafe((self.load)(keys)).catch_unwind();
            let outcome = match tokio::time::timeout(TIMEOUT, loading).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) => Err(Fault::new(Code::Internal, "the query panicked")),
                Err(_) => Err(Fault::new(Code::Unavailable, "the query took too long")),
            };
            for (key, sender) in batch {
                let value = outcome
                    .as_ref()
                    .map(|found| found.get(&key).cloned().unwrap_or_default());
                // The caller may have given up.
                let _ = sender.send(value.map_err(Clone::clone));
            }
        }
    }

    fn next(&self) -> Option<Waiting<K, V>> {
        let mut state = self.state();
        state.under_way -= 1;
        if !state.is_worth_a_query(self.worth_another) {
            return None;
        }
        state.under_way += 1;
        let most = state.waiting.len().min(MAX_KEYS);
        Some(state.waiting.drain(..most).collect())
    }

    fn state(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn given_up() -> Fault {
    Fault::new(Code::Internal, "the query was given up")
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// Doubles its keys, except 1313. Each query waits for a permit and records its number of keys.
    struct Doubling {
        batcher: Batcher<i64, i64>,
        permits: Arc<Semaphore>,
        sizes: Arc<Mutex<Vec<usize>>>,
    }

    fn doubling(permits: usize) -> Doubling {
        doubling_by(permits, Batcher::new)
    }

    type Answer = BoxFuture<'static, Result<HashMap<i64, i64>, Fault>>;
    type Work = Box<dyn Fn(Vec<i64>) -> Answer + Send + Sync>;

    fn doubling_by(permits: usize, batch: fn(Work) -> Batcher<i64, i64>) -> Doubling {
        let permits = Arc::new(Semaphore::new(permits));
        let sizes = Arc::new(Mutex::new(Vec::new()));
        let (waiting, noted) = (Arc::clone(&permits), Arc::clone(&sizes));
        let batcher = batch(Box::new(move |keys: Vec<i64>| {
            let (waiting, noted) = (Arc::clone(&waiting), Arc::clone(&noted));
            let doubled = async move {
                waiting.acquire().await.expect("open").forget();
                noted.lock().expect("no panic").push(keys.len());
                assert!(!keys.contains(&666), "a defect, as the test asked");
                if keys.contains(&1313) {
                    return Err(Fault::new(Code::Unavailable, "away"));
                }
                Ok(keys
                    .into_iter()
                    .filter(|key| *key > 0)
                    .map(|key| (key, key * 2))
                    .collect())
            };
            doubled.boxed()
        }));
        Doubling {
            batcher,
            permits,
            sizes,
        }
    }

    #[tokio::test]
    async fn each_caller_gets_the_value_of_its_own_key() {
        let Doubling { batcher, sizes, .. } = doubling(100);
        assert_eq!(batcher.get(4).await, Ok(8));
        assert_eq!(
            batcher.get(-4).await,
            Ok(0),
            "what is not found is the default"
        );
        assert_eq!(*sizes.lock().expect("no panic"), [1, 1]);
    }

    #[tokio::test]
    async fn keys_that_come_together_share_a_query_and_keep_their_order() {
        let Doubling { batcher, sizes, .. } = doubling(100);
        assert_eq!(batcher.get_all([3, 1, 3, -1]).await, Ok(vec![6, 2, 6, 0]));
        assert_eq!(batcher.get_all([]).await, Ok(vec![]));
        let many = batcher.get_all(1..=150).await.expect("answers");
        assert!(many.into_iter().eq((1..=150).map(|key| key * 2)));
        assert_eq!(*sizes.lock().expect("no panic"), [4, 100, 50]);
    }

    #[tokio::test]
    async fn keys_that_come_while_queries_are_under_way_share_the_next() {
        let Doubling {
            batcher,
            permits,
            sizes,
        } = doubling(0);
        let ask = |key| {
            let batcher = batcher.clone();
            tokio::spawn(async move { batcher.get(key).await })
        };
        let is_under_way = async || {
            while !batcher.state().waiting.is_empty() {
                tokio::task::yield_now().await;
            }
        };
        let mut asked = Vec::new();
        for key in 1..=2 {
            asked.push(ask(key));
            tokio::task::yield_now().await;
            is_under_way().await;
        }
        asked.extend((3..=52).map(ask));
        while batcher.state().waiting.len() < 50 {
            tokio::task::yield_now().await;
        }
        permits.add_permits(3);
        for (key, answer) in (1..).zip(asked) {
            assert_eq!(answer.await.expect("no panic"), Ok(key * 2));
        }
        let mut sizes = sizes.lock().expect("no panic").clone();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 1, 50]);
    }

    #[tokio::test]
    async fn a_gathering_batcher_asks_beside_a_query_only_for_a_full_batch() {
        let Doubling {
            batcher,
            permits,
            sizes,
        } = doubling_by(0, Batcher::gathering);
        let ask = |keys: std::ops::RangeInclusive<i64>| {
            let batcher = batcher.clone();
            tokio::spawn(async move { batcher.get_all(keys).await })
        };
        // The test runs on one thread: yields until all tasks wait.
        let settled = async || {
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
        };
        let mut asked = vec![ask(1..=1)];
        settled().await;
        asked.push(ask(2..=60));
        settled().await;
        assert_eq!(batcher.state().under_way, 1);
        asked.push(ask(61..=110));
        settled().await;
        assert_eq!(batcher.state().under_way, 2);
        permits.add_permits(3);
        for answer in asked {
            assert!(answer.await.expect("no panic").is_ok());
        }
        let mut sizes = sizes.lock().expect("no panic").clone();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 9, 100]);
        assert_eq!(batcher.state().under_way, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_query_that_hangs_is_given_up_and_the_next_is_asked() {
        let Doubling {
            batcher, permits, ..
        } = doubling(0);
        let hung = batcher.get(1).await.map_err(|fault| fault.code);
        assert_eq!(hung, Err(Code::Unavailable));
        permits.add_permits(1);
        assert_eq!(batcher.get(1).await, Ok(2));
    }

    #[tokio::test]
    async fn a_query_that_fails_or_panics_is_its_callers_alone() {
        let Doubling { batcher, .. } = doubling(100);
        assert_eq!(
            batcher.get(1313).await.map_err(|fault| fault.code),
            Err(Code::Unavailable)
        );
        assert_eq!(
            batcher.get(666).await.map_err(|fault| fault.code),
            Err(Code::Internal)
        );
        assert_eq!(batcher.get(1).await, Ok(2));
    }
}

//! Counts work in progress, so that tests can wait for its end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// The amount of work in progress, and of all work ever begun. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub(super) struct UnderWay(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    now: AtomicUsize,
    ever: AtomicUsize,
}

/// A unit of work in progress, which ends when this value is dropped.
#[derive(Debug)]
pub(super) struct Piece(UnderWay);

impl UnderWay {
    pub(super) fn begin(&self) -> Piece {
        self.0.now.fetch_add(1, Ordering::SeqCst);
        self.0.ever.fetch_add(1, Ordering::SeqCst);
        Piece(self.clone())
    }

    /// Waits until no work is in progress; returns the number of units begun so far.
    pub(super) async fn ended(&self) -> usize {
        while self.0.now.load(Ordering::SeqCst) > 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        self.0.ever.load(Ordering::SeqCst)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.0.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

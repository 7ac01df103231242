//! Counts work that is under way, so that a test can wait for its end.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Work under way, and all that ever was. Clones share the counts.
#[derive(Debug, Clone, Default)]
pub(super) struct UnderWay(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    now: AtomicUsize,
    ever: AtomicUsize,
}

/// A piece of work, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Piece(UnderWay);

impl UnderWay {
    pub(super) fn begin(&self) -> Piece {
        self.0.now.fetch_add(1, Ordering::SeqCst);
        self.0.ever.fetch_add(1, Ordering::SeqCst);
        Piece(self.clone())
    }

    /// Waits until nothing is under way; returns the number of pieces that have begun so far.
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

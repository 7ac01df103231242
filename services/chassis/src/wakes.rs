//! Wakes between futures that one task polls.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures::task::AtomicWaker;
use tokio::task::coop;

/// How often futures are polled before other tasks have their turn, however they wake each other.
const ROUNDS: usize = 16;

/// Nothing has been woken since the futures were polled.
const ASLEEP: u8 = 0;
/// The futures are being polled, or have ended; none was woken since that began.
const POLLED: u8 = 1;
/// A future has been woken, and all are polled again.
const WOKEN: u8 = 2;

/// Wakes a task for the futures that it polls, but not while it polls them and can do so again by itself. A task that is
/// woken while it runs is queued, for which the runtime wakes a second thread.
#[derive(Debug, Default)]
pub struct Wakes {
    state: AtomicU8,
    task: AtomicWaker,
}

impl Wakes {
    /// Polls until there is an answer or nothing was woken meanwhile. If that takes too many rounds, the task is woken, and goes
    /// on when others have had their turn.
    pub fn poll<T>(
        self: &Arc<Self>,
        context: &mut Context<'_>,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        let inside = Waker::from(Arc::clone(self));
        self.task.register(context.waker());
        for _ in 0..ROUNDS {
            self.state.store(POLLED, Ordering::SeqCst);
            let polled = poll(&mut Context::from_waker(&inside));
            if polled.is_ready() || self.sleeps() {
                return polled;
            }
            // Without a budget all of Tokio's futures would only wake again.
            if !coop::has_budget_remaining() {
                break;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Whether nothing was woken while it was polled. If so, the next wake is the task's.
    fn sleeps(&self) -> bool {
        let (polled, asleep) = (POLLED, ASLEEP);
        let slept = self
            .state
            .compare_exchange(polled, asleep, Ordering::SeqCst, Ordering::SeqCst);
        slept.is_ok()
    }
}

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.state.swap(WOKEN, Ordering::SeqCst) == ASLEEP {
            self.task.wake();
        }
    }
}

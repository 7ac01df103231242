//! Wake-ups between futures that are polled by one task.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use futures::task::AtomicWaker;
use tokio::task::coop;

/// The maximum number of polls before other tasks run, even if the futures keep waking each other.
const ROUNDS: usize = 16;

/// No future was woken since the last poll.
const ASLEEP: u8 = 0;
/// The futures are being polled or have ended; no future was woken since the poll began.
const POLLED: u8 = 1;
/// A future was woken, and all will be polled again.
const WOKEN: u8 = 2;

/// Wakes a task for the futures that it polls, except during a poll, after which the task polls again by itself. A task
/// woken while it runs is queued, and the runtime wakes a second thread for it.
#[derive(Debug, Default)]
pub struct Wakes {
    state: AtomicU8,
    task: AtomicWaker,
}

impl Wakes {
    /// Polls until there is a result or no future was woken during the poll. After too many rounds the task is woken
    /// instead, so that it continues after other tasks have run.
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
            // Without remaining budget, Tokio's futures would only wake again.
            if !coop::has_budget_remaining() {
                break;
            }
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Whether no future was woken during the poll. If so, the next wake-up must wake the task.
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

//! An executor whose futures are polled by one task. A channel has a future for its queue, one for its requests, one for
//! its connection and one for each call, and they wake each other several times for a call. If they were tasks of their
//! own, and one woke two others, the runtime would wake another thread for the second, on a processor that is idle, which
//! takes longer than all that the futures do. Here they are polled one after the other by the thread that is awake.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::sync::mpsc;

use crate::wakes::Wakes;

/// Has futures polled by one task. A channel has no more of them than calls, which their callers bound.
pub(super) struct OneTask(mpsc::UnboundedSender<BoxFuture<'static, ()>>);

impl OneTask {
    /// Starts the task. It ends when the executor is dropped, which its futures may hold, and all of them have ended.
    ///
    /// # Panics
    /// Outside of a runtime.
    pub(super) fn start() -> Self {
        let (sender, incoming) = mpsc::unbounded_channel();
        tokio::spawn(Task::new(incoming));
        Self(sender)
    }
}

impl<F> hyper::rt::Executor<F> for OneTask
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, future: F) {
        // The task ends only with its runtime while there is an executor, as tasks do that are spawned.
        let _ = self.0.send(future.boxed());
    }
}

/// What the task does.
struct Task {
    /// `None` once nobody can send any more.
    incoming: Option<mpsc::UnboundedReceiver<BoxFuture<'static, ()>>>,
    futures: FuturesUnordered<BoxFuture<'static, ()>>,
    wakes: Arc<Wakes>,
}

impl Task {
    fn new(incoming: mpsc::UnboundedReceiver<BoxFuture<'static, ()>>) -> Self {
        Self {
            incoming: Some(incoming),
            futures: FuturesUnordered::new(),
            wakes: Arc::default(),
        }
    }

    /// Polls what has been woken; ready once all has ended.
    fn poll_all(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Some(incoming) = &mut self.incoming {
            match incoming.poll_recv(context) {
                Poll::Ready(Some(future)) => {
                    // As in a task of its own, a panic harms no other future.
                    let future = AssertUnwindSafe(future).catch_unwind();
                    self.futures.push(future.map(drop).boxed());
                }
                Poll::Ready(None) => self.incoming = None,
                Poll::Pending => break,
            }
        }
        while let Poll::Ready(Some(())) = self.futures.poll_next_unpin(context) {}
        if self.incoming.is_none() && self.futures.is_empty() {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    }
}

impl Future for Task {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let wakes = Arc::clone(&self.wakes);
        wakes.poll(context, |context| self.poll_all(context))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        task::ready,
    };

    use futures::{channel::mpsc as plain, future};
    use hyper::rt::Executor;
    use testkit::woken::Woken;

    use super::*;

    /// The executor, its task, and how often that was woken.
    fn by_hand() -> (OneTask, Pin<Box<Task>>, Arc<Woken>) {
        let (sender, incoming) = mpsc::unbounded_channel();
        (
            OneTask(sender),
            Box::pin(Task::new(incoming)),
            Arc::default(),
        )
    }

    /// Sends on what it receives.
    async fn pass_on(mut from: plain::UnboundedReceiver<u32>, to: plain::UnboundedSender<u32>) {
        while let Some(number) = from.next().await {
            let _ = to.unbounded_send(number + 1);
        }
    }

    #[test]
    fn futures_that_wake_each_other_are_polled_at_once_and_wake_no_task() {
        let (executor, mut task, woken) = by_hand();
        let (first, second) = (plain::unbounded(), plain::unbounded());
        let (third, mut last) = (plain::unbounded(), plain::unbounded());
        // In the order in which none can go on but by the next.
        executor.execute(pass_on(third.1, last.0));
        executor.execute(pass_on(second.1, third.0));
        executor.execute(pass_on(first.1, second.0));
        assert!(woken.poll(task.as_mut()).is_pending());
        assert_eq!(woken.count(), 0);

        first.0.unbounded_send(1).unwrap();
        assert_eq!(woken.count(), 1, "from outside");
        assert!(woken.poll(task.as_mut()).is_pending());
        assert_eq!(last.1.try_recv().ok(), Some(4));
        assert_eq!(woken.count(), 1, "not by each other");
    }

    #[test]
    fn several_wakes_before_a_poll_are_one() {
        let (executor, mut task, woken) = by_hand();
        assert!(woken.poll(task.as_mut()).is_pending());
        executor.execute(future::pending());
        executor.execute(future::ready(()));
        assert_eq!(woken.count(), 1);
        assert!(woken.poll(task.as_mut()).is_pending());
        executor.execute(future::ready(()));
        assert_eq!(woken.count(), 2);
    }

    #[test]
    fn a_future_that_wakes_itself_for_ever_leaves_others_their_turn() {
        let (executor, mut task, woken) = by_hand();
        let restless = future::poll_fn(|context: &mut Context<'_>| {
            context.waker().wake_by_ref();
            Poll::<()>::Pending
        });
        executor.execute(restless);
        let has_run = Arc::new(AtomicBool::new(false));
        let runs = Arc::clone(&has_run);
        executor.execute(async move { runs.store(true, Ordering::Relaxed) });
        assert!(woken.poll(task.as_mut()).is_pending());
        assert!(has_run.load(Ordering::Relaxed));
        assert_eq!(woken.count(), 1, "it is polled again");
    }

    #[tokio::test]
    async fn a_panic_ends_its_own_future_only_and_a_future_may_have_others_run() {
        let executor = Arc::new(OneTask::start());
        executor.execute(async { panic!("on purpose") });
        let (sender, received) = tokio::sync::oneshot::channel();
        let inner = Arc::clone(&executor);
        executor.execute(async move {
            inner.execute(async move { assert_eq!(sender.send(7), Ok(())) });
        });
        assert_eq!(received.await, Ok(7));
    }

    #[test]
    fn the_task_ends_with_its_executor_once_all_futures_have() {
        let (executor, mut task, woken) = by_hand();
        let (go, mut gone) = plain::unbounded::<()>();
        executor.execute(future::poll_fn(move |context| {
            let _: Option<()> = ready!(gone.poll_next_unpin(context));
            Poll::Ready(())
        }));
        drop(executor);
        assert!(woken.poll(task.as_mut()).is_pending());
        drop(go);
        assert_eq!(woken.count(), 1);
        assert!(woken.poll(task.as_mut()).is_ready());
    }
}

//! An executor that polls all its futures in one task. A channel has futures for its queue, its requests, its
//! connection and each call, and they wake each other several times per call. In separate tasks, a future that woke two
//! other futures would make the runtime wake another thread on an idle processor, which takes longer than all the work
//! of the futures. Here the running thread polls them one after the other.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::sync::mpsc;

use crate::wakes::Wakes;

/// Polls futures in one task. A channel has no more futures than calls, whose number the callers limit.
pub(super) struct OneTask(mpsc::UnboundedSender<BoxFuture<'static, ()>>);

impl OneTask {
    /// Starts the task. It ends when all executors are dropped, which its futures may own, and all futures have ended.
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
        // Sending fails only after the runtime has ended, because the task runs as long as an executor exists.
        let _ = self.0.send(future.boxed());
    }
}

/// The task that polls the futures.
struct Task {
    /// `None` once all executors are dropped.
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

    /// Polls the woken futures; ready when all futures have ended.
    fn poll_all(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Some(incoming) = &mut self.incoming {
            match incoming.poll_recv(context) {
                Poll::Ready(Some(future)) => {
                    // As in separate tasks, a panic affects no other future.
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

    /// The executor, its task, and the number of times the task was woken.
    fn by_hand() -> (OneTask, Pin<Box<Task>>, Arc<Woken>) {
        let (sender, incoming) = mpsc::unbounded_channel();
        (
            OneTask(sender),
            Box::pin(Task::new(incoming)),
            Arc::default(),
        )
    }

    /// Forwards received numbers, each plus one.
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
        // In reverse order: each future can only continue after the next one in this list.
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

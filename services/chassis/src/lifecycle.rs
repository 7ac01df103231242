//! A process's lifecycle: a soft stop asks all tasks to finish, a hard stop cancels the remaining tasks.

use std::{
    collections::BTreeSet,
    future::Future,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::FutureExt;
use tokio::time::Instant;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The delay before a panicked task restarts. It doubles with each panic that occurs before the task has recovered.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// A task that has run for this long has recovered: its next panic restarts the delays.
const RECOVERED: Duration = Duration::from_mins(1);

/// The process's lifecycle, cloned into all background work.
#[derive(Debug, Clone, Default)]
pub struct Lifecycle {
    retiring: CancellationToken,
    soft: CancellationToken,
    hard: CancellationToken,
    tasks: TaskTracker,
    /// Tasks that have panicked and not restarted yet.
    down: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl Lifecycle {
    /// The lifecycle of a newly started process.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a task until it ends or the hard stop cancels it. Tasks should watch [`Lifecycle::stopping`] and finish
    /// their work.
    pub fn spawn(&self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let hard = self.hard.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = task => tracing::debug!(task = name, "task ended"),
                () = hard.cancelled() => tracing::warn!(task = name, "a task did not finish; the hard stop cancels it"),
            }
        });
    }

    /// Runs a task, such as a relay or a consumer, for as long as the process runs, and restarts it after a delay if it
    /// panics. Until the restart, [`Lifecycle::down`] returns its name; `task_panics_total` counts its panics.
    pub fn supervise<F>(&self, name: &'static str, task: impl Fn() -> F + Send + Sync + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let life = self.clone();
        // Created here, so that the metric is 0 instead of absent before the first panic.
        let panics = metrics::counter!("task_panics_total", "task" => name);
        self.spawn(name, async move {
            let mut pause = FIRST_PAUSE;
            loop {
                let begun = Instant::now();
                if AssertUnwindSafe(task()).catch_unwind().await.is_ok() {
                    return;
                }
                panics.increment(1);
                if begun.elapsed() >= RECOVERED {
                    pause = FIRST_PAUSE;
                }
                tracing::error!(task = name, ?pause, "a task panicked; it restarts");
                life.lock_down().insert(name);
                tokio::select! {
                    () = life.stopping() => return,
                    () = tokio::time::sleep(pause) => {}
                }
                life.lock_down().remove(name);
                pause = (pause * 2).min(MAX_PAUSE);
            }
        });
    }

    /// A supervised task that has panicked and not restarted yet, if any; for readiness.
    #[must_use]
    pub fn down(&self) -> Option<&'static str> {
        self.lock_down().first().copied()
    }

    fn lock_down(&self) -> MutexGuard<'_, BTreeSet<&'static str>> {
        self.down.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resolves when the process is asked to stop.
    pub async fn stopping(&self) {
        self.soft.cancelled().await;
    }

    /// Whether the process is stopping.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.soft.is_cancelled()
    }

    /// Turns readiness off; everything continues to run.
    pub fn retire(&self) {
        self.retiring.cancel();
    }

    /// Whether new work should be routed to another process.
    #[must_use]
    pub fn is_retiring(&self) -> bool {
        self.retiring.is_cancelled() || self.is_stopping()
    }

    /// Asks all tasks to finish.
    pub fn stop(&self) {
        self.soft.cancel();
    }

    /// Stops, waits at most `grace` for all tasks, then cancels the rest.
    pub async fn finish(&self, grace: Duration) {
        self.stop();
        self.tasks.close();
        if tokio::time::timeout(grace, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                ?grace,
                tasks = self.tasks.len(),
                "tasks outlived the grace period"
            );
            self.hard.cancel();
            self.tasks.wait().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_task_that_does_not_listen_is_cut_off_after_the_grace() {
        let life = Lifecycle::new();
        life.spawn("deaf", std::future::pending());
        tokio::time::timeout(
            Duration::from_secs(5),
            life.finish(Duration::from_millis(20)),
        )
        .await
        .expect("the hard stop ends it");
    }

    #[tokio::test(start_paused = true)]
    async fn a_supervised_task_that_panics_is_down_until_it_begins_again() {
        let life = Lifecycle::new();
        let runs = Arc::new(AtomicUsize::new(0));
        let (counted, watch) = (Arc::clone(&runs), life.clone());
        life.supervise("fragile", move || {
            let (run, watch) = (counted.fetch_add(1, Ordering::SeqCst), watch.clone());
            async move {
                assert!(run >= 2, "a defect, as the test asked");
                watch.stopping().await;
            }
        });
        let seen = async |runs_so_far: usize, down: Option<&str>| {
            while runs.load(Ordering::SeqCst) < runs_so_far || life.down() != down {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let begun = Instant::now();
        seen(1, Some("fragile")).await;
        seen(2, Some("fragile")).await;
        seen(3, None).await;
        assert!(begun.elapsed() >= 3 * FIRST_PAUSE, "the pause doubles");
        life.finish(Duration::from_secs(5)).await;
        assert_eq!(runs.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn a_task_that_listens_finishes_its_work() {
        let life = Lifecycle::new();
        let (done, finished) = tokio::sync::oneshot::channel();
        let watch = life.clone();
        life.spawn("worker", async move {
            watch.stopping().await;
            tokio::task::yield_now().await;
            done.send(()).ok();
        });
        life.finish(Duration::from_secs(5)).await;
        finished.await.expect("the task came to its end");
    }
}

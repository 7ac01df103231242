//! A process's lifecycle: a soft stop asks every task to finish, a hard stop ends those that have not.

use std::{future::Future, time::Duration};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The process's lifecycle, cloned into everything that runs in the background.
#[derive(Debug, Clone, Default)]
pub struct Lifecycle {
    retiring: CancellationToken,
    soft: CancellationToken,
    hard: CancellationToken,
    tasks: TaskTracker,
}

impl Lifecycle {
    /// The lifecycle of a process that has just started.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a task until it ends by itself or the hard stop cuts it off. Tasks watch [`Lifecycle::stopping`]
    /// and finish their work.
    pub fn spawn(&self, name: &'static str, task: impl Future<Output = ()> + Send + 'static) {
        let hard = self.hard.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                () = task => tracing::debug!(task = name, "task ended"),
                () = hard.cancelled() => tracing::warn!(task = name, "task cut off"),
            }
        });
    }

    /// Resolves once the process has been asked to stop.
    pub async fn stopping(&self) {
        self.soft.cancelled().await;
    }

    /// Whether everyone has been asked to finish.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.soft.is_cancelled()
    }

    /// Turns readiness off, while everything goes on.
    pub fn retire(&self) {
        self.retiring.cancel();
    }

    /// Whether new work should go elsewhere.
    #[must_use]
    pub fn is_retiring(&self) -> bool {
        self.retiring.is_cancelled() || self.is_stopping()
    }

    /// Asks everyone to finish.
    pub fn stop(&self) {
        self.soft.cancel();
    }

    /// Waits for every task after [`Lifecycle::stop`], at most `grace`, then cuts the rest off.
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

//! Makes the best encodings of repeatedly requested answers, one at a time in the background.

use std::sync::{Arc, Weak};

use chassis::lifecycle::Lifecycle;
use tokio::sync::{Mutex, mpsc};

use super::{
    answer::{Answer, Variant},
    encoding::Effort,
};

/// Maximum queue length. Further encodings are dropped; a later request queues them again.
const MAX_WAITING: usize = 64;

/// An answer, if it still exists, and the variant to make.
type Wanted = (Weak<Answer>, Variant);

/// The queue of encodings to make.
#[derive(Clone)]
pub(super) struct Improver(mpsc::Sender<Wanted>);

impl Improver {
    /// Starts the worker, which runs until the process stops.
    pub(super) fn start(life: &Lifecycle) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        let (receiver, stopping) = (Arc::new(Mutex::new(receiver)), life.clone());
        life.supervise("better encodings", move || {
            let (receiver, stopping) = (Arc::clone(&receiver), stopping.clone());
            async move {
                let mut receiver = receiver.lock().await;
                tokio::select! {
                    () = stopping.stopping() => {}
                    () = improve(&mut receiver) => {}
                }
            }
        });
        Self(sender)
    }

    /// Counts a served variant and queues its best encoding when it is due.
    pub(super) fn note_served(&self, answer: &Arc<Answer>, variant: Variant) {
        if answer.note_served(variant) {
            let best = Variant {
                effort: Effort::Best,
                ..variant
            };
            // Sending fails if the queue is full.
            let _ = self.0.try_send((Arc::downgrade(answer), best));
        }
    }
}

async fn improve(wanted: &mut mpsc::Receiver<Wanted>) {
    while let Some((answer, variant)) = wanted.recv().await {
        if let Some(answer) = answer.upgrade()
            && let Err(error) = answer.make(variant).await
        {
            tracing::error!(
                encoding = variant.encoding.name(),
                error,
                "a public response could not be encoded"
            );
        }
    }
}

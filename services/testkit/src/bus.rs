//! A bus consumer for tests.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use chassis::{
    bus::{Bus, Durability, Handler, Message, Subscription},
    error::{Code, Fault},
};
use lapin::{Connection, ConnectionProperties, options::QueueDeleteOptions};

/// Records received messages and refuses a configured number of them.
#[derive(Debug, Default)]
pub struct Recorder {
    heard: Mutex<Vec<Message>>,
    refuse: Mutex<usize>,
    fail: Mutex<usize>,
    reject: Mutex<usize>,
    lost: AtomicUsize,
}

impl Recorder {
    /// Creates a recorder and subscribes it to an exchange.
    ///
    /// # Panics
    /// If the bus refuses the subscription.
    pub async fn on(
        bus: &dyn Bus,
        queue: &'static str,
        exchange: &'static str,
        key: &'static str,
        durability: Durability,
    ) -> Arc<Self> {
        let recorder = Arc::new(Self::default());
        let subscription = Subscription {
            queue,
            exchange,
            key,
            durability,
        };
        bus.subscribe(subscription, recorder.clone())
            .await
            .unwrap_or_else(|error| panic!("subscribing: {error}"));
        recorder
    }

    /// Refuses this many of the next messages, as if a server were unavailable.
    pub fn refuse_next(&self, count: usize) {
        *self.refuse.lock().unwrap_or_else(PoisonError::into_inner) = count;
    }

    /// Returns the number of remaining refusals.
    #[must_use]
    pub fn refusals_left(&self) -> usize {
        *self.refuse.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fails on this many of the next messages, like a defect, before it refuses any.
    pub fn fail_next(&self, count: usize) {
        *self.fail.lock().unwrap_or_else(PoisonError::into_inner) = count;
    }

    /// Returns the number of remaining failures.
    #[must_use]
    pub fn failures_left(&self) -> usize {
        *self.fail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rejects this many of the next messages as permanently invalid.
    pub fn reject_next(&self, count: usize) {
        *self.reject.lock().unwrap_or_else(PoisonError::into_inner) = count;
    }

    /// Returns how often the recorder's queue was missing.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.lost.load(Ordering::SeqCst)
    }

    /// Returns the accepted messages.
    #[must_use]
    pub fn heard(&self) -> Vec<Message> {
        self.heard
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns the payloads of the accepted messages.
    #[must_use]
    pub fn payloads(&self) -> Vec<Vec<u8>> {
        self.heard()
            .into_iter()
            .map(|message| message.payload.to_vec())
            .collect()
    }
}

#[async_trait]
impl Handler for Recorder {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let mut fail = self.fail.lock().unwrap_or_else(PoisonError::into_inner);
        if *fail > 0 {
            *fail -= 1;
            return Err(Fault::new(Code::Internal, "failed, as the test asked"));
        }
        let mut refuse = self.refuse.lock().unwrap_or_else(PoisonError::into_inner);
        if *refuse > 0 {
            *refuse -= 1;
            return Err(Fault::new(Code::Unavailable, "refused, as the test asked"));
        }
        let mut reject = self.reject.lock().unwrap_or_else(PoisonError::into_inner);
        if *reject > 0 {
            *reject -= 1;
            return Err(Fault::new(Code::Invalid, "rejected, as the test asked"));
        }
        self.heard
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(message.clone());
        Ok(())
    }

    async fn lost(&self) -> Result<(), Fault> {
        self.lost.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

/// Deletes a queue and its messages at the broker, like a mistake by an operator.
///
/// # Panics
/// If the broker refuses.
pub async fn delete_queue(url: &str, queue: &str) {
    let delete = async {
        let connection = Connection::connect(url, ConnectionProperties::default()).await?;
        let channel = connection.create_channel().await?;
        let options = QueueDeleteOptions::default();
        channel.queue_delete(queue.into(), options).await
    };
    delete
        .await
        .unwrap_or_else(|error| panic!("{queue} cannot be deleted: {error}"));
}

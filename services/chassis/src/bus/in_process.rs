//! The bus of a single-process system. It stores nothing: publishing succeeds once every durable consumer has handled
//! the message, so the outbox is the queue and survives the process.

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;

use super::{Bus, Durability, Handler, Message, Subscription, handled_all};
use crate::error::Fault;

/// Delivers messages in the publisher's own task.
#[derive(Default)]
pub struct InProcessBus {
    consumers: RwLock<Vec<(Subscription, Arc<dyn Handler>)>>,
}

crate::opaque_debug!(InProcessBus);

impl InProcessBus {
    /// The consumers, ephemeral ones first, so that a reader's open stream does not wait until a service has committed
    /// its copy.
    fn consumers(&self) -> Vec<(Subscription, Arc<dyn Handler>)> {
        let consumers = self
            .consumers
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        let mut consumers = consumers.clone();
        consumers.sort_by_key(|(subscription, _)| subscription.durability == Durability::Durable);
        consumers
    }
}

impl Subscription {
    fn takes(&self, message: &Message) -> bool {
        self.exchange == message.exchange && (self.key == "#" || self.key == message.key)
    }
}

#[async_trait]
impl Bus for InProcessBus {
    async fn publish_all(&self, messages: Vec<Message>) -> Vec<Result<(), Fault>> {
        let mut outcomes: Vec<_> = messages.iter().map(|_| Ok(())).collect();
        for (bound, handler) in self.consumers() {
            let (places, taken): (Vec<_>, Vec<_>) = messages
                .iter()
                .enumerate()
                .filter(|(_, message)| bound.takes(message))
                .map(|(at, message)| (at, message.clone()))
                .unzip();
            let handled = handled_all(&bound, handler.as_ref(), &taken).await;
            for ((at, message), outcome) in places.into_iter().zip(&taken).zip(handled) {
                let Err(error) = outcome else { continue };
                tracing::warn!(queue = bound.queue, event = %message.id, %error, "a consumer did not handle an event; it is retried");
                if bound.durability == Durability::Durable {
                    outcomes[at] = Err(error);
                }
            }
        }
        outcomes
    }

    async fn subscribe(
        &self,
        subscription: Subscription,
        handler: Arc<dyn Handler>,
    ) -> Result<(), Fault> {
        // There are no dead letters: messages that cannot be handled stay in the publisher's outbox.
        metrics::gauge!("bus_dead_letters").set(0);
        self.consumers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push((subscription, handler));
        Ok(())
    }
}

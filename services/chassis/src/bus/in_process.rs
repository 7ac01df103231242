//! The bus of a system that is one process. It has no memory: a publication succeeds once every
//! durable consumer has handled the message, so the outbox is the queue and survives the process.

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;

use super::{Bus, Durability, Handler, Message, Subscription, handled};
use crate::error::Fault;

/// Delivers in the publisher's own task.
#[derive(Default)]
pub struct InProcessBus {
    consumers: RwLock<Vec<(Subscription, Arc<dyn Handler>)>>,
}

impl std::fmt::Debug for InProcessBus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InProcessBus").finish_non_exhaustive()
    }
}

impl InProcessBus {
    fn bound_to(&self, message: &Message) -> Vec<(Subscription, Arc<dyn Handler>)> {
        self.consumers
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .filter(|(bound, _)| {
                bound.exchange == message.exchange && (bound.key == "#" || bound.key == message.key)
            })
            .cloned()
            .collect()
    }
}

#[async_trait]
impl Bus for InProcessBus {
    async fn publish(&self, message: Message) -> Result<(), Fault> {
        let mut outcome = Ok(());
        for (bound, handler) in self.bound_to(&message) {
            if let Err(error) = handled(&bound, handler.as_ref(), &message).await {
                tracing::warn!(queue = bound.queue, event = %message.id, %error, "not handled yet");
                if bound.durability == Durability::Durable {
                    outcome = Err(error);
                }
            }
        }
        outcome
    }

    async fn subscribe(
        &self,
        subscription: Subscription,
        handler: Arc<dyn Handler>,
    ) -> Result<(), Fault> {
        self.consumers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push((subscription, handler));
        Ok(())
    }
}

//! The event bus between services. Events are published from an outbox and delivered at least once; the consumers'
//! inboxes ensure that each takes effect once.

mod in_process;
mod rabbitmq;

use std::{any::Any, panic::AssertUnwindSafe, sync::Arc, time::Instant};

use async_trait::async_trait;
use bytes::Bytes;
use futures::FutureExt;
use tracing::{Instrument, Span};
use uuid::Uuid;

pub use in_process::InProcessBus;
pub use rabbitmq::{DeadLetter, RabbitMqBus};

use crate::{
    error::{Code, Fault},
    trace,
};

/// An event to be delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The event's id; consumers handle each event once.
    pub id: Uuid,
    /// The exchange that the event is published to.
    pub exchange: String,
    /// The routing key, matched by bindings.
    pub key: String,
    /// The protobuf encoding of the event.
    pub payload: Bytes,
    /// The W3C trace context of the change that caused the event, if it was traced.
    pub traceparent: Option<String>,
}

/// Whether a queue outlives its consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Every message is eventually handled: for a service's copy of another service's data.
    Durable,
    /// Only messages that arrive while the consumer listens: for a gateway's open streams.
    Ephemeral,
}

/// A consumer's queue and its binding.
#[derive(Debug, Clone)]
pub struct Subscription {
    /// The queue's name. Consumers with the same name share its messages.
    pub queue: &'static str,
    /// The exchange the queue is bound to.
    pub exchange: &'static str,
    /// The routing key to match, or `#` for all.
    pub key: &'static str,
    /// Whether the queue outlives its consumer.
    pub durability: Durability,
}

impl Subscription {
    /// A subscription whose queue outlives its consumer.
    #[must_use]
    pub fn durable(queue: &'static str, exchange: &'static str, key: &'static str) -> Self {
        Self {
            queue,
            exchange,
            key,
            durability: Durability::Durable,
        }
    }
}

/// Handles the messages of a subscription.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// Handles a message, which may be a duplicate. [`Code::NotAuthenticated`] means that the message's reader has been
    /// erased, so that there is nothing to do; [`Code::Invalid`] that the message can never be handled; an outage
    /// ([`Code::is_outage`]) that a server is unavailable, so that no message can be handled now. Any other error counts
    /// as a failure of the message.
    async fn handle(&self, message: &Message) -> Result<(), Fault>;

    /// Whether [`Handler::handle_together`] is worth calling.
    fn can_handle_together(&self) -> bool {
        false
    }

    /// Handles several messages together, all or none. After an error that is not an outage, each message is handled
    /// separately, so that only the faulty message fails.
    async fn handle_together(&self, messages: &[Message]) -> Result<(), Fault> {
        for message in messages {
            self.handle(message).await?;
        }
        Ok(())
    }

    /// Called when the consumer listens again after a gap in which it may have missed messages. This matters for
    /// ephemeral queues; a durable queue keeps its messages.
    async fn resumed(&self) {}

    /// Called when the durable queue does not exist at the broker: at the first start, or after it was lost with its
    /// messages. The call precedes the queue's declaration and is repeated after an error; the queue is not declared
    /// until the call succeeds. Consumers repair their copy with [`postgres::request_replay`].
    ///
    /// [`postgres::request_replay`]: crate::postgres::request_replay
    async fn lost(&self) -> Result<(), Fault> {
        Ok(())
    }
}

/// An event bus.
#[async_trait]
pub trait Bus: Send + Sync + 'static {
    /// Publishes a message. After `Ok`, every durable queue bound to it has stored it (or, in a single-process system,
    /// its consumer has handled it), so it can be removed from the outbox.
    async fn publish(&self, message: Message) -> Result<(), Fault> {
        let mut outcomes = self.publish_all(vec![message]).await;
        outcomes.pop().unwrap_or(Ok(()))
    }

    /// Publishes several messages in order and returns one outcome each, as for [`Bus::publish`]. They share one
    /// timeout, so an unavailable bus costs only one. An outage ([`Code::is_outage`]) means that the bus, or a server
    /// that a consumer in this process needs, is unavailable; any other error concerns the message alone.
    async fn publish_all(&self, messages: Vec<Message>) -> Vec<Result<(), Fault>>;

    /// Starts delivering a subscription's messages to a handler, until the process stops.
    async fn subscribe(
        &self,
        subscription: Subscription,
        handler: Arc<dyn Handler>,
    ) -> Result<(), Fault>;
}

/// A bus shared by all parts of a process.
pub type SharedBus = Arc<dyn Bus>;

/// Decodes the message's event. A malformed payload is [`Code::Invalid`], because a retry would not help.
pub fn decode<E: prost::Message + Default>(message: &Message) -> Result<E, Fault> {
    E::decode(message.payload.clone()).map_err(|error| {
        let Message { exchange, key, .. } = message;
        Fault::new(Code::Invalid, format!("{exchange}, {key}: {error}"))
    })
}

/// Runs a handler for messages, together if there are several and the handler supports it.
async fn handled_all(
    subscription: &Subscription,
    handler: &dyn Handler,
    messages: &[Message],
) -> Vec<Result<(), Fault>> {
    let queue = subscription.queue;
    let begun = Instant::now();
    let outcomes = attempted(subscription, handler, messages).await;
    metrics::histogram!("bus_handling_seconds", "queue" => queue).record(begun.elapsed());
    for outcome in &outcomes {
        let outcome = match outcome {
            Ok(()) => "handled",
            Err(fault) if fault.code == Code::Invalid => "refused",
            Err(fault) if fault.code.is_outage() => "outage",
            Err(_) => "failed",
        };
        metrics::counter!("bus_messages_total", "queue" => queue, "outcome" => outcome)
            .increment(1);
    }
    outcomes
}

async fn attempted(
    subscription: &Subscription,
    handler: &dyn Handler,
    messages: &[Message],
) -> Vec<Result<(), Fault>> {
    if messages.len() > 1 && handler.can_handle_together() {
        let outcome = handled_together(subscription, handler, messages).await;
        let is_of_all = match &outcome {
            Ok(()) => true,
            Err(fault) => fault.code.is_outage(),
        };
        if is_of_all {
            return messages.iter().map(|_| outcome.clone()).collect();
        }
    }
    let mut outcomes = Vec::with_capacity(messages.len());
    let mut outage = None;
    for message in messages {
        // After an outage, the remaining messages are not attempted.
        let outcome = match outage.clone() {
            Some(outage) => Err(outage),
            None => handled(subscription, handler, message).await,
        };
        outage = outage.or_else(|| outcome.clone().err().filter(|fault| fault.code.is_outage()));
        outcomes.push(outcome);
    }
    outcomes
}

/// One attempt to handle all messages together. Each message's trace contains a consumer span; the work is traced in
/// the first span.
async fn handled_together(
    subscription: &Subscription,
    handler: &dyn Handler,
    messages: &[Message],
) -> Result<(), Fault> {
    let spans: Vec<_> = messages
        .iter()
        .map(|message| span_of(subscription, message))
        .collect();
    let first = spans.first().cloned().unwrap_or_else(Span::none);
    AssertUnwindSafe(handler.handle_together(messages))
        .catch_unwind()
        .instrument(first)
        .await
        .unwrap_or_else(defect)
}

/// Runs a handler in the trace of the change that caused the message. A panic becomes an error and does not stop the
/// delivery.
async fn handled(
    subscription: &Subscription,
    handler: &dyn Handler,
    message: &Message,
) -> Result<(), Fault> {
    AssertUnwindSafe(handler.handle(message))
        .catch_unwind()
        .instrument(span_of(subscription, message))
        .await
        .unwrap_or_else(defect)
        .or_else(|fault| match fault.code {
            Code::NotAuthenticated => Ok(()),
            _ => Err(fault),
        })
}

fn defect(_panic: Box<dyn Any + Send>) -> Result<(), Fault> {
    Err(Fault::new(Code::Internal, "the consumer panicked"))
}

fn span_of(subscription: &Subscription, message: &Message) -> Span {
    let span = tracing::info_span!(
        "consume",
        otel.name = format!("consume {}", subscription.queue),
        otel.kind = "consumer",
        event = %message.id,
    );
    trace::continue_from(&span, message.traceparent.as_deref());
    span
}

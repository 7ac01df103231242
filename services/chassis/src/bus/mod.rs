//! The bus between services: events come from an outbox, are delivered at least once, and take
//! effect once because consumers keep an inbox.

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

/// An event on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The event's id; consumers handle each once.
    pub id: Uuid,
    /// The exchange that it is published to.
    pub exchange: String,
    /// Its subject, for bindings.
    pub key: String,
    /// The protobuf encoding of the event.
    pub payload: Bytes,
    /// W3C trace context of the change that caused it, if it was traced.
    pub traceparent: Option<String>,
}

/// Whether a queue outlives its consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Every message is handled eventually: for a service's copy of another's data.
    Durable,
    /// Only messages that come while the consumer listens: for a gateway's open streams.
    Ephemeral,
}

/// A consumer's queue and its binding.
#[derive(Debug, Clone)]
pub struct Subscription {
    /// The queue's name; consumers of one name share its messages.
    pub queue: &'static str,
    /// The exchange it is bound to.
    pub exchange: &'static str,
    /// The routing key it takes, or `#` for all.
    pub key: &'static str,
    /// Whether it outlives its consumer.
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

/// Handles messages.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// Handles one message, which may have come before. An error of [`Code::Invalid`] says that the message can never
    /// be handled; an outage ([`Code::is_outage`]), that a server is away, so that no message can be handled now. Any
    /// other counts against the message.
    async fn handle(&self, message: &Message) -> Result<(), Fault>;

    /// Whether [`Handler::handle_together`] is worth calling.
    fn can_handle_together(&self) -> bool {
        false
    }

    /// Handles several messages together, all or none. After an error that is not an outage each is handled by itself,
    /// so that a message which cannot be handled fails alone.
    async fn handle_together(&self, messages: &[Message]) -> Result<(), Fault> {
        for message in messages {
            self.handle(message).await?;
        }
        Ok(())
    }

    /// The consumer listens again after a gap in which it may have missed messages. This matters for
    /// ephemeral queues: a durable one has kept them.
    async fn resumed(&self) {}

    /// The durable queue is not at the broker: this is the first start, or it was lost with its messages.
    /// Called before the queue is declared; after an error it is called again, and nothing is declared
    /// meanwhile. [`postgres::request_replay`] is how a consumer repairs its copy.
    ///
    /// [`postgres::request_replay`]: crate::postgres::request_replay
    async fn lost(&self) -> Result<(), Fault> {
        Ok(())
    }
}

/// A bus.
#[async_trait]
pub trait Bus: Send + Sync + 'static {
    /// Publishes a message. `Ok` means that every durable queue bound to it holds it safely (or, in
    /// one process, that its consumer has handled it): the outbox may forget it.
    async fn publish(&self, message: Message) -> Result<(), Fault> {
        let mut outcomes = self.publish_all(vec![message]).await;
        outcomes.pop().unwrap_or(Ok(()))
    }

    /// Publishes several messages in their order; one outcome each, as of [`Bus::publish`]. They share
    /// the bus's timeout: a bus that is away costs one.
    async fn publish_all(&self, messages: Vec<Message>) -> Vec<Result<(), Fault>>;

    /// Starts to deliver a subscription's messages to a handler, until the process stops.
    async fn subscribe(
        &self,
        subscription: Subscription,
        handler: Arc<dyn Handler>,
    ) -> Result<(), Fault>;
}

/// A bus that is shared by all parts of a process.
pub type SharedBus = Arc<dyn Bus>;

/// The event that a message carries; [`Code::Invalid`] if it carries none, because a retry would not help.
pub fn decode<E: prost::Message + Default>(message: &Message) -> Result<E, Fault> {
    E::decode(message.payload.clone()).map_err(|error| {
        let Message { exchange, key, .. } = message;
        Fault::new(Code::Invalid, format!("{exchange}, {key}: {error}"))
    })
}

/// Runs a handler over messages, together if there are several and it can.
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
        // An outage that one message has met is not tried with the others.
        let outcome = match outage.clone() {
            Some(outage) => Err(outage),
            None => handled(subscription, handler, message).await,
        };
        outage = outage.or_else(|| outcome.clone().err().filter(|fault| fault.code.is_outage()));
        outcomes.push(outcome);
    }
    outcomes
}

/// One attempt at all of them. Each message's trace shows the consumer; the work is in the first one's.
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

/// Runs a handler within the trace of the change that caused the message. A consumer that panics
/// does not stop the delivery.
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

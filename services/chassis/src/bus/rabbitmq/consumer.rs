//! A consumer that runs until the process stops and survives broker restarts, deleted queues and lost connections. The
//! client library's own recovery is disabled: it can hang after a restart.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures::{FutureExt, StreamExt};
use lapin::{
    Channel, Connection, Consumer,
    message::Delivery,
    options::{
        BasicAckOptions, BasicConsumeOptions, BasicNackOptions, BasicQosOptions,
        ConfirmSelectOptions,
    },
    types::{AMQPValue, FieldTable},
};
use tokio::{sync::oneshot, time::Instant};
use uuid::Uuid;

use super::{
    again::{self, MAX_FAILURES},
    link::{Link, TIMEOUT, TRACEPARENT, away},
};
use crate::{
    bus::{Durability, Handler, Message, Subscription, handled_all},
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// The maximum number of unacknowledged messages of a consumer.
const PREFETCH: u16 = 32;
/// The first and maximum delays between attempts to connect to the broker.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// The delay before a message whose handler has failed returns to its queue.
const BEFORE_AGAIN: Duration = Duration::from_millis(250);
/// The first and maximum delays between attempts during an outage.
const FIRST_OUTAGE_PAUSE: Duration = Duration::from_millis(50);
const MAX_OUTAGE_PAUSE: Duration = Duration::from_secs(1);
/// After an outage of this length, messages return to the end of their queue: the broker considers a consumer dead that
/// acknowledges nothing for half an hour, and the apparent outage may be one expensive message.
const MAX_HOLD: Duration = Duration::from_mins(10);

/// A consumer that is restarted when it ends.
pub(super) struct Supervised {
    pub(super) link: Link,
    pub(super) subscription: Subscription,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) life: Lifecycle,
    /// Notified when the first attempt to listen has succeeded or failed.
    pub(super) tried: Mutex<Option<oneshot::Sender<()>>>,
}

/// A connected consumer.
struct Listening {
    connection: Connection,
    consumer: Consumer,
    /// A channel with confirms, for requeuing messages.
    requeues: Channel,
}

type Delivered = (Delivery, Message);

impl Supervised {
    /// Consumes until the process stops.
    pub(super) async fn run(&self) {
        let queue = self.subscription.queue;
        let mut pause = FIRST_PAUSE;
        let mut has_missed = false;
        while !self.life.is_stopping() {
            let begun = self.begin().await;
            if let Some(tried) = self.first_attempt() {
                // The subscriber may have stopped waiting.
                let _ = tried.send(());
            } else {
                // A consumer that restarts after a panic has also missed messages.
                has_missed = true;
            }
            match begun {
                Ok(mut listening) => {
                    pause = FIRST_PAUSE;
                    tracing::info!(queue, "listening to the queue");
                    if has_missed {
                        self.handler.resumed().await;
                    }
                    has_missed = true;
                    let ended = self.consume(&mut listening).await;
                    tracing::warn!(queue, ended, "stopped listening to the queue");
                    let closing = listening.connection.close(200, "done".into());
                    let _ = tokio::time::timeout(TIMEOUT, closing).await;
                }
                Err(error) => {
                    // The subscriber does not wait for a successful connection.
                    has_missed = true;
                    tracing::warn!(queue, %error, "listening to the queue failed; trying again");
                }
            }
            tokio::select! {
                () = self.life.stopping() => {}
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(MAX_PAUSE),
            }
        }
    }

    fn first_attempt(&self) -> Option<oneshot::Sender<()>> {
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        tried.take()
    }

    /// Connects, declares the queue and starts consuming. If a durable queue is missing, the handler is notified first.
    async fn begin(&self) -> Result<Listening, Fault> {
        let Self {
            link, subscription, ..
        } = self;
        let connection = link.connect(subscription.queue).await?;
        if subscription.durability == Durability::Durable
            && !in_time(link.has_queue(&connection, subscription.queue)).await?
        {
            tracing::warn!(
                queue = subscription.queue,
                "the queue does not exist at the broker"
            );
            self.handler.lost().await?;
        }
        let requeues = in_time(confirming(&connection)).await?;
        let consumer = in_time(listen(link, &connection, subscription)).await?;
        Ok(Listening {
            connection,
            consumer,
            requeues,
        })
    }

    /// Handles each delivery together with the deliveries that have already arrived; returns why consuming ended.
    async fn consume(&self, listening: &mut Listening) -> &'static str {
        loop {
            let delivery = tokio::select! {
                () = self.life.stopping() => return "stopping",
                delivery = listening.consumer.next() => delivery,
            };
            let mut deliveries = match delivery {
                None => return "the queue is gone",
                Some(Err(_)) => return "the connection is lost",
                Some(Ok(delivery)) => vec![delivery],
            };
            // If the stream has ended or failed, the next read returns the same.
            while deliveries.len() < usize::from(PREFETCH)
                && let Some(Some(Ok(delivery))) = listening.consumer.next().now_or_never()
            {
                deliveries.push(delivery);
            }
            if let Err(error) = self.settle(&listening.requeues, deliveries).await {
                tracing::warn!(queue = self.subscription.queue, %error, "acknowledging a message failed");
                return "the connection is lost";
            }
        }
    }

    /// Handles deliveries and acknowledges, requeues or rejects each. During an outage the deliveries wait here: they
    /// do not count as failed, and the consumer accepts no further deliveries.
    async fn settle(&self, requeues: &Channel, deliveries: Vec<Delivery>) -> Result<(), Fault> {
        let mut waiting = Vec::with_capacity(deliveries.len());
        for delivery in deliveries {
            if let Some(message) = read(&delivery, &self.subscription) {
                waiting.push((delivery, message));
            } else {
                self.reject(&delivery, "the message has no id").await?;
            }
        }
        let begun = Instant::now();
        let mut pause = FIRST_OUTAGE_PAUSE;
        while !waiting.is_empty() {
            let messages: Vec<_> = waiting.iter().map(|(_, message)| message.clone()).collect();
            let outcomes = handled_all(&self.subscription, self.handler.as_ref(), &messages).await;
            if outcomes.iter().all(Result::is_ok)
                && let Some((last, _)) = waiting.last()
            {
                // All earlier deliveries are settled, so one acknowledgement covers all.
                let multiple = BasicAckOptions { multiple: true };
                return last.ack(multiple).await.map(drop).map_err(away);
            }
            waiting = self.settle_each(requeues, waiting, outcomes).await?;
            if begun.elapsed() >= MAX_HOLD {
                for (delivery, message) in std::mem::take(&mut waiting) {
                    let failures = again::failures(&delivery);
                    self.requeue(requeues, &delivery, &message, failures)
                        .await?;
                }
            }
            if !waiting.is_empty() {
                tokio::select! {
                    // The broker keeps the messages for another process or the next start.
                    () = self.life.stopping() => return Ok(()),
                    () = tokio::time::sleep(pause) => pause = (pause * 2).min(MAX_OUTAGE_PAUSE),
                }
            }
        }
        Ok(())
    }

    /// Settles each delivery by its outcome; returns the deliveries that failed because of an outage.
    async fn settle_each(
        &self,
        requeues: &Channel,
        delivered: Vec<Delivered>,
        outcomes: Vec<Result<(), Fault>>,
    ) -> Result<Vec<Delivered>, Fault> {
        let queue = self.subscription.queue;
        let mut waiting = Vec::new();
        let mut has_paused = false;
        for ((delivery, message), outcome) in delivered.into_iter().zip(outcomes) {
            let Err(fault) = outcome else {
                let single = BasicAckOptions::default();
                delivery.ack(single).await.map_err(away)?;
                continue;
            };
            if fault.code == Code::Invalid || self.subscription.durability == Durability::Ephemeral
            {
                self.reject(&delivery, &fault.to_string()).await?;
                continue;
            }
            if fault.code.is_outage() {
                if waiting.is_empty() {
                    tracing::warn!(queue, error = %fault, "messages cannot be handled during an outage; they wait");
                }
                waiting.push((delivery, message));
                continue;
            }
            let failures = again::failures(&delivery) + 1;
            if failures >= MAX_FAILURES {
                self.reject(&delivery, &fault.to_string()).await?;
                continue;
            }
            tracing::warn!(queue, failures, error = %fault, "handling a message failed; it is retried later");
            if !std::mem::replace(&mut has_paused, true) {
                tokio::time::sleep(BEFORE_AGAIN).await;
            }
            self.requeue(requeues, &delivery, &message, failures)
                .await?;
        }
        Ok(waiting)
    }

    /// Moves a message to the end of its queue.
    async fn requeue(
        &self,
        requeues: &Channel,
        delivery: &Delivery,
        message: &Message,
        failures: u32,
    ) -> Result<(), Fault> {
        let queue = self.link.name(self.subscription.queue);
        in_time(again::requeue(requeues, queue, message, failures)).await?;
        let single = BasicAckOptions::default();
        delivery.ack(single).await.map(drop).map_err(away)
    }

    /// Moves a message to the dead letters, or drops it if its queue is ephemeral.
    async fn reject(&self, delivery: &Delivery, why: &str) -> Result<(), Fault> {
        let queue = self.subscription.queue;
        match self.subscription.durability {
            Durability::Durable => {
                tracing::error!(
                    queue,
                    why,
                    "a message cannot be handled; it becomes a dead letter"
                );
            }
            Durability::Ephemeral => {
                tracing::warn!(queue, why, "a message cannot be handled; it is dropped");
            }
        }
        let options = BasicNackOptions {
            requeue: false,
            ..BasicNackOptions::default()
        };
        delivery.nack(options).await.map(drop).map_err(away)
    }
}

/// A channel with publisher confirms.
async fn confirming(connection: &Connection) -> Result<Channel, Fault> {
    let channel = connection.create_channel().await.map_err(away)?;
    channel
        .confirm_select(ConfirmSelectOptions::default())
        .await
        .map_err(away)?;
    Ok(channel)
}

async fn listen(
    link: &Link,
    connection: &Connection,
    subscription: &Subscription,
) -> Result<Consumer, Fault> {
    let channel = connection.create_channel().await.map_err(away)?;
    channel
        .basic_qos(PREFETCH, BasicQosOptions::default())
        .await
        .map_err(away)?;
    let queue = link.declare_queue(&channel, subscription).await?;
    let options = BasicConsumeOptions::default();
    channel
        .basic_consume(queue.into(), "".into(), options, FieldTable::default())
        .await
        .map_err(away)
}

async fn in_time<T>(work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    tokio::time::timeout(TIMEOUT, work)
        .await
        .map_err(|_| Fault::new(Code::Unavailable, "RabbitMQ does not answer"))?
}

fn read(delivery: &Delivery, subscription: &Subscription) -> Option<Message> {
    let properties = &delivery.properties;
    let id = properties
        .message_id()
        .as_ref()?
        .as_str()
        .parse::<Uuid>()
        .ok()?;
    let traceparent = properties.headers().as_ref().and_then(|headers| {
        match headers.inner().get(TRACEPARENT)? {
            AMQPValue::LongString(text) => Some(text.to_string()),
            _ => None,
        }
    });
    Some(Message {
        id,
        exchange: subscription.exchange.to_owned(),
        key: again::key(delivery),
        payload: delivery.data.clone().into(),
        traceparent,
    })
}

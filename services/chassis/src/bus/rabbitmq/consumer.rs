//! A consumer that lives as long as the process, through restarts of the broker, deleted queues and
//! lost connections. The client library's own recovery is left off: it can hang after a restart.

use std::{sync::Arc, time::Duration};

use futures::{FutureExt, StreamExt};
use lapin::{
    Connection, Consumer,
    message::Delivery,
    options::{BasicAckOptions, BasicConsumeOptions, BasicNackOptions, BasicQosOptions},
    types::{AMQPValue, FieldTable},
};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::link::{Link, TIMEOUT, TRACEPARENT, away};
use crate::{
    bus::{Durability, Handler, Message, Subscription, handled_all},
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// Unacknowledged messages of one consumer.
const PREFETCH: u16 = 32;
/// The pauses between attempts to reach the broker.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// The pause before a message that could not be handled is delivered again.
const BEFORE_AGAIN: Duration = Duration::from_millis(250);

/// A consumer that is restarted whenever it ends.
pub(super) struct Supervised {
    pub(super) link: Link,
    pub(super) subscription: Subscription,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) life: Lifecycle,
}

impl Supervised {
    /// Consumes until the process stops; signals when the first attempt has succeeded or failed.
    pub(super) async fn run(self, tried: oneshot::Sender<()>) {
        let queue = self.subscription.queue;
        let mut tried = Some(tried);
        let mut pause = FIRST_PAUSE;
        let mut has_missed = false;
        while !self.life.is_stopping() {
            let begun = self.begin().await;
            if let Some(tried) = tried.take() {
                // The subscriber may have stopped waiting.
                let _ = tried.send(());
            }
            match begun {
                Ok((connection, consumer)) => {
                    pause = FIRST_PAUSE;
                    tracing::info!(queue, "listening");
                    if has_missed {
                        self.handler.resumed().await;
                    }
                    has_missed = true;
                    let ended = self.consume(consumer).await;
                    tracing::warn!(queue, ended, "not listening any more");
                    let closing = connection.close(200, "done".into());
                    let _ = tokio::time::timeout(TIMEOUT, closing).await;
                }
                Err(error) => {
                    // The subscriber goes on meanwhile.
                    has_missed = true;
                    tracing::warn!(queue, %error, "cannot listen; trying again");
                }
            }
            tokio::select! {
                () = self.life.stopping() => {}
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
            }
        }
    }

    /// Connects, declares and consumes; the handler is told first if a durable queue is missing.
    async fn begin(&self) -> Result<(Connection, Consumer), Fault> {
        let Self {
            link, subscription, ..
        } = self;
        let connection = link.connect(subscription.queue).await?;
        if subscription.durability == Durability::Durable
            && !in_time(link.has_queue(&connection, subscription.queue)).await?
        {
            tracing::warn!(queue = subscription.queue, "the queue is not at the broker");
            self.handler.lost().await?;
        }
        let consumer = in_time(listen(link, &connection, subscription)).await?;
        Ok((connection, consumer))
    }

    /// Handles deliveries, together those that have arrived by then; returns why it ended.
    async fn consume(&self, mut consumer: Consumer) -> &'static str {
        loop {
            let delivery = tokio::select! {
                () = self.life.stopping() => return "stopping",
                delivery = consumer.next() => delivery,
            };
            let mut deliveries = match delivery {
                None => return "the queue is gone",
                Some(Err(_)) => return "the connection is lost",
                Some(Ok(delivery)) => vec![delivery],
            };
            // An end or an error that shows here shows again at the next read.
            while deliveries.len() < usize::from(PREFETCH)
                && let Some(Some(Ok(delivery))) = consumer.next().now_or_never()
            {
                deliveries.push(delivery);
            }
            if self.settle(&deliveries).await.is_err() {
                return "the connection is lost";
            }
        }
    }

    /// Handles deliveries and tells the broker of each: done, again later, or never.
    async fn settle(&self, deliveries: &[Delivery]) -> Result<(), lapin::Error> {
        let read: Vec<_> = deliveries
            .iter()
            .map(|delivery| read(delivery, &self.subscription))
            .collect();
        let messages: Vec<_> = read.iter().flatten().cloned().collect();
        let handled = handled_all(&self.subscription, self.handler.as_ref(), &messages).await;
        if messages.len() == deliveries.len()
            && handled.iter().all(Result::is_ok)
            && let Some(last) = deliveries.last()
        {
            // Everything before these is settled, so one acknowledgement covers all.
            return last.ack(BasicAckOptions { multiple: true }).await.map(drop);
        }
        let mut handled = handled.into_iter();
        let mut paused = false;
        for (delivery, message) in deliveries.iter().zip(read) {
            let outcome = match message {
                Some(_) => handled.next().unwrap_or(Ok(())),
                None => Err(Fault::new(Code::Invalid, "the message has no id")),
            };
            self.settle_one(delivery, outcome, &mut paused).await?;
        }
        Ok(())
    }

    async fn settle_one(
        &self,
        delivery: &Delivery,
        outcome: Result<(), Fault>,
        paused: &mut bool,
    ) -> Result<(), lapin::Error> {
        let queue = self.subscription.queue;
        let requeue = match outcome {
            Ok(()) => return delivery.ack(BasicAckOptions::default()).await.map(drop),
            Err(error) if error.code == Code::Invalid => {
                tracing::error!(queue, %error, "a message can never be handled: to the dead letters");
                false
            }
            Err(error) => {
                tracing::warn!(queue, %error, "a message could not be handled; again later");
                if !std::mem::replace(paused, true) {
                    tokio::time::sleep(BEFORE_AGAIN).await;
                }
                // A message that an ephemeral consumer cannot handle is dropped.
                self.subscription.durability == Durability::Durable
            }
        };
        let options = BasicNackOptions {
            requeue,
            ..BasicNackOptions::default()
        };
        delivery.nack(options).await.map(drop)
    }
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
        key: delivery.routing_key.to_string(),
        payload: delivery.data.clone().into(),
        traceparent,
    })
}

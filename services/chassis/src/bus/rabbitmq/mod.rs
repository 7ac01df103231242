//! The bus between processes: RabbitMQ. Publishers and consumers declare their exchanges and queues on each connection,
//! so a broker that lost them gets them back.

mod again;
mod consumer;
mod dead_letters;
mod link;
mod sending;
mod tls;
mod topology;

use std::sync::{Arc, Once};

use async_trait::async_trait;
use lapin::{
    Channel, Connection, PublisherConfirm,
    options::{BasicPublishOptions, ConfirmSelectOptions},
    types::FieldTable,
};
use tokio::sync::{Mutex, oneshot};

pub use dead_letters::DeadLetter;

use self::{
    consumer::Supervised,
    link::{Link, TIMEOUT, away},
    sending::{confirmed, properties},
};
use super::{Bus, Durability, Handler, Message, Subscription};
use crate::{
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// Publishes with confirms and consumes with acknowledgements.
pub struct RabbitMqBus {
    link: Link,
    life: Lifecycle,
    publisher: Mutex<Option<Publisher>>,
    /// Ensures that the measurement of dead letters starts only once.
    measure: Once,
}

impl std::fmt::Debug for RabbitMqBus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RabbitMqBus")
            .field("link", &self.link.namespace)
            .finish_non_exhaustive()
    }
}

/// A channel with confirms, and the connection that carries it.
#[derive(Clone)]
struct Publisher {
    connection: Arc<Connection>,
    channel: Channel,
}

impl Publisher {
    fn is_open(&self) -> bool {
        self.connection.status().connected() && self.channel.status().connected()
    }

    /// Whether the broker has reported that it accepts no messages for now (`connection.blocked`, a RabbitMQ
    /// extension).
    fn is_blocked(&self) -> bool {
        self.connection.status().blocked()
    }
}

impl RabbitMqBus {
    /// A bus at this address (`amqp://user:password@host:port/vhost`, or `amqps` for TLS). It connects on first use and
    /// reconnects after the connection is lost; an unavailable broker at the start is not an error. `ca` is the
    /// authority of the broker's certificate, in PEM; if empty, the public authorities are used.
    pub fn new(url: &str, ca: &str, namespace: &str, life: &Lifecycle) -> Result<Self, Fault> {
        Ok(Self {
            link: Link::new(url, ca, namespace)?,
            life: life.clone(),
            publisher: Mutex::new(None),
            measure: Once::new(),
        })
    }

    /// Whether the broker responds; [`Code::Unavailable`] with the reason if not.
    pub async fn check(&self) -> Result<(), Fault> {
        let connection = self.link.connect("check").await?;
        connection.close(200, "done".into()).await.map_err(away)
    }

    /// The open publisher, or a new one.
    async fn publisher(&self, exchange: &str) -> Result<Publisher, Fault> {
        let mut held = self.publisher.lock().await;
        if let Some(publisher) = held.as_ref()
            && publisher.is_open()
        {
            if publisher.is_blocked() {
                let message = "RabbitMQ takes no messages: it is short of memory or disk space";
                return Err(Fault::new(Code::Unavailable, message));
            }
            return Ok(publisher.clone());
        }
        let connection = self.link.connect("publisher").await?;
        let channel = connection.create_channel().await.map_err(away)?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await
            .map_err(away)?;
        self.link.declare_exchange(&channel, exchange).await?;
        let publisher = Publisher {
            connection: Arc::new(connection),
            channel,
        };
        *held = Some(publisher.clone());
        Ok(publisher)
    }

    /// Sends a message to the broker and returns its pending confirmation.
    async fn send(&self, message: &Message) -> Result<PublisherConfirm, Fault> {
        let publisher = self.publisher(&message.exchange).await?;
        publisher
            .channel
            .basic_publish(
                self.link.name(&message.exchange).into(),
                message.key.as_str().into(),
                // Without this option, a message that no queue accepts would be confirmed and lost.
                BasicPublishOptions {
                    mandatory: true,
                    ..BasicPublishOptions::default()
                },
                &message.payload,
                properties(message, FieldTable::default()),
            )
            .await
            .map_err(away)
    }

    /// Sends all messages before waiting for the first confirmation, so that all of them need only one round trip.
    async fn send_all(&self, messages: &[Message], outcomes: &mut Vec<Result<(), Fault>>) {
        let mut answers = Vec::with_capacity(messages.len());
        let mut refusal = None;
        for message in messages {
            match self.send(message).await {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    refusal = Some(Err(error));
                    break;
                }
            }
        }
        for answer in answers {
            outcomes.push(confirmed(answer).await);
        }
        outcomes.extend(refusal);
    }
}

#[async_trait]
impl Bus for RabbitMqBus {
    async fn publish_all(&self, messages: Vec<Message>) -> Vec<Result<(), Fault>> {
        let mut outcomes = Vec::with_capacity(messages.len());
        // Messages not confirmed in time count as not accepted; consumers ignore the duplicates.
        let _ = tokio::time::timeout(TIMEOUT, self.send_all(&messages, &mut outcomes)).await;
        outcomes.resize_with(messages.len(), || {
            Err(Fault::new(
                Code::Unavailable,
                "RabbitMQ did not take the message in time",
            ))
        });
        let is_outage = |outcome: &Result<(), Fault>| {
            outcome.as_ref().is_err_and(|error| error.code.is_outage())
        };
        if outcomes.iter().any(is_outage) {
            // The next attempt opens a new connection, because a hanging connection would hang again. A blocked
            // connection is kept: on it, the broker reports when it accepts messages again.
            let mut publisher = self.publisher.lock().await;
            publisher.take_if(|publisher| !publisher.is_blocked());
        }
        outcomes
    }

    async fn subscribe(
        &self,
        subscription: Subscription,
        handler: Arc<dyn Handler>,
    ) -> Result<(), Fault> {
        if subscription.durability == Durability::Durable {
            self.measure.call_once(|| self.measure_dead_letters());
        }
        let (tried, first_try) = oneshot::channel();
        let consumer = Arc::new(Supervised {
            link: self.link.clone(),
            subscription,
            handler,
            life: self.life.clone(),
            tried: std::sync::Mutex::new(Some(tried)),
        });
        self.life.supervise("bus consumer", move || {
            let consumer = Arc::clone(&consumer);
            async move { consumer.run().await }
        });
        // The consumer listens before publishing starts, which saves the first events a retry; an unavailable broker
        // does not prevent the start.
        let _ = first_try.await;
        Ok(())
    }
}

//! The bus between processes: RabbitMQ. Exchanges and queues are declared by their users, at
//! each connection, so a broker that lost them gets them back.

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
    /// Starts the measurement of dead letters once.
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

    /// Whether the broker has said that it takes no messages for now (`connection.blocked`, an extension of RabbitMQ).
    fn is_blocked(&self) -> bool {
        self.connection.status().blocked()
    }
}

impl RabbitMqBus {
    /// A bus at an address (`amqp://user:password@host:port/vhost`, amqps with TLS). It connects at the first use, and
    /// again whenever the connection is lost; a broker that is unavailable at the start is no error. `ca` is the
    /// authority of the broker's certificate, in PEM; empty: a public one.
    pub fn new(url: &str, ca: &str, namespace: &str, life: &Lifecycle) -> Result<Self, Fault> {
        Ok(Self {
            link: Link::new(url, ca, namespace)?,
            life: life.clone(),
            publisher: Mutex::new(None),
            measure: Once::new(),
        })
    }

    /// Whether the broker answers; [`Code::Unavailable`] with the reason if it does not.
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

    /// Sends a message to the broker; its confirmation is still to come.
    async fn send(&self, message: &Message) -> Result<PublisherConfirm, Fault> {
        let publisher = self.publisher(&message.exchange).await?;
        publisher
            .channel
            .basic_publish(
                self.link.name(&message.exchange).into(),
                message.key.as_str().into(),
                // Without it, a message that no queue takes would be confirmed and lost.
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

    /// Sends all before it waits for the first answer: a round trip for all of them, not for each.
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
        // Messages without an answer in time count as not taken; consumers handle a repeated one once.
        let _ = tokio::time::timeout(TIMEOUT, self.send_all(&messages, &mut outcomes)).await;
        outcomes.resize_with(messages.len(), || {
            Err(Fault::new(
                Code::Unavailable,
                "RabbitMQ did not take the message in time",
            ))
        });
        if outcomes.iter().any(Result::is_err) {
            // The next attempt opens a new connection: one that hangs would hang again. A broker that is short of
            // memory says on the old one when it takes messages again.
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
        // Listening before anyone publishes spares the first events a retry; an unavailable broker does not
        // prevent the start.
        let _ = first_try.await;
        Ok(())
    }
}

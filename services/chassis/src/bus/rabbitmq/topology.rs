//! The topology at the broker: topic exchanges, a durable quorum queue with dead letters for each durable subscription,
//! and an exclusive queue for each ephemeral subscription.

use lapin::{
    Channel, Connection, ErrorKind, ExchangeKind, Queue,
    options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions},
    types::{AMQPValue, FieldTable, LongString},
};

use super::link::{Link, away};
use crate::{
    bus::{Durability, Subscription},
    error::Fault,
};

/// The exchange for messages that cannot be handled.
pub(super) const DEAD_LETTERS: &str = "dead_letters";

/// The AMQP 0-9-1 reply code for a missing resource.
const NOT_FOUND: u16 = 404;

fn is_not_found(error: &lapin::Error) -> bool {
    matches!(error.kind(), ErrorKind::ProtocolError(error) if error.get_id() == NOT_FOUND)
}

/// The maximum number of deliveries of a message before the broker makes it a dead letter. Consumers count handler
/// failures themselves and do not return messages this way, so the limit applies only to messages that crash their
/// process each time.
const MAX_DELIVERIES: i64 = 20;

impl Link {
    pub(super) async fn declare_exchange(
        &self,
        channel: &Channel,
        name: &str,
    ) -> Result<(), Fault> {
        let options = ExchangeDeclareOptions {
            durable: true,
            ..ExchangeDeclareOptions::default()
        };
        channel
            .exchange_declare(
                self.name(name).into(),
                ExchangeKind::Topic,
                options,
                FieldTable::default(),
            )
            .await
            .map_err(away)
    }

    /// Declares a subscription's queue and binds it; returns the queue's name.
    pub(super) async fn declare_queue(
        &self,
        channel: &Channel,
        subscription: &Subscription,
    ) -> Result<String, Fault> {
        self.declare_exchange(channel, subscription.exchange)
            .await?;
        let queue = match subscription.durability {
            Durability::Durable => {
                self.declare_dead_letters(channel).await?;
                self.declare_durable(channel, subscription.queue).await?
            }
            Durability::Ephemeral => {
                let options = QueueDeclareOptions {
                    exclusive: true,
                    auto_delete: true,
                    ..QueueDeclareOptions::default()
                };
                let declared = channel
                    .queue_declare("".into(), options, FieldTable::default())
                    .await
                    .map_err(away)?;
                declared.name().to_string()
            }
        };
        self.bind(channel, &queue, subscription.exchange, subscription.key)
            .await?;
        Ok(queue)
    }

    /// Whether a durable queue exists at the broker.
    pub(super) async fn has_queue(
        &self,
        connection: &Connection,
        queue: &str,
    ) -> Result<bool, Fault> {
        Ok(self.inspect(connection, queue).await?.is_some())
    }

    /// The number of messages in a durable queue; 0 if the queue does not exist.
    pub(super) async fn count(&self, connection: &Connection, queue: &str) -> Result<u32, Fault> {
        let found = self.inspect(connection, queue).await?;
        Ok(found.map_or(0, |queue| queue.message_count()))
    }

    /// Looks up a queue without creating it. If it does not exist, the broker closes the channel.
    async fn inspect(&self, connection: &Connection, queue: &str) -> Result<Option<Queue>, Fault> {
        let channel = connection.create_channel().await.map_err(away)?;
        let options = QueueDeclareOptions {
            passive: true,
            ..QueueDeclareOptions::default()
        };
        let asked = channel
            .queue_declare(self.name(queue).into(), options, FieldTable::default())
            .await;
        match asked {
            Ok(found) => {
                channel.close(200, "done".into()).await.map_err(away)?;
                Ok(Some(found))
            }
            Err(error) if is_not_found(&error) => Ok(None),
            Err(error) => Err(away(error)),
        }
    }

    async fn declare_durable(&self, channel: &Channel, queue: &str) -> Result<String, Fault> {
        let name = self.name(queue);
        let mut arguments = FieldTable::default();
        let mut text = |key: &str, value: String| {
            arguments.insert(key.into(), AMQPValue::LongString(LongString::from(value)));
        };
        text("x-queue-type", "quorum".to_owned());
        text("x-dead-letter-exchange", self.name(DEAD_LETTERS));
        text("x-dead-letter-routing-key", name.clone());
        // Dead letters are not lost if the broker fails while moving them.
        text("x-dead-letter-strategy", "at-least-once".to_owned());
        text("x-overflow", "reject-publish".to_owned());
        arguments.insert(
            "x-delivery-limit".into(),
            AMQPValue::LongLongInt(MAX_DELIVERIES),
        );
        self.declare(channel, &name, arguments).await?;
        Ok(name)
    }

    pub(super) async fn declare_dead_letters(&self, channel: &Channel) -> Result<String, Fault> {
        self.declare_exchange(channel, DEAD_LETTERS).await?;
        let name = self.name(DEAD_LETTERS);
        let mut arguments = FieldTable::default();
        arguments.insert(
            "x-queue-type".into(),
            AMQPValue::LongString(LongString::from("quorum")),
        );
        self.declare(channel, &name, arguments).await?;
        self.bind(channel, &name, DEAD_LETTERS, "#").await?;
        Ok(name)
    }

    async fn declare(
        &self,
        channel: &Channel,
        name: &str,
        arguments: FieldTable,
    ) -> Result<(), Fault> {
        let options = QueueDeclareOptions {
            durable: true,
            ..QueueDeclareOptions::default()
        };
        channel
            .queue_declare(name.into(), options, arguments)
            .await
            .map(drop)
            .map_err(away)
    }

    async fn bind(
        &self,
        channel: &Channel,
        queue: &str,
        exchange: &str,
        key: &str,
    ) -> Result<(), Fault> {
        channel
            .queue_bind(
                queue.into(),
                self.name(exchange).into(),
                key.into(),
                QueueBindOptions::default(),
                FieldTable::default(),
            )
            .await
            .map_err(away)
    }
}

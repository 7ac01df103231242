//! Dead letters: messages that could not be handled, which an operator can list and return to their queues.

use std::time::Duration;

use lapin::{
    BasicProperties, Channel, Confirmation, Connection,
    message::BasicGetMessage,
    options::{
        BasicAckOptions, BasicGetOptions, BasicNackOptions, BasicPublishOptions,
        ConfirmSelectOptions,
    },
};

use super::{
    RabbitMqBus,
    link::{Link, PERSISTENT, away},
    topology::DEAD_LETTERS,
};
use crate::error::{Code, Fault};

/// The timeout of an operation on dead letters, in total.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The interval at which the number of dead letters is measured.
const MEASURE: Duration = Duration::from_secs(15);

/// A message that could not be handled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    /// The event's id, if it has one.
    pub id: String,
    /// The queue whose consumer could not handle it.
    pub queue: String,
    /// The size of the payload, in bytes.
    pub size: usize,
}

impl RabbitMqBus {
    /// Measures the number of dead letters until the process stops.
    pub(super) fn measure_dead_letters(&self) {
        let (link, life) = (self.link.clone(), self.life.clone());
        // Created here, so that the metric is 0 instead of absent before the first measurement.
        let dead_letters = metrics::gauge!("bus_dead_letters");
        dead_letters.set(0);
        self.life.supervise("dead letters metric", move || {
            let (link, life, dead_letters) = (link.clone(), life.clone(), dead_letters.clone());
            async move {
                let mut connection = None;
                loop {
                    tokio::select! {
                        () = life.stopping() => return,
                        () = tokio::time::sleep(MEASURE) => {}
                    }
                    let counted = count(&link, &mut connection);
                    match tokio::time::timeout(TIMEOUT, counted).await {
                        Ok(Ok(count)) => dead_letters.set(count),
                        // Consumers and the relay already log an unavailable broker. The next attempt reconnects.
                        Ok(Err(_)) | Err(_) => connection = None,
                    }
                }
            }
        });
    }

    /// The oldest dead letters, at most `most`. They remain dead letters.
    pub async fn dead_letters(&self, most: usize) -> Result<Vec<DeadLetter>, Fault> {
        self.patiently(async {
            let (_connection, channel, queue) = self.dead_letter_channel().await?;
            let mut found = Vec::new();
            let mut held = Vec::new();
            while found.len() < most {
                let Some(message) = get(&channel, &queue).await? else {
                    break;
                };
                found.push(describe(&message));
                held.push(message);
            }
            for message in held {
                let back = BasicNackOptions {
                    requeue: true,
                    ..BasicNackOptions::default()
                };
                message.delivery.nack(back).await.map_err(away)?;
            }
            Ok(found)
        })
        .await
    }

    /// Returns at most `most` dead letters to their original queues; returns how many. Each is removed only after its
    /// queue has accepted it.
    pub async fn replay_dead_letters(&self, most: usize) -> Result<usize, Fault> {
        self.patiently(async {
            let (_connection, channel, queue) = self.dead_letter_channel().await?;
            let mut sent = 0;
            while sent < most {
                let Some(message) = get(&channel, &queue).await? else {
                    break;
                };
                send_back(&channel, &message).await?;
                message
                    .delivery
                    .ack(BasicAckOptions::default())
                    .await
                    .map_err(away)?;
                sent += 1;
            }
            Ok(sent)
        })
        .await
    }

    async fn dead_letter_channel(&self) -> Result<(Connection, Channel, String), Fault> {
        let connection = self.link.connect("dead letters").await?;
        let channel = connection.create_channel().await.map_err(away)?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await
            .map_err(away)?;
        let queue = self.link.declare_dead_letters(&channel).await?;
        Ok((connection, channel, queue))
    }

    async fn patiently<T>(&self, work: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        tokio::time::timeout(TIMEOUT, work)
            .await
            .map_err(|_| Fault::new(Code::Unavailable, "RabbitMQ does not answer"))?
    }
}

/// The number of dead letters at the broker. The connection is kept for the next call.
async fn count(link: &Link, connection: &mut Option<Connection>) -> Result<u32, Fault> {
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(link.connect("dead letters metric").await?),
    };
    link.count(connection, DEAD_LETTERS).await
}

async fn get(channel: &Channel, queue: &str) -> Result<Option<BasicGetMessage>, Fault> {
    channel
        .basic_get(queue.into(), BasicGetOptions::default())
        .await
        .map_err(away)
}

fn describe(message: &BasicGetMessage) -> DeadLetter {
    let id = message.delivery.properties.message_id();
    DeadLetter {
        id: id.as_ref().map(ToString::to_string).unwrap_or_default(),
        // The routing key of a dead letter is the name of its original queue.
        queue: message.delivery.routing_key.to_string(),
        size: message.delivery.data.len(),
    }
}

/// Publishes to the queue by name, through the default exchange.
async fn send_back(channel: &Channel, message: &BasicGetMessage) -> Result<(), Fault> {
    let delivery = &message.delivery;
    // The broker's headers about earlier deliveries are omitted, so that the failure count restarts at zero.
    let mut properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
    if let Some(id) = delivery.properties.message_id() {
        properties = properties.with_message_id(id.clone());
    }
    let confirmation = channel
        .basic_publish(
            "".into(),
            delivery.routing_key.clone(),
            BasicPublishOptions {
                mandatory: true,
                ..BasicPublishOptions::default()
            },
            &delivery.data,
            properties,
        )
        .await
        .map_err(away)?
        .await
        .map_err(away)?;
    match confirmation {
        Confirmation::Ack(None) => Ok(()),
        _ => Err(Fault::new(
            Code::Conflict,
            format!(
                "the queue {} does not take its message back",
                delivery.routing_key
            ),
        )),
    }
}

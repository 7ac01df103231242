//! Messages that could not be handled return to the end of their queue with a failure count. The broker's own delivery
//! count is unsuitable: it includes outages and differs between broker versions.

use lapin::{
    Channel,
    message::Delivery,
    options::BasicPublishOptions,
    types::{AMQPValue, FieldTable, LongString},
};

use super::{
    link::away,
    sending::{confirmed, properties},
};
use crate::{bus::Message, error::Fault};

/// The header with the number of times that the handler of the message has failed.
const FAILURES: &str = "cityguide-failures";
/// The header with the original routing key of the message, because requeuing replaces the routing key with the
/// queue's name.
const KEY: &str = "cityguide-key";

/// The number of failures after which a message becomes a dead letter.
pub(super) const MAX_FAILURES: u32 = 20;

/// The number of times that the handler of a delivered message has failed.
pub(super) fn failures(delivery: &Delivery) -> u32 {
    let Some(AMQPValue::LongLongInt(failures)) = header(delivery, FAILURES) else {
        return 0;
    };
    u32::try_from(*failures).unwrap_or(MAX_FAILURES)
}

/// The original routing key of a delivered message.
pub(super) fn key(delivery: &Delivery) -> String {
    match header(delivery, KEY) {
        Some(AMQPValue::LongString(key)) => key.to_string(),
        _ => delivery.routing_key.to_string(),
    }
}

/// Publishes a message to the end of its queue and waits until the broker has stored it. `channel` must have confirms
/// enabled.
pub(super) async fn requeue(
    channel: &Channel,
    queue: String,
    message: &Message,
    failures: u32,
) -> Result<(), Fault> {
    let mut headers = FieldTable::default();
    headers.insert(FAILURES.into(), AMQPValue::LongLongInt(failures.into()));
    let key = LongString::from(message.key.as_str());
    headers.insert(KEY.into(), AMQPValue::LongString(key));
    let answer = channel
        .basic_publish(
            // The default exchange, which routes to a queue by its name.
            "".into(),
            queue.into(),
            BasicPublishOptions {
                mandatory: true,
                ..BasicPublishOptions::default()
            },
            &message.payload,
            properties(message, headers),
        )
        .await
        .map_err(away)?;
    confirmed(answer).await
}

fn header<'a>(delivery: &'a Delivery, name: &str) -> Option<&'a AMQPValue> {
    delivery
        .properties
        .headers()
        .as_ref()
        .and_then(|headers| headers.inner().get(name))
}

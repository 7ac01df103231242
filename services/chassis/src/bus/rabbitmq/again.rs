//! A message that could not be handled goes back to the end of its queue with a count of its failures. The broker's
//! own count of deliveries would do for neither: it counts outages too, and differs between the broker's versions.

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

/// The header with the number of times that a message's handler has failed.
const FAILURES: &str = "cityguide-failures";
/// The header with the routing key that the message had when it was published. Back in its queue it has the queue's
/// name.
const KEY: &str = "cityguide-key";

/// The failures of a message before it is a dead letter.
pub(super) const MAX_FAILURES: u32 = 20;

/// The times that the handler of a delivered message has failed.
pub(super) fn failures(delivery: &Delivery) -> u32 {
    let Some(AMQPValue::LongLongInt(failures)) = header(delivery, FAILURES) else {
        return 0;
    };
    u32::try_from(*failures).unwrap_or(MAX_FAILURES)
}

/// The routing key that a delivered message was published with.
pub(super) fn key(delivery: &Delivery) -> String {
    match header(delivery, KEY) {
        Some(AMQPValue::LongString(key)) => key.to_string(),
        _ => delivery.routing_key.to_string(),
    }
}

/// Publishes a message to the end of its queue; returns once the broker holds it. `channel` has confirms.
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
            // The default exchange, which knows every queue by its name.
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

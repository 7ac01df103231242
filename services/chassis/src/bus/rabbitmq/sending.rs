//! Message properties for the broker, and the broker's confirmation.

use lapin::{
    BasicProperties, Confirmation, PublisherConfirm,
    types::{AMQPValue, FieldTable, LongString},
};

use super::link::{PERSISTENT, TRACEPARENT, away};
use crate::{
    bus::Message,
    error::{Code, Fault},
};

/// Waits for the broker's confirmation of a message. If only this message is refused, the error is not an outage.
pub(super) async fn confirmed(answer: PublisherConfirm) -> Result<(), Fault> {
    match answer.await.map_err(away)? {
        Confirmation::Ack(None) => Ok(()),
        Confirmation::Ack(Some(_)) => Err(Fault::new(
            Code::NotFound,
            "RabbitMQ: no queue is bound for the message yet",
        )),
        // A queue that is full or has failed refuses its own messages; others accept theirs.
        Confirmation::Nack(_) | Confirmation::NotRequested => Err(Fault::new(
            Code::Internal,
            "RabbitMQ refused to store the message",
        )),
    }
}

/// The properties of a message, with additional headers.
pub(super) fn properties(message: &Message, mut headers: FieldTable) -> BasicProperties {
    if let Some(traceparent) = &message.traceparent {
        headers.insert(
            TRACEPARENT.into(),
            AMQPValue::LongString(LongString::from(traceparent.as_str())),
        );
    }
    BasicProperties::default()
        .with_message_id(message.id.to_string().into())
        .with_content_type("application/protobuf".into())
        .with_delivery_mode(PERSISTENT)
        .with_headers(headers)
}

//! The connection settings of the broker, which the publisher and every consumer share.

use std::time::Duration;

use lapin::{Connection, ConnectionProperties, uri::AMQPUri};

use crate::error::{Code, Fault};

/// A broker that takes longer to answer counts as unavailable.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);
/// Delivery mode of messages that survive a restart of the broker (AMQP 0-9-1, `delivery-mode`).
pub(super) const PERSISTENT: u8 = 2;
/// The header that carries the trace context.
pub(super) const TRACEPARENT: &str = "traceparent";

/// The broker's address, and the prefix of our names there.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) uri: AMQPUri,
    pub(super) namespace: String,
}

impl Link {
    /// Connects; `role` is part of the connection's name at the broker.
    pub(super) async fn connect(&self, role: &str) -> Result<Connection, Fault> {
        let name = format!("{} {role}", self.namespace);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        tokio::time::timeout(
            TIMEOUT,
            Connection::connect_uri(self.uri.clone(), properties),
        )
        .await
        .map_err(|_| Fault::new(Code::Unavailable, "RabbitMQ cannot be reached in time"))?
        .map_err(away)
    }

    /// The name of an exchange or queue at the broker, which several systems may share.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.namespace)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
pub(super) fn away(error: lapin::Error) -> Fault {
    Fault::new(Code::Unavailable, format!("RabbitMQ: {error}"))
}

//! The broker connection settings, shared by the publisher and all consumers.

use std::{sync::Arc, time::Duration};

use lapin::{
    Connection, ConnectionProperties,
    uri::{AMQPScheme, AMQPUri},
};
use tokio_rustls::rustls::ClientConfig;

use super::tls;
use crate::{
    error::{Code, Fault},
    server_tls,
};

/// A broker that takes longer to respond counts as unavailable.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);
/// Delivery mode of messages that survive a restart of the broker (AMQP 0-9-1, `delivery-mode`).
pub(super) const PERSISTENT: u8 = 2;
/// The header that carries the trace context.
pub(super) const TRACEPARENT: &str = "traceparent";

/// The broker's address and the prefix of this system's names there.
#[derive(Clone)]
pub(super) struct Link {
    uri: AMQPUri,
    /// The TLS configuration, if the address requires TLS.
    tls: Option<Arc<ClientConfig>>,
    pub(super) namespace: String,
}

impl Link {
    /// Refuses an invalid address or certificate authority.
    pub(super) fn new(url: &str, ca: &str, namespace: &str) -> Result<Self, Fault> {
        let refuse = |what: &str| Fault::new(Code::Invalid, format!("settings: {what}"));
        let uri: AMQPUri = url
            .parse()
            .map_err(|error: String| refuse(&format!("bus.url is not valid: {error}")))?;
        let tls = match uri.scheme {
            AMQPScheme::AMQPS => Some(server_tls::client("bus.ca", ca)?),
            AMQPScheme::AMQP if ca.is_empty() => None,
            AMQPScheme::AMQP => return Err(refuse("bus.url must be amqps: bus.ca is set")),
        };
        Ok(Self {
            uri,
            tls,
            namespace: namespace.to_owned(),
        })
    }

    /// Connects; `role` is part of the connection's name at the broker.
    pub(super) async fn connect(&self, role: &str) -> Result<Connection, Fault> {
        let name = format!("{} {role}", self.namespace);
        let properties = ConnectionProperties::default().with_connection_name(name.into());
        let uri = self.uri.clone();
        let connecting = async {
            match &self.tls {
                Some(tls) => tls::connect(uri, Arc::clone(tls), properties).await,
                None => Connection::connect_uri(uri, properties).await,
            }
        };
        tokio::time::timeout(TIMEOUT, connecting)
            .await
            .map_err(|_| Fault::new(Code::Unavailable, "RabbitMQ cannot be reached in time"))?
            .map_err(|error| {
                let error = server_tls::explained(&error, "bus.ca");
                Fault::new(Code::Unavailable, format!("RabbitMQ: {error}"))
            })
    }

    /// The full name of an exchange or queue at the broker, which several systems may share.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{}.{name}", self.namespace)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to map_err")]
pub(super) fn away(error: lapin::Error) -> Fault {
    Fault::new(Code::Unavailable, format!("RabbitMQ: {error}"))
}

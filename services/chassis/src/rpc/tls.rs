//! Mutual TLS between processes: both sides present a certificate signed by the system's own authority. TLS does not
//! identify the caller on whose behalf a call is made: the caller token does.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity, Server, ServerTlsConfig};

use crate::error::{Code, Fault};

/// The handshake timeout: processes of this system need less.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(5);

/// The `[rpc.tls]` section of the settings: PEM texts, usually read from files (`rpc.tls.key_file`). All empty: no TLS.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TlsSettings {
    /// The authority that signs the certificates of all processes.
    pub ca: String,
    /// This process's certificate for both directions, with the intermediate certificates.
    pub certificate: String,
    /// The certificate's private key. A secret.
    pub key: String,
    /// The name in the services' certificates; empty: the host of each service's URL.
    pub server_name: String,
}

/// This process's TLS configuration.
#[derive(Clone)]
pub struct Tls {
    ca: Certificate,
    identity: Identity,
    server_name: Option<String>,
}

crate::opaque_debug!(Tls);

impl Tls {
    /// The configuration from the settings; `None` if they are empty. A missing value or invalid PEM is refused.
    pub fn from_settings(settings: &TlsSettings) -> Result<Option<Self>, Fault> {
        let parts = [
            ("ca", &settings.ca),
            ("certificate", &settings.certificate),
            ("key", &settings.key),
        ];
        if parts.iter().all(|(_, pem)| pem.is_empty()) {
            return Ok(None);
        }
        if let Some((key, _)) = parts.iter().find(|(_, pem)| pem.is_empty()) {
            return Err(refuse(&format!(
                "rpc.tls.{key} is missing: ca, certificate and key go together"
            )));
        }
        let tls = Self {
            ca: Certificate::from_pem(&settings.ca),
            identity: Identity::from_pem(&settings.certificate, &settings.key),
            server_name: Some(settings.server_name.clone()).filter(|name| !name.is_empty()),
        };
        tls.of_server()?;
        tls.of_client(Endpoint::from_static("https://localhost"))?;
        Ok(Some(tls))
    }

    /// A server builder that refuses clients without a certificate from the authority.
    pub(super) fn of_server(&self) -> Result<Server, Fault> {
        let config = ServerTlsConfig::new()
            .identity(self.identity.clone())
            .client_ca_root(self.ca.clone())
            .timeout(HANDSHAKE_WITHIN);
        Server::builder()
            .tls_config(config)
            .map_err(|error| unfit(&error))
    }

    /// An endpoint that refuses servers without a certificate from the authority.
    pub(super) fn of_client(&self, endpoint: Endpoint) -> Result<Endpoint, Fault> {
        let config = ClientTlsConfig::new()
            .ca_certificate(self.ca.clone())
            .identity(self.identity.clone())
            .timeout(HANDSHAKE_WITHIN);
        let config = match &self.server_name {
            Some(name) => config.domain_name(name),
            None => config,
        };
        endpoint.tls_config(config).map_err(|error| unfit(&error))
    }
}

fn unfit(error: &tonic::transport::Error) -> Fault {
    let why =
        std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    refuse(&format!(
        "rpc.tls: ca, certificate and key must be PEM and belong together: {why}"
    ))
}

fn refuse(what: &str) -> Fault {
    Fault::new(Code::Invalid, format!("settings: {what}"))
}

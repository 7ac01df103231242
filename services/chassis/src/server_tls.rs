//! TLS connections to shared servers (PostgreSQL, Redis and RabbitMQ) and to mail servers. If a URL requires TLS, the
//! server's certificate must match the URL's host and be signed by the configured authority, or by a public authority
//! if none is configured. There is no fallback to clear text.

use std::{fmt::Display, sync::Arc};

use tokio_rustls::rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use crate::error::{Code, Fault};

/// Parses the certificates of an authority; there may be several while it is replaced. `key` is the setting, for the
/// error message.
pub(crate) fn authorities(key: &str, pem: &str) -> Result<Vec<CertificateDer<'static>>, Fault> {
    let refuse = |why: &str| {
        let message = format!("settings: {key} must hold certificates in PEM: {why}");
        Fault::new(Code::Invalid, message)
    };
    let certificates: Vec<_> = CertificateDer::pem_slice_iter(pem.as_bytes())
        .collect::<Result<_, _>>()
        .map_err(|error| refuse(&error.to_string()))?;
    if certificates.is_empty() {
        return Err(refuse("it has none"));
    }
    let mut roots = RootCertStore::empty();
    for certificate in &certificates {
        roots
            .add(certificate.clone())
            .map_err(|error| refuse(&error.to_string()))?;
    }
    Ok(certificates)
}

/// The TLS configuration for a server whose authority is the setting `key`.
pub(crate) fn client(key: &str, ca: &str) -> Result<Arc<ClientConfig>, Fault> {
    let mut roots = RootCertStore::empty();
    if ca.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    } else {
        roots.add_parsable_certificates(authorities(key, ca)?);
    }
    with_roots(roots)
}

/// The TLS configuration for a server whose authority is public or the setting `key`.
pub(crate) fn client_beside_public(key: &str, ca: &str) -> Result<Arc<ClientConfig>, Fault> {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if !ca.is_empty() {
        roots.add_parsable_certificates(authorities(key, ca)?);
    }
    with_roots(roots)
}

fn with_roots(roots: RootCertStore) -> Result<Arc<ClientConfig>, Fault> {
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Fault::new(Code::Internal, format!("TLS: {error}")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// Adds advice to a connection error that is caused by the authority, whose setting is `key`.
pub(crate) fn explained(error: &impl Display, key: &str) -> String {
    let error = error.to_string();
    // Matches the names of rustls errors in the message, because the client libraries do not expose the errors
    // themselves.
    let is_of_another_authority = error.contains("UnknownIssuer") || error.contains("BadSignature");
    if is_of_another_authority {
        format!("{error}; {key} must hold the authority that has signed the server's certificate")
    } else {
        error
    }
}

/// Installs the process-wide cryptography provider for libraries that use it. A provider that is already installed is
/// kept.
pub(crate) fn install_provider() {
    let _ = ring::default_provider().install_default();
}

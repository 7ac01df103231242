//! TLS to the servers that processes share: PostgreSQL, Redis and RabbitMQ, and to mail servers. A URL asks for it, and the server's
//! certificate must then be for the URL's host and signed by the authority of the settings, or by a public one if they
//! name none. Nothing falls back to a connection in clear.

use std::{fmt::Display, sync::Arc};

use tokio_rustls::rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use crate::error::{Code, Fault};

/// The certificates of an authority, which may be several while it is replaced. `key` is their setting, for the error.
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

/// The configuration of connections to a server whose authority is the setting `key`.
pub(crate) fn client(key: &str, ca: &str) -> Result<Arc<ClientConfig>, Fault> {
    let mut roots = RootCertStore::empty();
    if ca.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    } else {
        roots.add_parsable_certificates(authorities(key, ca)?);
    }
    with_roots(roots)
}

/// The same for a server that a public authority may have signed as well as that of the setting.
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

/// An error of a connection with what to do about it, if it is about the authority, which is the setting `key`.
pub(crate) fn explained(error: &impl Display, key: &str) -> String {
    let error = error.to_string();
    // These are rustls's words; the libraries of the servers pass on nothing else.
    let is_of_another_authority = error.contains("UnknownIssuer") || error.contains("BadSignature");
    if is_of_another_authority {
        format!("{error}; {key} must hold the authority that has signed the server's certificate")
    } else {
        error
    }
}

/// Installs the process's cryptography provider, for libraries that take it from there. If one is installed already,
/// it stays.
pub(crate) fn install_provider() {
    let _ = ring::default_provider().install_default();
}

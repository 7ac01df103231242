//! Generated certificates for tests.

use chassis::rpc::TlsSettings;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

/// A 2,048-bit RSA private key in PEM, as generating a key is slow.
pub const RSA_KEY: &str = include_str!("rsa-for-tests.pem");

/// A test's own certificate authority.
pub struct TestAuthority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

chassis::opaque_debug!(TestAuthority);

impl Default for TestAuthority {
    fn default() -> Self {
        let made = || {
            let mut params = CertificateParams::new(Vec::new())?;
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            CertifiedIssuer::self_signed(params, KeyPair::generate()?)
        };
        let issuer = made().unwrap_or_else(|error: rcgen::Error| panic!("an authority: {error}"));
        Self { issuer }
    }
}

impl TestAuthority {
    /// Returns the authority's certificate in PEM.
    #[must_use]
    pub fn pem(&self) -> String {
        self.issuer.pem()
    }

    /// Returns the TLS settings of a process with a certificate for these names and addresses.
    ///
    /// # Panics
    /// If a name is not allowed in a certificate.
    #[must_use]
    pub fn process(&self, names: &[&str]) -> TlsSettings {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let made = || {
            let key = KeyPair::generate()?;
            let certificate = CertificateParams::new(names)?.signed_by(&key, &self.issuer)?;
            Ok((certificate.pem(), key.serialize_pem()))
        };
        let (certificate, key) =
            made().unwrap_or_else(|error: rcgen::Error| panic!("a certificate: {error}"));
        TlsSettings {
            ca: self.pem(),
            certificate,
            key,
            server_name: String::new(),
        }
    }
}

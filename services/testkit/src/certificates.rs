//! Generated certificates for tests.

use chassis::rpc::TlsSettings;
use chrono::{Datelike as _, NaiveDate};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};

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
        self.process_until(names, NaiveDate::MAX)
    }

    /// Like [`Self::process`], with a certificate that is valid until the beginning of a day.
    ///
    /// # Panics
    /// If a name is not allowed in a certificate.
    #[must_use]
    pub fn process_until(&self, names: &[&str], end: NaiveDate) -> TlsSettings {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let number = |value: u32| u8::try_from(value).unwrap_or(1);
        let made = || {
            let key = KeyPair::generate()?;
            let mut params = CertificateParams::new(names)?;
            // Certificates cannot name later years.
            let year = end.year().min(9_999);
            params.not_after = date_time_ymd(year, number(end.month()), number(end.day()));
            let certificate = params.signed_by(&key, &self.issuer)?;
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

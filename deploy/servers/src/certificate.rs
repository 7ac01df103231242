//! A certificate for the servers of a test run.

use std::{
    fs,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tempfile::TempDir;

/// The only name in the certificate, which does not contain the servers' address, 127.0.0.1.
pub const NAME: &str = "localhost";

/// A certificate for [`NAME`] and its authority, as PEM files that are removed on drop.
#[derive(Debug)]
pub struct Certificate {
    folder: TempDir,
}

impl Certificate {
    /// Makes an authority and the certificate.
    pub fn make() -> anyhow::Result<Self> {
        let mut params = CertificateParams::new(Vec::new())?;
        let name = &mut params.distinguished_name;
        name.push(DnType::CommonName, "cityguide test servers");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let key = KeyPair::generate()?;
        let certificate =
            CertificateParams::new(vec![NAME.to_owned()])?.signed_by(&key, &authority)?;
        let made = Self {
            folder: tempfile::Builder::new().prefix("cityguide-").tempdir()?,
        };
        fs::write(made.authority(), authority.pem())?;
        fs::write(made.certificate(), certificate.pem())?;
        write_private(&made.key(), &key.serialize_pem())?;
        Ok(made)
    }

    /// The authority's own certificate, which clients trust.
    #[must_use]
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// The servers' certificate.
    #[must_use]
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("server.pem")
    }

    /// The key of the servers' certificate.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.folder.path().join("server.key")
    }
}

/// Writes a file that only its owner may read: servers refuse a key that others can read.
pub(crate) fn write_private(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(())
}

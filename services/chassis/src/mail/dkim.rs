//! The `[mail.dkim]` section of the settings, and the DKIM signature of letters (RFC 6376, RFC 8463).

use mail_auth::{
    common::{
        crypto::{Ed25519Key, RsaKey, Sha256},
        headers::HeaderWriter,
    },
    dkim::{Canonicalization, DkimSigner, Done},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, pem::PemObject};

use crate::error::{Code, Fault};

/// The headers to sign, if present: all headers that readers or mail programs rely on.
const SIGNED: [&str; 13] = [
    "Content-Type",
    "Date",
    "From",
    "List-Archive",
    "List-Help",
    "List-ID",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "MIME-Version",
    "Message-ID",
    "Reply-To",
    "Subject",
    "To",
];

/// The `[mail.dkim]` section of the settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The signing domain: the domain of `mail.from`, or a parent domain.
    pub domain: String,
    /// The key's selector, as in `{selector}._domainkey.{domain}`.
    pub selector: String,
    /// The private key, RSA or Ed25519, in PEM. A secret; may come from `mail.dkim.key_file`. Empty: letters are not
    /// signed.
    pub key: String,
}

impl Settings {
    /// Refuses invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        Signer::new(self).map(drop)
    }
}

/// Signs letters.
pub struct Signer(Kind);

enum Kind {
    Rsa(Box<DkimSigner<RsaKey<Sha256>, Done>>),
    Ed25519(Box<DkimSigner<Ed25519Key, Done>>),
}

crate::opaque_debug!(Signer);

impl Signer {
    /// Creates the configured signer; `None` if no key is configured.
    ///
    /// # Errors
    /// `Invalid` if the key is invalid, or its domain or selector is missing.
    pub fn new(settings: &Settings) -> Result<Option<Self>, Fault> {
        let refuse = |why: &str| {
            let message = format!("settings: mail.dkim.{why}");
            Err(Fault::new(Code::Invalid, message))
        };
        if settings.key.is_empty() {
            return Ok(None);
        }
        if settings.domain.is_empty() || settings.selector.is_empty() {
            return refuse("domain and mail.dkim.selector must be set: mail.dkim.key is");
        }
        // Messages must not contain the key, not even an invalid one.
        let Ok(key) = PrivateKeyDer::from_pem_slice(settings.key.as_bytes()) else {
            return refuse("key must hold a private key in PEM");
        };
        let kind = if let Ok(key) = RsaKey::<Sha256>::from_key_der(key.clone_key()) {
            let signer = DkimSigner::from_key(key).domain(&settings.domain);
            Kind::Rsa(Box::new(relaxed(
                signer.selector(&settings.selector).headers(SIGNED),
            )))
        } else if let Ok(key) = Ed25519Key::from_pkcs8_maybe_unchecked_der(key.secret_der()) {
            let signer = DkimSigner::from_key(key).domain(&settings.domain);
            Kind::Ed25519(Box::new(relaxed(
                signer.selector(&settings.selector).headers(SIGNED),
            )))
        } else {
            return refuse("key must be a key for RSA, of 2048 bits or more, or for Ed25519");
        };
        Ok(Some(Self(kind)))
    }

    /// The signature header of a letter, with its line ending.
    pub(super) fn header(&self, letter: &[u8]) -> Result<String, Fault> {
        let signature = match &self.0 {
            Kind::Rsa(signer) => signer.sign(letter),
            Kind::Ed25519(signer) => signer.sign(letter),
        };
        let signature = signature.map_err(|error| {
            let message = format!("a letter cannot be signed: {error}");
            Fault::new(Code::Internal, message)
        })?;
        Ok(signature.to_header())
    }
}

/// Relaxed canonicalization: changes to white space in transit do not break the signature.
fn relaxed<K: mail_auth::common::crypto::SigningKey>(
    signer: DkimSigner<K, Done>,
) -> DkimSigner<K, Done> {
    signer
        .header_canonicalization(Canonicalization::Relaxed)
        .body_canonicalization(Canonicalization::Relaxed)
}

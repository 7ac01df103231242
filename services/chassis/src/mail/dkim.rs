//! `[mail.dkim]` of the settings, and the signature of letters (RFC 6376, RFC 8463).

use std::fmt;

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

/// The headers that are signed, where a letter has them: all that a reader or a mail program goes by.
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

/// `[mail.dkim]` of the settings.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The domain that answers for the site's mail; that of `mail.from`, or one above it.
    pub domain: String,
    /// The name of the key at `{selector}._domainkey.{domain}`.
    pub selector: String,
    /// The private key, RSA or Ed25519, in PEM. A secret; may come from `mail.dkim.key_file`. Empty: letters are not
    /// signed here.
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

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").finish_non_exhaustive()
    }
}

impl Signer {
    /// The signer that the settings describe; `None` if they have no key.
    ///
    /// # Errors
    /// `Invalid` for a key that is none, and for a key without its domain and selector.
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
        // What the key is does not belong in messages, not even a wrong one.
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

    /// The header that signs a letter, with its line end.
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

/// What servers on the way do to white space does not break the signature.
fn relaxed<K: mail_auth::common::crypto::SigningKey>(
    signer: DkimSigner<K, Done>,
) -> DkimSigner<K, Done> {
    signer
        .header_canonicalization(Canonicalization::Relaxed)
        .body_canonicalization(Canonicalization::Relaxed)
}

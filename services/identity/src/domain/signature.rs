//! Signatures of receipts: JSON Web Signatures with Ed25519 (RFC 7515, RFC 8037), which any program can verify.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{
    digest,
    error::{Code, Fault},
    keys::Keys,
    signing::{PublicKey, SigningKey, is_signed},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const ALGORITHM: &str = "EdDSA";

#[derive(Serialize, Deserialize)]
struct Header {
    alg: String,
    kid: String,
}

/// The key pair that signs receipts.
pub(crate) struct Signer {
    pair: SigningKey,
}

impl Signer {
    /// The key pair derived from the first key; it changes with that key.
    pub(crate) fn new(keys: &Keys) -> Self {
        Self {
            pair: SigningKey::first(keys, "receipts"),
        }
    }

    pub(crate) fn public_key(&self) -> PublicKey {
        self.pair.public_key()
    }

    /// The id of the public key, which every signature contains.
    pub(crate) fn key_id(&self) -> String {
        digest::hex(Sha256::digest(self.public_key()), 32)
    }

    /// Signs a JSON object.
    pub(crate) fn sign(&self, payload: &str) -> Result<String, Fault> {
        let header = Header {
            alg: ALGORITHM.to_owned(),
            kid: self.key_id(),
        };
        let header = serde_json::to_string(&header).map_err(|error| {
            let message = format!("a signature's header cannot be written: {error}");
            Fault::new(Code::Internal, message)
        })?;
        let [header, payload] = [header.as_str(), payload].map(encode);
        let message = format!("{header}.{payload}");
        let signature = encode(self.pair.sign(message.as_bytes()));
        Ok(format!("{message}.{signature}"))
    }
}

/// A text in the form of a signature, not verified yet.
pub(crate) struct Signed<'a> {
    message: &'a str,
    signature: Vec<u8>,
    payload: String,
    /// The id of the claimed signing key.
    pub(crate) key_id: String,
}

impl<'a> Signed<'a> {
    /// `None` if the text has another form or names another algorithm.
    pub(crate) fn parse(jws: &'a str) -> Option<Self> {
        let (message, signature) = jws.rsplit_once('.')?;
        let (header, payload) = message.split_once('.')?;
        let header: Header = serde_json::from_slice(&decode(header)?).ok()?;
        (header.alg == ALGORITHM).then_some(Self {
            message,
            signature: decode(signature)?,
            payload: String::from_utf8(decode(payload)?).ok()?,
            key_id: header.kid,
        })
    }

    /// The signed content, if the signature matches this public key.
    pub(crate) fn verify(self, public_key: &[u8]) -> Option<String> {
        is_signed(self.message.as_bytes(), &self.signature, public_key).then_some(self.payload)
    }
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer(key: u8) -> Signer {
        Signer::new(&Keys::one(&[key; 32]))
    }

    #[test]
    fn what_is_signed_is_verified_by_its_key_alone_and_unchanged_alone() {
        let (ours, other) = (signer(1), signer(2));
        let jws = ours.sign(r#"{"account":7}"#).expect("signs");
        let signed = || Signed::parse(&jws).expect("the form");
        assert_eq!(signed().key_id, ours.key_id());
        assert_ne!(ours.key_id(), other.key_id());
        let payload = signed().verify(&ours.public_key());
        assert_eq!(payload.as_deref(), Some(r#"{"account":7}"#));
        assert_eq!(signed().verify(&other.public_key()), None);

        let parts: Vec<&str> = jws.split('.').collect();
        let forged = [parts[0], &encode(r#"{"account":8}"#), parts[2]].join(".");
        let forged = Signed::parse(&forged).expect("the form");
        assert_eq!(forged.verify(&ours.public_key()), None);
    }

    #[test]
    fn a_text_of_another_form_or_algorithm_is_no_signature() {
        let none = encode(r#"{"alg":"none","kid":"k"}"#);
        let texts = [
            String::new(),
            "a.b".to_owned(),
            "a.b.c".to_owned(),
            format!("{none}.{}.", encode("{}")),
        ];
        for text in texts {
            assert!(Signed::parse(&text).is_none(), "{text}");
        }
    }
}

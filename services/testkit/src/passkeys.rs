//! A device that creates passkeys and signs in with them, like a phone or a security key.

use async_trait::async_trait;
use passkey_authenticator::{Authenticator, UiHint, UserCheck, UserValidationMethod};
use passkey_client::{Client, DefaultClientData};
use passkey_crypto::rust_crypto::RustCryptoBackend;
use passkey_types::{
    Passkey,
    ctap2::{Aaguid, Ctap2Error},
};
use public_suffix::PublicSuffixList;
use url::Url;

/// A device for a single passkey, whose owner consents to everything.
pub struct PasskeyDevice {
    client: Client<Option<Passkey>, Owner, RustCryptoBackend, PublicSuffixList, ()>,
    origin: Url,
}

chassis::opaque_debug!(PasskeyDevice);

struct Owner;

#[async_trait]
impl UserValidationMethod for Owner {
    type PasskeyItem = Passkey;

    async fn check_user<'a>(
        &self,
        _: UiHint<'a, Passkey>,
        _: bool,
        _: bool,
    ) -> Result<UserCheck, Ctap2Error> {
        Ok(UserCheck {
            presence: true,
            verification: true,
        })
    }

    fn is_presence_enabled(&self) -> bool {
        true
    }

    fn is_verification_enabled(&self) -> Option<bool> {
        Some(true)
    }
}

impl PasskeyDevice {
    /// Creates an empty device, in whose browser a site is open. It has no signature counter, like devices that
    /// synchronise passkeys.
    ///
    /// # Panics
    /// If `origin` is not a valid address.
    #[must_use]
    pub fn at(origin: &str) -> Self {
        Self::new(origin, false)
    }

    /// Creates a device with a signature counter, like security keys.
    ///
    /// # Panics
    /// If `origin` is not a valid address.
    #[must_use]
    pub fn that_counts_at(origin: &str) -> Self {
        Self::new(origin, true)
    }

    fn new(origin: &str, counts: bool) -> Self {
        let mut authenticator =
            Authenticator::new(Aaguid::new_empty(), None, Owner, RustCryptoBackend);
        authenticator.set_make_credentials_with_signature_counter(counts);
        let origin = Url::parse(origin).unwrap_or_else(|error| panic!("{origin}: {error}"));
        Self {
            client: Client::new(authenticator).allows_insecure_localhost(true),
            origin,
        }
    }

    /// Creates a passkey; returns the response that a page sends to its site.
    ///
    /// # Panics
    /// If the device rejects the options.
    pub async fn make(&mut self, options: &str) -> String {
        let options = serde_json::from_str(options)
            .unwrap_or_else(|error| panic!("the options to make a passkey: {error}"));
        let made = self
            .client
            .register(&self.origin, options, DefaultClientData)
            .await
            .unwrap_or_else(|error| panic!("making a passkey: {error:?}"));
        json(&made)
    }

    /// Signs with the passkey; returns the response that a page sends to its site.
    ///
    /// # Panics
    /// If the device rejects the options.
    pub async fn sign(&mut self, options: &str) -> String {
        let options = serde_json::from_str(options)
            .unwrap_or_else(|error| panic!("the options to use a passkey: {error}"));
        let signed = self
            .client
            .authenticate(&self.origin, options, DefaultClientData)
            .await
            .unwrap_or_else(|error| panic!("using a passkey: {error:?}"));
        json(&signed)
    }
}

fn json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).unwrap_or_else(|error| panic!("an answer: {error}"))
}

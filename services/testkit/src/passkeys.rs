//! A device that makes passkeys and signs in with them, as a phone or a security key does.

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

/// A device with room for one passkey, whose owner agrees to everything.
pub struct PasskeyDevice {
    client: Client<Option<Passkey>, Owner, RustCryptoBackend, PublicSuffixList, ()>,
    origin: Url,
}

impl std::fmt::Debug for PasskeyDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PasskeyDevice").finish_non_exhaustive()
    }
}

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
    /// An empty device, whose browser shows a site. It counts no uses, as devices that share their passkeys do not.
    ///
    /// # Panics
    /// If `origin` is no address.
    #[must_use]
    pub fn at(origin: &str) -> Self {
        Self::new(origin, false)
    }

    /// A device that counts the uses of its passkey, as security keys do.
    ///
    /// # Panics
    /// If `origin` is no address.
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

    /// Makes a passkey; the answer is what a page sends to its site.
    ///
    /// # Panics
    /// If the device refuses the options.
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

    /// Signs with the passkey; the answer is what a page sends to its site.
    ///
    /// # Panics
    /// If the device refuses the options.
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

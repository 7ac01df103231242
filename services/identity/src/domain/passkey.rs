//! Passkeys (W3C Web Authentication, Level 3). A ceremony consists of two calls: one returns options for the browser,
//! the other receives the browser's response. Nothing is stored in between: the page keeps the ceremony, signed and
//! bound to the browser's secret, so that strangers who begin ceremonies use no storage. Only successful ceremonies are
//! recorded, to prevent their reuse.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{
    error::{Code, Fault},
    keys::Keys,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use uuid::Uuid;
pub(crate) use webauthn_rs::prelude::Passkey as Credential;
use webauthn_rs::{
    Webauthn, WebauthnBuilder,
    prelude::{
        DiscoverableAuthentication, PasskeyRegistration, PublicKeyCredential,
        RegisterPublicKeyCredential, Url, WebauthnError,
    },
};
use webauthn_rs_proto::{
    AuthenticatorSelectionCriteria, PublicKeyCredentialDescriptor, ResidentKeyRequirement,
    UserVerificationPolicy,
};

use super::Site;

/// How long the browser may take to respond.
const CEREMONY: TimeDelta = TimeDelta::minutes(5);

/// The maximum number of passkeys of an account.
pub(crate) const MAX_PASSKEYS: i64 = 20;

/// A passkey, as shown to its reader.
#[derive(Debug, Clone)]
pub(crate) struct Passkey {
    pub(crate) id: i64,
    pub(crate) credential: Credential,
    /// The `User-Agent` of the device on which it was created.
    pub(crate) device: String,
    pub(crate) created_at: DateTime<Utc>,
    /// When the passkey was last used to sign in.
    pub(crate) last_used_at: Option<DateTime<Utc>>,
}

/// A ceremony in progress.
pub(crate) struct Begun {
    /// The argument of `navigator.credentials`, in JSON.
    pub(crate) options: String,
    /// The token that the browser must return with its response.
    pub(crate) token: String,
}

/// The user for whom a passkey is created.
pub(crate) struct User<'a> {
    pub(crate) handle: Uuid,
    pub(crate) email: &'a str,
    pub(crate) full_name: &'a str,
    /// The account, if it already exists.
    pub(crate) profile_id: Option<i64>,
}

/// The data with which a browser ends a ceremony.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// [`Begun::token`].
    pub(crate) token: String,
    /// A `PublicKeyCredential`, in JSON.
    pub(crate) credential: String,
    /// The browser's secret.
    pub(crate) browser: String,
}

/// A completed ceremony, recorded to prevent its reuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) digest: Vec<u8>,
    pub(crate) expires_at: DateTime<Utc>,
}

/// A passkey created by a browser.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) credential: Credential,
    /// [`User::handle`].
    pub(crate) user_handle: Uuid,
    pub(crate) used: Used,
}

/// A passkey that a browser claims to have used; not verified yet.
pub(crate) struct Claim {
    answer: PublicKeyCredential,
    state: DiscoverableAuthentication,
    /// The user id stored in the authenticator.
    pub(crate) user_handle: Uuid,
    pub(crate) used: Used,
}

/// The reason that a response is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The ceremony belongs to another browser, has expired, or had another purpose.
    #[error("the ceremony is not this browser's, or has expired")]
    Stale,
    /// The response does not have the standard's format.
    #[error("the answer cannot be read")]
    Unreadable,
    /// The response's proof is invalid.
    #[error("the answer does not verify: {0}")]
    Unproven(#[from] WebauthnError),
}

/// The purpose of a ceremony, with the data needed to complete it.
#[derive(Serialize, Deserialize)]
enum Step {
    SignIn(DiscoverableAuthentication),
    Registration {
        user_handle: Uuid,
        profile_id: Option<i64>,
        state: PasskeyRegistration,
    },
}

/// The site as a Web Authentication relying party.
pub(crate) struct RelyingParty {
    webauthn: Webauthn,
    /// The keys that sign ceremonies.
    keys: Keys,
}

impl RelyingParty {
    /// `None` if browsers do not support passkeys at the site's address.
    pub(crate) fn new(site: &Site, keys: &Keys) -> Result<Option<Self>, Fault> {
        let Some(domain) = site.origin.passkey_domain() else {
            return Ok(None);
        };
        let refuse = |why: String| {
            let message = format!("settings: site.url does not do for passkeys: {why}");
            Fault::new(Code::Invalid, message)
        };
        let origin = Url::parse(site.origin.as_str()).map_err(|error| refuse(error.to_string()))?;
        let webauthn = WebauthnBuilder::new(domain, &origin)
            .and_then(|builder| {
                let time = CEREMONY.to_std().unwrap_or_default();
                builder
                    .rp_name(&site.name)
                    .timeout(time)
                    // On a developer's machine, several gateways share the domain.
                    .allow_any_port(!site.origin.is_https())
                    .build()
            })
            .map_err(|error| refuse(error.to_string()))?;
        let keys = keys.derive("passkey ceremonies");
        Ok(Some(Self { webauthn, keys }))
    }

    /// Begins a sign-in with any passkey that the browser has.
    pub(crate) fn begin_sign_in(&self, browser: &str, now: DateTime<Utc>) -> Result<Begun, Fault> {
        let (mut options, state) = self
            .webauthn
            .start_discoverable_authentication()
            .map_err(internal)?;
        // The page decides whether the browser offers passkeys in autofill or in a dialog.
        options.mediation = None;
        self.begun(&options, &Step::SignIn(state), browser, now)
    }

    /// Begins the creation of a passkey; authenticators that already store one of the `known` passkeys refuse.
    pub(crate) fn begin_registration(
        &self,
        user: &User<'_>,
        known: impl IntoIterator<Item = Vec<u8>>,
        browser: &str,
        now: DateTime<Utc>,
    ) -> Result<Begun, Fault> {
        let (mut options, state) = self
            .webauthn
            .start_passkey_registration(user.handle, user.email, user.full_name, None)
            .map_err(internal)?;
        let known: Vec<_> = known
            .into_iter()
            .map(|id| PublicKeyCredentialDescriptor {
                type_: "public-key".to_owned(),
                id,
                transports: None,
            })
            .collect();
        options.public_key.exclude_credentials = Some(known);
        // Users enter no address to sign in with a passkey, so the authenticator must store the user id.
        options.public_key.authenticator_selection = Some(AuthenticatorSelectionCriteria {
            resident_key: Some(ResidentKeyRequirement::Required),
            require_resident_key: true,
            user_verification: UserVerificationPolicy::Required,
            ..AuthenticatorSelectionCriteria::default()
        });
        let step = Step::Registration {
            user_handle: user.handle,
            profile_id: user.profile_id,
            state,
        };
        self.begun(&options, &step, browser, now)
    }

    /// Verifies a passkey that a browser created for an account or for a guest.
    pub(crate) fn finish_registration(
        &self,
        answer: &Answer,
        profile_id: Option<i64>,
        now: DateTime<Utc>,
    ) -> Result<Made, Refusal> {
        let (step, used) = self.open(answer, now)?;
        let Step::Registration {
            user_handle,
            profile_id: begun_for,
            state,
        } = step
        else {
            return Err(Refusal::Stale);
        };
        if begun_for != profile_id {
            return Err(Refusal::Stale);
        }
        let read: RegisterPublicKeyCredential = read(&answer.credential)?;
        let credential = self.webauthn.finish_passkey_registration(&read, &state)?;
        Ok(Made {
            credential,
            user_handle,
            used,
        })
    }

    /// Parses a browser's claim to have used a passkey.
    pub(crate) fn claim(&self, answer: &Answer, now: DateTime<Utc>) -> Result<Claim, Refusal> {
        let (Step::SignIn(state), used) = self.open(answer, now)? else {
            return Err(Refusal::Stale);
        };
        let answer: PublicKeyCredential = read(&answer.credential)?;
        let (user_handle, _) = self
            .webauthn
            .identify_discoverable_authentication(&answer)?;
        Ok(Claim {
            answer,
            state,
            user_handle,
            used,
        })
    }

    /// Verifies a claim against the stored passkey; returns the updated passkey to store.
    pub(crate) fn verify(&self, claim: &Claim, stored: &Credential) -> Result<Credential, Refusal> {
        let result = self.webauthn.finish_discoverable_authentication_v2(
            &claim.answer,
            claim.state.clone(),
            stored,
        )?;
        let mut stored = stored.clone();
        stored.update_credential(&result);
        Ok(stored)
    }

    fn begun(
        &self,
        options: &impl Serialize,
        step: &Step,
        browser: &str,
        now: DateTime<Utc>,
    ) -> Result<Begun, Fault> {
        let options = serde_json::to_string(options).map_err(internal)?;
        let step = BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(step).map_err(internal)?);
        let expires = (now + CEREMONY).timestamp().to_string();
        let tag = self.keys.tag(&[&step, &expires, browser]);
        let tag = BASE64_URL_SAFE_NO_PAD.encode(tag);
        let token = format!("{step}.{expires}.{tag}");
        Ok(Begun { options, token })
    }

    fn open(&self, answer: &Answer, now: DateTime<Utc>) -> Result<(Step, Used), Refusal> {
        let read = || {
            let (step, rest) = answer.token.split_once('.')?;
            let (expires, tag) = rest.split_once('.')?;
            let tag = BASE64_URL_SAFE_NO_PAD.decode(tag).ok()?;
            if !self.keys.is_tag_of(&tag, &[step, expires, &answer.browser]) {
                return None;
            }
            let expires_at = DateTime::from_timestamp(expires.parse().ok()?, 0)?;
            let used = Used {
                digest: Sha256::digest(step).to_vec(),
                expires_at,
            };
            let step = BASE64_URL_SAFE_NO_PAD.decode(step).ok()?;
            let step = serde_json::from_slice(&step).ok()?;
            (now < expires_at).then_some((step, used))
        };
        read().ok_or(Refusal::Stale)
    }
}

impl Claim {
    /// The id of the claimed passkey.
    pub(crate) fn credential_id(&self) -> &[u8] {
        self.answer.raw_id.as_ref()
    }
}

fn read<T: DeserializeOwned>(credential: &str) -> Result<T, Refusal> {
    serde_json::from_str(credential).map_err(|_| Refusal::Unreadable)
}

fn internal(error: impl std::fmt::Display) -> Fault {
    Fault::new(Code::Internal, format!("passkeys: {error}"))
}

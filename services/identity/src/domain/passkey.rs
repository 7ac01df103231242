//! Passkeys (W3C Web Authentication, level 3). A ceremony is two calls: options for the browser, and its answer. Nothing
//! is stored between them: the page keeps the ceremony, signed and bound to a secret of its browser, so that strangers who
//! begin ceremonies add nothing here. Only those that succeed are recorded, because none may be used twice.

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

/// The time that a browser has for its answer (HTTP API, `profiles/passkeys/options/`).
const CEREMONY: TimeDelta = TimeDelta::minutes(5);

/// Passkeys that an account has at a time.
pub(crate) const MAX_PASSKEYS: i64 = 20;

/// A passkey as its reader sees it.
#[derive(Debug, Clone)]
pub(crate) struct Passkey {
    pub(crate) id: i64,
    pub(crate) credential: Credential,
    /// The `User-Agent` of the device that it was made on.
    pub(crate) device: String,
    pub(crate) created_at: DateTime<Utc>,
    /// The last sign-in with it.
    pub(crate) last_used_at: Option<DateTime<Utc>>,
}

/// A ceremony that has begun.
pub(crate) struct Begun {
    /// The argument of `navigator.credentials`, in JSON.
    pub(crate) options: String,
    /// What the browser brings back with its answer.
    pub(crate) token: String,
}

/// The user whom authenticators are asked to make a passkey for.
pub(crate) struct User<'a> {
    pub(crate) handle: Uuid,
    pub(crate) email: &'a str,
    pub(crate) full_name: &'a str,
    /// The account, if there is one already.
    pub(crate) profile_id: Option<i64>,
}

/// What a browser brings to end a ceremony.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// [`Begun::token`].
    pub(crate) token: String,
    /// A `PublicKeyCredential`, in JSON.
    pub(crate) credential: String,
    /// The browser's secret.
    pub(crate) browser: String,
}

/// A ceremony that has been answered, of which a record keeps it from being used again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) digest: Vec<u8>,
    pub(crate) expires_at: DateTime<Utc>,
}

/// A passkey that a browser has made.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) credential: Credential,
    /// [`User::handle`].
    pub(crate) user_handle: Uuid,
    pub(crate) used: Used,
}

/// A passkey that a browser says it has used; not verified yet.
pub(crate) struct Claim {
    answer: PublicKeyCredential,
    state: DiscoverableAuthentication,
    /// The user whom the authenticator knows.
    pub(crate) user_handle: Uuid,
    pub(crate) used: Used,
}

/// Why an answer is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// The ceremony was another browser's, has expired, or was for something else.
    #[error("the ceremony is not this browser's, or has expired")]
    Stale,
    /// The answer is not in the form that the standard gives.
    #[error("the answer cannot be read")]
    Unreadable,
    /// The answer does not prove what it says.
    #[error("the answer does not verify: {0}")]
    Unproven(#[from] WebauthnError),
}

/// What a ceremony is for, with what its end needs of its beginning.
#[derive(Serialize, Deserialize)]
enum Step {
    SignIn(DiscoverableAuthentication),
    Registration {
        user_handle: Uuid,
        profile_id: Option<i64>,
        state: PasskeyRegistration,
    },
}

/// The site, as authenticators know it.
pub(crate) struct RelyingParty {
    webauthn: Webauthn,
    /// They sign ceremonies.
    keys: Keys,
}

impl RelyingParty {
    /// `None` if browsers offer no passkeys to the site's address.
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
                    // On the developer's own machine, several gateways share the domain.
                    .allow_any_port(!site.origin.is_https())
                    .build()
            })
            .map_err(|error| refuse(error.to_string()))?;
        let keys = keys.derive("passkey ceremonies");
        Ok(Some(Self { webauthn, keys }))
    }

    /// Begins a sign-in with whichever passkey the browser has.
    pub(crate) fn begin_sign_in(&self, browser: &str, now: DateTime<Utc>) -> Result<Begun, Fault> {
        let (mut options, state) = self
            .webauthn
            .start_discoverable_authentication()
            .map_err(internal)?;
        // The page decides whether the browser's own form completion offers passkeys, or a dialog.
        options.mediation = None;
        self.begun(&options, &Step::SignIn(state), browser, now)
    }

    /// Begins to make a passkey; authenticators that have one of `known` already refuse.
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
        // Nobody types an address to sign in with a passkey, so the authenticator must know whose it is.
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

    /// The passkey that a browser has made for an account, or for a guest.
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

    /// The passkey that a browser says it has used.
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

    /// Checks the proof of a claim by the stored passkey; returns that passkey as it is to be stored now.
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
    /// The name of the passkey.
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

//! Logging in with Facebook. As with passkeys, the server stores nothing while a log-in is in progress: the state that
//! the browser carries to Facebook and back is sealed for that browser, so that strangers who begin log-ins use no
//! storage.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{entropy::Entropy, error::Fault, keys::Keys, postgres::jobs::Job, sealed::Sealer};
use chrono::{DateTime, TimeDelta, Utc};
use ring::hmac;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    Used,
    oauth::{LIFETIME, Outcome},
};

/// How long the outcome of a deletion request can be read; the same as for receipts.
pub(crate) const DELETION_KEPT: TimeDelta = TimeDelta::days(30);

/// The maximum length of a Facebook user id.
const MAX_ID: usize = 64;

/// A person's Facebook user id, which is specific to the app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FacebookId(String);

impl FacebookId {
    /// `None` if the text is not a Facebook user id.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_id =
            (1..=MAX_ID).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_id.then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// A person's data, as returned by Facebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Person {
    pub(crate) id: FacebookId,
    pub(crate) name: String,
    /// Absent if the person has no address at Facebook or does not share it.
    pub(crate) email: Option<String>,
}

/// The connection of an account to a Facebook account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Connection {
    pub(crate) facebook_id: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) last_used_at: DateTime<Utc>,
}

/// Withdraws the permissions that a person has given to the site's app, because the connection has ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct DisconnectJob {
    pub(crate) facebook_id: String,
}

impl Job for DisconnectJob {
    const KIND: &'static str = "facebook-disconnect";
    const LEAVES_SITE: bool = true;
}

/// A log-in in progress, as contained in its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BegunLogin {
    /// The PKCE verifier.
    pub(crate) verifier: String,
    /// The page to return to, included in the response to the completion.
    pub(crate) page: String,
    /// The account to connect; `None` for a log-in.
    pub(crate) connects: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct State {
    login: BegunLogin,
    /// The expiry time, in seconds since the epoch.
    expires: i64,
}

/// Seals and opens the states of log-ins.
#[derive(Clone)]
pub(crate) struct LoginStates(Sealer);

impl LoginStates {
    /// [`chassis::error::Code::Internal`] as for [`Sealer::new`].
    pub(crate) fn new(keys: &Keys) -> Result<Self, Fault> {
        Ok(Self(Sealer::new(keys, "facebook log-ins")?))
    }

    /// Seals the state of a log-in for the browser with this secret; it is valid for ten minutes.
    pub(crate) fn seal(
        &self,
        entropy: &dyn Entropy,
        browser: &str,
        login: BegunLogin,
        now: DateTime<Utc>,
    ) -> Result<String, Fault> {
        let expires = (now + LIFETIME).timestamp();
        let state = serde_json::json!(State { login, expires }).to_string();
        let sealed = self.0.seal(entropy, browser, &state)?;
        Ok(BASE64_URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Opens a state; `None` if it belongs to another browser or has expired.
    pub(crate) fn open(
        &self,
        browser: &str,
        state: &str,
        now: DateTime<Utc>,
    ) -> Option<(BegunLogin, Used)> {
        if browser.is_empty() {
            return None;
        }
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(state).ok()?;
        let opened: State = serde_json::from_str(&self.0.open(browser, &sealed)?).ok()?;
        let used = Used {
            digest: Sha256::digest(state).to_vec(),
            expires_at: DateTime::from_timestamp(opened.expires, 0)?,
        };
        (now < used.expires_at).then_some((opened.login, used))
    }
}

/// The outcome of a log-in by redirect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoginOutcome {
    /// This browser did not begin the log-in, or the log-in has already ended.
    Stale,
    LoggedIn,
    Connected,
    Cancelled,
    AddressTaken,
    NoAddress,
    OtherAccount,
    Disabled,
    Failed,
    /// The reader must sign in again before the account is connected.
    Unproven,
}

/// The data of a browser that returned from Facebook.
pub(crate) struct Return {
    /// The browser's secret.
    pub(crate) browser: String,
    pub(crate) state: String,
    pub(crate) outcome: Outcome,
}

/// A request from Facebook to delete a person's data that came from Facebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeletionRequest {
    pub(crate) person: FacebookId,
    pub(crate) issued_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct SignedPayload {
    algorithm: String,
    issued_at: i64,
    user_id: String,
}

impl DeletionRequest {
    /// Parses a `signed_request`: the signature and the payload in base64, separated by a dot. `None` if it is not
    /// signed with the app's secret.
    pub(crate) fn parse(signed_request: &str, app_secret: &str) -> Option<Self> {
        let (signature, payload) = signed_request.split_once('.')?;
        let signature = decode(signature)?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, app_secret.as_bytes());
        hmac::verify(&key, payload.as_bytes(), &signature).ok()?;
        let payload: SignedPayload = serde_json::from_slice(&decode(payload)?).ok()?;
        if !payload.algorithm.eq_ignore_ascii_case("HMAC-SHA256") {
            return None;
        }
        Some(Self {
            person: FacebookId::parse(&payload.user_id)?,
            issued_at: DateTime::from_timestamp(payload.issued_at, 0)?,
        })
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD
        .decode(text.trim_end_matches('='))
        .ok()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeletionOutcome {
    /// No account was connected to the person.
    NothingStored,
    /// The account has another sign-in method: only the connection was deleted.
    Disconnected,
    /// The account had no other sign-in method: it is erased as if the reader had requested it.
    AccountErased,
}

impl DeletionOutcome {
    /// The outcome's name in the database and the API.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::NothingStored => "nothing-stored",
            Self::Disconnected => "disconnected",
            Self::AccountErased => "account-erased",
        }
    }
}

#[cfg(test)]
mod tests {
    use chassis::entropy::OsEntropy;

    use super::*;

    fn states() -> LoginStates {
        LoginStates::new(&Keys::one(&[7; 32])).expect("a sealer")
    }

    fn login() -> BegunLogin {
        BegunLogin {
            verifier: "a verifier".to_owned(),
            page: "/places/".to_owned(),
            connects: Some(7),
        }
    }

    fn signed(payload: &str, secret: &str) -> String {
        let payload = BASE64_URL_SAFE_NO_PAD.encode(payload);
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&key, payload.as_bytes()));
        format!("{signature}.{payload}")
    }

    #[test]
    fn a_state_is_its_browsers_alone_for_ten_minutes_and_reveals_nothing() {
        let now = DateTime::from_timestamp(1_764_000_000, 0).expect("an instant");
        let states = states();
        let seal = || {
            states
                .seal(&OsEntropy, "browser", login(), now)
                .expect("seals")
        };
        let state = seal();
        let (opened, used) = states.open("browser", &state, now).expect("opens");
        assert_eq!(opened, login());
        let (_, again) = states.open("browser", &state, now).expect("opens");
        assert_eq!(used.digest, again.digest, "it is recognised");
        for browser in ["", "another"] {
            assert!(states.open(browser, &state, now).is_none(), "{browser}");
        }
        assert!(states.open("browser", &state, now + LIFETIME).is_none());
        assert!(states.open("browser", "nonsense", now).is_none());
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(&state).expect("base64");
        assert!(!sealed.windows(8).any(|part| part == b"verifier"));
        assert_ne!(seal(), state);
    }

    #[test]
    fn a_request_counts_if_it_is_signed_with_the_apps_secret() {
        let payload = r#"{"algorithm":"HMAC-SHA256","issued_at":1764000000,"user_id":"218471"}"#;
        let request = signed(payload, "secret");
        let read = DeletionRequest::parse(&request, "secret").expect("Facebook's");
        assert_eq!(read.person.as_str(), "218471");
        assert_eq!(read.issued_at.timestamp(), 1_764_000_000);
        assert_eq!(DeletionRequest::parse(&request, "another"), None);
        let (signature, payload) = request.split_once('.').expect("two parts");
        for forged in [
            String::new(),
            ".".to_owned(),
            payload.to_owned(),
            format!(".{payload}"),
            format!("{signature}.{payload}x"),
            signed("{}", "secret"),
            signed(
                r#"{"algorithm":"none","issued_at":1,"user_id":"2"}"#,
                "secret",
            ),
            signed(
                r#"{"algorithm":"HMAC-SHA256","issued_at":1,"user_id":"x"}"#,
                "secret",
            ),
        ] {
            assert_eq!(DeletionRequest::parse(&forged, "secret"), None, "{forged}");
        }
    }

    #[test]
    fn only_numbers_are_persons() {
        assert!(FacebookId::parse("10158471").is_some());
        for text in ["", "-1", "1 2", "me", "１", &"1".repeat(65)] {
            assert_eq!(FacebookId::parse(text), None, "{text}");
        }
    }
}

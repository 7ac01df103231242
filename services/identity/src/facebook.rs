//! Facebook: identifies people by OAuth 2.0 with PKCE, or by a token that a page has received.

use std::time::Duration;

use chassis::{
    bulkhead::Bulkhead,
    digest,
    error::Fault,
    keys::Keys,
    origin::Origin,
    third_party::{Answer, ThirdParty},
};
use http::Method;
use ring::hmac;

use crate::{
    domain::{ConsentPage, FacebookId, LoginStates, Person},
    settings::FacebookSettings,
};

/// The callback page, which the gateway serves; it must be registered in Facebook's dashboard.
const CALLBACK: &str = "/profiles/facebook-callback";
/// The requested permissions: only the profile and the address.
const SCOPE: &str = "public_profile,email";
/// The timeout of a request to Facebook, for which a person waits.
const TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum number of concurrent requests to Facebook. If Facebook is slow, further log-ins are refused instead of
/// using up the service's capacity.
const MAX_CALLS: usize = 32;
/// The maximum length of a code or token, in bytes.
const MAX: usize = 2_000;

/// The reason that Facebook did not identify a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FacebookError {
    /// The code or token is invalid.
    #[error("Facebook refuses the code or the token")]
    Refused,
    /// There is no valid response; a retry may succeed.
    #[error("{0}")]
    NoAnswer(String),
}

impl From<Fault> for FacebookError {
    fn from(fault: Fault) -> Self {
        Self::NoAnswer(fault.message)
    }
}

/// The site's Facebook app.
#[derive(Clone)]
pub(crate) struct Facebook {
    settings: FacebookSettings,
    client: ThirdParty,
    redirect_uri: String,
    pub(crate) states: LoginStates,
    bulkhead: Bulkhead,
}

impl Facebook {
    /// `None` if no app is configured.
    pub(crate) fn new(
        settings: &FacebookSettings,
        site: &Origin,
        keys: &Keys,
    ) -> Result<Option<Self>, Fault> {
        if !settings.is_configured() {
            return Ok(None);
        }
        settings.require_secret()?;
        Ok(Some(Self {
            settings: settings.clone(),
            client: ThirdParty::new()?.within(TIMEOUT),
            redirect_uri: format!("{}{CALLBACK}", site.as_str()),
            states: LoginStates::new(keys)?,
            bulkhead: Bulkhead::new("facebook", MAX_CALLS, 0),
        }))
    }

    pub(crate) fn app_secret(&self) -> &str {
        &self.settings.app_secret
    }

    /// The address of the Facebook page on which a person confirms the log-in.
    pub(crate) fn dialog(&self, state: &str, verifier: &str) -> String {
        let page = ConsentPage {
            url: &self.settings.dialog_url,
            client_id: &self.settings.app_id,
            redirect_uri: &self.redirect_uri,
            scope: SCOPE,
            further: &[],
        };
        page.address(state, verifier)
    }

    /// Identifies the person who returned with this code.
    pub(crate) async fn by_code(
        &self,
        code: &str,
        verifier: &str,
    ) -> Result<Person, FacebookError> {
        check_length(code)?;
        let _place = self.bulkhead.place()?;
        let url = format!("{}/oauth/access_token", self.settings.graph_url);
        let fields = [
            ("client_id", self.settings.app_id.as_str()),
            ("client_secret", self.app_secret()),
            ("redirect_uri", &self.redirect_uri),
            ("code", code),
            ("code_verifier", verifier),
        ];
        let answer = read(self.client.post_form(&url, &fields).await?)?;
        let token = answer.body["access_token"].as_str();
        self.person(token.ok_or_else(unreadable)?).await
    }

    /// Identifies the owner of a token; the token must be valid and issued to this site's app for the person with this
    /// id.
    pub(crate) async fn by_token(
        &self,
        token: &str,
        user_id: &str,
    ) -> Result<Person, FacebookError> {
        check_length(token)?;
        let claimed = FacebookId::parse(user_id).ok_or(FacebookError::Refused)?;
        let _place = self.bulkhead.place()?;
        let url = format!("{}/debug_token", self.settings.graph_url);
        let own = self.app_token();
        let parameters = [("input_token", token), ("access_token", &own)];
        let answer = read(self.client.get(&url, &parameters).await?)?;
        let data = &answer.body["data"];
        let is_ours = data["is_valid"] == true
            && data["app_id"] == self.settings.app_id.as_str()
            && data["user_id"] == claimed.as_str();
        if !is_ours {
            return Err(FacebookError::Refused);
        }
        let person = self.person(token).await?;
        if person.id == claimed {
            Ok(person)
        } else {
            Err(FacebookError::Refused)
        }
    }

    /// Withdraws the permissions that a person has given to the app (Graph API, DELETE `/{user-id}/permissions`). Does
    /// nothing if the app does not know the person, or has no permissions.
    pub(crate) async fn disconnect(&self, person: &FacebookId) -> Result<(), FacebookError> {
        let url = format!(
            "{}/{}/permissions",
            self.settings.graph_url,
            person.as_str()
        );
        let token = self.app_token();
        let answer = self.client.call(Method::DELETE, &url, &token, None).await?;
        match read(answer) {
            Ok(_) | Err(FacebookError::Refused) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// The token with which the app calls on its own behalf.
    fn app_token(&self) -> String {
        format!("{}|{}", self.settings.app_id, self.app_secret())
    }

    async fn person(&self, token: &str) -> Result<Person, FacebookError> {
        let url = format!("{}/me", self.settings.graph_url);
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.app_secret().as_bytes());
        // Proves that the token is used by the app to which it was issued.
        let proof = digest::text(hmac::sign(&key, token.as_bytes()).as_ref());
        let parameters = [
            ("fields", "id,name,email"),
            ("access_token", token),
            ("appsecret_proof", &proof),
        ];
        let answer = read(self.client.get(&url, &parameters).await?)?;
        let text = |name: &str| answer.body[name].as_str();
        let id = text("id").and_then(FacebookId::parse);
        Ok(Person {
            id: id.ok_or_else(unreadable)?,
            name: text("name").unwrap_or_default().to_owned(),
            email: text("email").map(str::to_owned),
        })
    }
}

fn check_length(secret: &str) -> Result<(), FacebookError> {
    if secret.is_empty() || secret.len() > MAX {
        return Err(FacebookError::Refused);
    }
    Ok(())
}

/// The error codes with which Facebook refuses a code (100) or a token (190). Other errors concern the app's settings
/// or Facebook itself.
const REFUSALS: [u64; 2] = [100, 190];

/// Refuses an error response.
fn read(answer: Answer) -> Result<Answer, FacebookError> {
    if answer.status.is_success() {
        return Ok(answer);
    }
    let error = answer.body["error"]["code"].as_u64();
    if error.is_some_and(|code| REFUSALS.contains(&code)) {
        return Err(FacebookError::Refused);
    }
    // The error's code, without personal data.
    let message = format!(
        "Facebook answers with {} and error {error:?}",
        answer.status
    );
    Err(FacebookError::NoAnswer(message))
}

fn unreadable() -> FacebookError {
    FacebookError::NoAnswer("Facebook's answer lacks what was asked for".to_owned())
}

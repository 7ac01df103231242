//! The service, and the calls that readers and Facebook make to it.

use chassis::{clock::Clock, error::Fault, keys::Keys};
use chrono::TimeDelta;
use identity_proto::v1::{
    BeginFacebookLoginRequest, CompleteFacebookLoginRequest, CompleteFacebookLoginResponse,
    DeleteFacebookDataRequest, DisconnectFacebookRequest, EraseAccountRequest, FacebookDeletion,
    FacebookEntry, FacebookTokenRequest, GetFacebookConnectionRequest, GetFacebookDeletionRequest,
    GetProfileRequest, Profile, SessionStarted, complete_facebook_login_response::Outcome,
};
use testkit::{
    calls,
    facebook::{Facebook, Person},
};

use crate::fixture::{Fixture, ThirdParties, database, facebook_at};

pub(super) const BROWSER: &str = "a secret of this browser";
pub(super) const PAGE: &str = "/restaurants/?a=b";

/// The service, and the stand-in for Facebook that it calls.
pub(super) struct Site {
    pub(super) fixture: Fixture,
    pub(super) facebook: Facebook,
}

impl Site {
    pub(super) async fn new() -> Self {
        let facebook = Facebook::start().await;
        let parts = testkit::parts::parts_on(database().await);
        let keys = Keys::one(&[7; 32]);
        let others = ThirdParties {
            facebook: facebook_at(&facebook.url("")),
            ..ThirdParties::default()
        };
        let fixture = Fixture::with(parts, keys, others).await;
        Self { fixture, facebook }
    }

    pub(super) async fn number(&self, query: &'static str) -> i64 {
        self.fixture.parts.database.number(query).await
    }

    /// Begins a guest's log-in, or the connection of a reader's account; returns the address of Facebook's page.
    pub(super) async fn begin(&self, reader: Option<&SessionStarted>) -> String {
        self.try_to_begin(reader).await.expect("begins")
    }

    pub(super) async fn try_to_begin(
        &self,
        reader: Option<&SessionStarted>,
    ) -> Result<String, Fault> {
        let request = BeginFacebookLoginRequest {
            browser: BROWSER.to_owned(),
            page: PAGE.to_owned(),
            connect: reader.is_some(),
            session_token: reader.map_or_else(String::new, |one| one.session_token.clone()),
        };
        let request = match reader {
            Some(reader) => calls::reader(reader.profile_id, request),
            None => calls::guest(request),
        };
        let begun = self.fixture.facebook.clone().begin_login(request).await?;
        Ok(begun.into_inner().authorization_url)
    }

    /// Completes a log-in in a browser that Facebook has redirected to this address.
    pub(super) async fn complete_in(
        &self,
        browser: &str,
        reader: Option<&SessionStarted>,
        address: &str,
    ) -> CompleteFacebookLoginResponse {
        let (path, query) = address.split_once('?').expect("parameters");
        assert_eq!(path, "https://guide.test/profiles/facebook-callback");
        let value = |name: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            let mut values = pairs.filter(|(key, _)| *key == name);
            values.next().map_or("", |(_, value)| value).to_owned()
        };
        let request = CompleteFacebookLoginRequest {
            browser: browser.to_owned(),
            state: value("state"),
            code: value("code"),
            error: value("error"),
            device: "test".to_owned(),
            session_token: reader.map_or_else(String::new, |one| one.session_token.clone()),
        };
        let request = match reader {
            Some(reader) => calls::reader(reader.profile_id, request),
            None => calls::guest(request),
        };
        let completed = self.fixture.facebook.clone().complete_login(request).await;
        completed.expect("answers").into_inner()
    }

    pub(super) async fn complete(&self, address: &str) -> CompleteFacebookLoginResponse {
        self.complete_in(BROWSER, None, address).await
    }

    /// Logs a person in by redirect.
    pub(super) async fn by_redirect(&self, person: Person) -> CompleteFacebookLoginResponse {
        let back = self.facebook.log_in(&self.begin(None).await, person);
        self.complete(&back).await
    }

    /// Connects a reader's account by redirect.
    pub(super) async fn connect(&self, reader: &SessionStarted, person: Person) -> Outcome {
        let dialog = self.begin(Some(reader)).await;
        let back = self.facebook.log_in(&dialog, person);
        self.complete_in(BROWSER, Some(reader), &back)
            .await
            .outcome()
    }

    pub(super) async fn by_token_of(
        &self,
        token: &str,
        user_id: &str,
    ) -> Result<FacebookEntry, Fault> {
        let request = calls::guest(FacebookTokenRequest {
            token: token.to_owned(),
            user_id: user_id.to_owned(),
            device: "test".to_owned(),
            session_token: String::new(),
        });
        let entry = self
            .fixture
            .facebook
            .clone()
            .login_with_token(request)
            .await?;
        Ok(entry.into_inner())
    }

    pub(super) async fn by_token(&self, person: Person) -> Result<SessionStarted, Fault> {
        let token = self.facebook.token(person);
        let entry = self.by_token_of(&token, person.id).await?;
        Ok(entry.session.expect("a session"))
    }

    pub(super) async fn is_connected(&self, reader: i64) -> bool {
        let request = calls::reader(reader, GetFacebookConnectionRequest {});
        let found = self.fixture.facebook.clone().get_connection(request).await;
        let found = found.expect("answers").into_inner();
        found.date_connected.is_some()
    }

    pub(super) async fn disconnect(&self, reader: i64) -> Result<(), Fault> {
        let request = calls::reader(reader, DisconnectFacebookRequest {});
        self.fixture.facebook.clone().disconnect(request).await?;
        Ok(())
    }

    pub(super) async fn profile(&self, reader: i64) -> Profile {
        let request = calls::reader(reader, GetProfileRequest {});
        let profile = self.fixture.client.clone().get_profile(request).await;
        profile.expect("answers").into_inner()
    }

    /// Sends Facebook's request to delete a person's data, dated this long after now.
    pub(super) async fn delete_data(&self, person: Person, later: TimeDelta) -> FacebookDeletion {
        let issued_at = self.fixture.parts.clock.now() + later;
        let form = self.facebook.deletion_of(person, issued_at);
        let (_, signed_request) = form.split_once('=').expect("a field");
        let code = self.ask_to_delete(signed_request).await.expect("deletes");
        assert!(code.chars().all(|c| c.is_ascii_alphanumeric()), "{code}");
        self.deletion(&code).await.expect("an answer")
    }

    pub(super) async fn ask_to_delete(&self, signed_request: &str) -> Result<String, Fault> {
        let request = calls::guest(DeleteFacebookDataRequest {
            signed_request: signed_request.to_owned(),
        });
        let deleted = self.fixture.facebook.clone().delete_data(request).await?;
        Ok(deleted.into_inner().confirmation_code)
    }

    pub(super) async fn deletion(&self, code: &str) -> Result<FacebookDeletion, Fault> {
        let request = calls::guest(GetFacebookDeletionRequest {
            confirmation_code: code.to_owned(),
        });
        let found = self.fixture.facebook.clone().get_deletion(request).await?;
        Ok(found.into_inner())
    }

    pub(super) async fn erase_in(&self, session: &SessionStarted) -> Result<(), Fault> {
        let request = EraseAccountRequest {
            current_password: String::new(),
            passkey: None,
            session_token: session.session_token.clone(),
        };
        let request = calls::reader(session.profile_id, request);
        let departures = &self.fixture.departures;
        departures.clone().erase_account(request).await?;
        Ok(())
    }
}

/// Returns the session of a successful log-in that returned to its page.
pub(super) fn logged_in(completed: CompleteFacebookLoginResponse) -> SessionStarted {
    assert_eq!(completed.outcome(), Outcome::LoggedIn);
    assert_eq!(completed.page, PAGE);
    let session = completed.entry.and_then(|entry| entry.session);
    session.expect("a session")
}

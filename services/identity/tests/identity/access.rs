//! The access that remains when the owner of an address proves it, on an account that anyone may have created.

use chassis::{error::Code, keys::Keys};
use identity_proto::v1::{Access, AccessChoice, FacebookTokenRequest, SessionStarted};
use testkit::{
    calls,
    facebook::{Facebook, Person},
    google::Google,
    passkeys::PasskeyDevice,
    until,
};

use crate::{
    fixture::{
        Fixture, PASSWORD, ThirdParties, calendars_of, database, facebook_at, fields, secret,
    },
    passkeys::device,
};

const ADA: &str = "ada@example.com";
const NEW: &str = "a streetcar in October";
const STRANGER: Person = Person {
    id: "10158499",
    name: "A stranger",
    email: Some("stranger@example.com"),
};

/// An account with every kind of access, created by somebody who may not own its address.
struct Account {
    fixture: Fixture,
    facebook: Facebook,
    google: Google,
    session: SessionStarted,
    phone: PasskeyDevice,
    feed: String,
}

impl Account {
    async fn new() -> Self {
        let (facebook, google) = (Facebook::start().await, Google::start().await);
        let others = ThirdParties {
            facebook: facebook_at(&facebook.url("")),
            calendar: calendars_of(&google.url("")),
        };
        let parts = testkit::parts::parts_on(database().await);
        let fixture = Fixture::with(parts, Keys::one(&[7; 32]), others).await;
        let session = fixture.register(ADA).await.expect("registers");
        let (id, mut phone) = (session.profile_id, device());
        fixture.add_by(&mut phone, id).await.expect("adds");
        let token = FacebookTokenRequest {
            token: facebook.token(STRANGER),
            user_id: STRANGER.id.to_owned(),
            device: "test".to_owned(),
            session_token: session.session_token.clone(),
        };
        let token = calls::reader(id, token);
        let connected = fixture.facebook.clone().login_with_token(token).await;
        connected.expect("connects");
        fixture.connect(&session, &google).await;
        let _ = fixture.begin(&session).await;
        let feed = fixture.make_feed(id).await.expect("makes");
        Self {
            fixture,
            facebook,
            google,
            session,
            phone,
            feed,
        }
    }

    fn id(&self) -> i64 {
        self.session.profile_id
    }

    async fn pending(&self) -> i64 {
        let pending =
            "SELECT count(*) FROM identity.calendar_authorizations WHERE completed_at IS NULL";
        self.fixture.parts.database.number(pending).await
    }

    /// The link that the registration mailed.
    async fn confirmation(&self) -> String {
        secret(&self.fixture.letter(ADA, "Confirm your email").await)
    }

    async fn assert_strangers_are_out(&mut self) {
        let fixture = &self.fixture;
        let session = fixture.authenticate(&self.session.session_token).await;
        assert_eq!(session.expect_err("ended").code, Code::NotAuthenticated);
        fixture.sign_in(ADA, PASSWORD).await.expect_err("ended");
        let by_passkey = fixture.sign_in_by(&mut self.phone).await;
        by_passkey.expect_err("removed");
        assert!(!fixture.is_connected(&self.session).await);
        assert_eq!(fixture.feed_reader(&self.feed).await, Err(Code::NotFound));
        assert_eq!(self.pending().await, 0);
        until("both third parties are notified", async || {
            let facebook = self.facebook.disconnected() == [STRANGER.id];
            (facebook && self.google.revocations() == 1).then_some(())
        })
        .await;
    }
}

fn only_a_password() -> Access {
    Access {
        has_password: true,
        ..Access::default()
    }
}

#[tokio::test]
async fn a_reset_ends_what_a_stranger_has_added_to_an_account_of_an_unconfirmed_address() {
    let mut account = Account::new().await;
    let link = account.fixture.reset_link(ADA).await;
    let bob = account.fixture.register("bob@example.com").await;
    let other = Some(bob.expect("registers").profile_id);
    let reset = account.fixture.reset_as(other, &link, NEW).await;
    assert_eq!(reset.expect("resets").access, Some(only_a_password()));
    account.assert_strangers_are_out().await;
    account.fixture.sign_in(ADA, NEW).await.expect("the owner");
    assert!(account.fixture.profile(account.id()).await.email_verified);
    assert!(
        account
            .fixture
            .acts()
            .await
            .contains(&"access-ended".to_owned())
    );
}

#[tokio::test]
async fn a_reset_in_a_browser_that_is_signed_in_to_the_account_keeps_its_sign_in_methods() {
    let mut account = Account::new().await;
    let (own, link) = (Some(account.id()), account.fixture.reset_link(ADA).await);
    let reset = account.fixture.reset_as(own, &link, NEW).await;
    let access = reset.expect("resets").access.expect("is reported");
    assert!(access.has_password && access.has_facebook && access.has_calendar);
    assert_eq!(access.passkeys.len(), 1);
    assert!(account.fixture.profile(account.id()).await.email_verified);
    let by_passkey = account.fixture.sign_in_by(&mut account.phone).await;
    by_passkey.expect("remains");
    let session = account.fixture.authenticate(&account.session.session_token);
    session.await.expect_err("every session ends");
}

#[tokio::test]
async fn a_reset_of_a_confirmed_account_ends_its_feed_and_reports_what_remains() {
    let mut account = Account::new().await;
    let confirmation = account.confirmation().await;
    account
        .fixture
        .confirm(&confirmation)
        .await
        .expect("confirms");
    let link = account.fixture.reset_link(ADA).await;
    let reset = account.fixture.reset_by(&link, NEW).await.expect("resets");
    let access = reset.access.expect("is reported");
    assert!(access.has_password && access.has_facebook && access.has_calendar);
    assert_eq!(access.passkeys.len(), 1);
    assert!(!access.has_calendar_feed);
    let feed = account.fixture.feed_reader(&account.feed).await;
    assert_eq!((feed, account.pending().await), (Err(Code::NotFound), 0));
    let letter = account.fixture.letter(ADA, "was changed").await;
    let letter = letter.replace("=\r\n", "");
    assert!(
        letter.contains("1 passkey, Facebook, your calendar"),
        "{letter}"
    );
    let by_passkey = account.fixture.sign_in_by(&mut account.phone).await;
    by_passkey.expect("remains");
    assert!(account.facebook.disconnected().is_empty());
}

#[tokio::test]
async fn a_browser_that_is_signed_in_to_the_account_confirms_its_address_without_a_choice() {
    let account = Account::new().await;
    let (fixture, link) = (&account.fixture, account.confirmation().await);
    let bob = fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    for other in [None, Some(bob.profile_id)] {
        let opened = fixture
            .open_link(other, &link, AccessChoice::Unspecified)
            .await;
        let opened = opened.expect("answers");
        assert!(!opened.is_confirmed && opened.password_token.is_empty());
        let access = opened.access.expect("is shown");
        assert_eq!(access.passkeys[0].name, "Firefox on Linux");
        assert!(access.has_facebook && access.has_calendar && access.has_calendar_feed);
        assert!(!fixture.profile(account.id()).await.email_verified);
    }
    let own = Some(account.id());
    let confirmed = fixture
        .open_link(own, &link, AccessChoice::Unspecified)
        .await;
    assert!(confirmed.expect("confirms").is_confirmed);
    assert!(fixture.profile(account.id()).await.email_verified);
    let session = fixture.authenticate(&account.session.session_token).await;
    session.expect("goes on");
    let used = fixture.confirm(&link).await.expect_err("used");
    assert_eq!(fields(&used), ["token"]);
}

#[tokio::test]
async fn an_owner_who_did_not_create_the_account_ends_its_access_and_sets_a_password() {
    let mut account = Account::new().await;
    let link = account.confirmation().await;
    let ended = account
        .fixture
        .open_link(None, &link, AccessChoice::End)
        .await;
    let ended = ended.expect("confirms");
    assert!(ended.is_confirmed);
    assert_eq!(ended.access, Some(Access::default()), "nothing remains");
    account.assert_strangers_are_out().await;
    let token = &ended.password_token;
    let reset = account
        .fixture
        .reset_by(token, NEW)
        .await
        .expect("sets a password");
    assert_eq!(reset.access, Some(only_a_password()));
    account.fixture.sign_in(ADA, NEW).await.expect("the owner");
}

#[tokio::test]
async fn a_new_address_is_confirmed_with_the_same_choice() {
    let account = Account::new().await;
    let (fixture, new) = (&account.fixture, "ada@example.org");
    let first = account.confirmation().await;
    fixture.confirm(&first).await.expect("confirms");
    fixture
        .change(account.id(), (None, Some(new)))
        .await
        .expect("changes");
    let link = secret(&fixture.letter(new, "Confirm your email").await);
    let opened = fixture
        .open_link(None, &link, AccessChoice::Unspecified)
        .await;
    assert!(!opened.expect("answers").is_confirmed);
    let ended = fixture.open_link(None, &link, AccessChoice::End).await;
    ended.expect("confirms");
    assert_eq!(fixture.profile(account.id()).await.email, new);
    let session = fixture.authenticate(&account.session.session_token).await;
    session.expect_err("ended");
}

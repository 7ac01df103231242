//! Logging in with Facebook, against a stand-in for its servers.

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    keys::Keys,
};
use chrono::TimeDelta;
use cityguide_proto::identity::v1::{
    BeginFacebookLoginRequest, CompleteFacebookLoginRequest, CompleteFacebookLoginResponse,
    DeleteFacebookDataRequest, DisconnectFacebookRequest, EraseAccountRequest, FacebookDeletion,
    FacebookEntry, FacebookTokenRequest, GetFacebookConnectionRequest, GetFacebookDeletionRequest,
    GetProfileRequest, Profile, SessionStarted, SetDisabledRequest,
    complete_facebook_login_response::Outcome,
};
use futures::future::join_all;
use testkit::{
    calls,
    facebook::{Facebook, Person},
    until,
};

use crate::bench::{Bench, PASSWORD, ThirdParties, database, facebook_at, refusal};

const ADA: Person = Person {
    id: "10158471",
    name: "Ada King",
    email: Some("ada@example.com"),
};
const BOB: Person = Person {
    id: "10158472",
    name: "Bob",
    email: Some("bob@example.com"),
};
const BROWSER: &str = "a secret of this browser";
const PAGE: &str = "/restaurants/?a=b";
const ACCOUNTS: &str = "SELECT count(*) FROM identity.profiles";
const CONNECTIONS: &str = "SELECT count(*) FROM identity.facebook_links";

/// The service, and the Facebook that it asks.
struct Site {
    bench: Bench,
    facebook: Facebook,
}

impl Site {
    async fn new() -> Self {
        let facebook = Facebook::start().await;
        let parts = testkit::parts::parts_on(database().await);
        let keys = Keys::one(&[7; 32]);
        let others = ThirdParties {
            facebook: facebook_at(&facebook.url("")),
            ..ThirdParties::default()
        };
        let bench = Bench::with(parts, keys, others).await;
        Self { bench, facebook }
    }

    async fn number(&self, query: &'static str) -> i64 {
        self.bench.parts.database.number(query).await
    }

    /// The address of Facebook's page, for a guest or to connect a reader's account.
    async fn begin(&self, reader: Option<i64>) -> String {
        let request = BeginFacebookLoginRequest {
            browser: BROWSER.to_owned(),
            page: PAGE.to_owned(),
            connect: reader.is_some(),
        };
        let request = match reader {
            Some(reader) => calls::reader(reader, request),
            None => calls::guest(request),
        };
        let begun = self.bench.facebook.clone().begin_login(request).await;
        begun.expect("begins").into_inner().authorization_url
    }

    /// Facebook sends a browser back to this address.
    async fn complete_in(
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
        let completed = self.bench.facebook.clone().complete_login(request).await;
        completed.expect("answers").into_inner()
    }

    async fn complete(&self, address: &str) -> CompleteFacebookLoginResponse {
        self.complete_in(BROWSER, None, address).await
    }

    /// Somebody logs in by redirect.
    async fn by_redirect(&self, person: Person) -> CompleteFacebookLoginResponse {
        let back = self.facebook.log_in(&self.begin(None).await, person);
        self.complete(&back).await
    }

    /// Connects a reader's account by redirect.
    async fn connect(&self, reader: &SessionStarted, person: Person) -> Outcome {
        let dialog = self.begin(Some(reader.profile_id)).await;
        let back = self.facebook.log_in(&dialog, person);
        self.complete_in(BROWSER, Some(reader), &back)
            .await
            .outcome()
    }

    async fn by_token_of(&self, token: &str, user_id: &str) -> Result<FacebookEntry, Fault> {
        let request = calls::guest(FacebookTokenRequest {
            token: token.to_owned(),
            user_id: user_id.to_owned(),
            device: "test".to_owned(),
            session_token: String::new(),
        });
        let entry = self
            .bench
            .facebook
            .clone()
            .login_with_token(request)
            .await?;
        Ok(entry.into_inner())
    }

    async fn by_token(&self, person: Person) -> Result<SessionStarted, Fault> {
        let token = self.facebook.token(person);
        let entry = self.by_token_of(&token, person.id).await?;
        Ok(entry.session.expect("a session"))
    }

    async fn is_connected(&self, reader: i64) -> bool {
        let request = calls::reader(reader, GetFacebookConnectionRequest {});
        let found = self.bench.facebook.clone().get_connection(request).await;
        let found = found.expect("answers").into_inner();
        found.date_connected.is_some()
    }

    async fn disconnect(&self, reader: i64) -> Result<(), Fault> {
        let request = calls::reader(reader, DisconnectFacebookRequest {});
        self.bench.facebook.clone().disconnect(request).await?;
        Ok(())
    }

    async fn profile(&self, reader: i64) -> Profile {
        let request = calls::reader(reader, GetProfileRequest {});
        let profile = self.bench.client.clone().get_profile(request).await;
        profile.expect("answers").into_inner()
    }

    /// Facebook asks to delete somebody's data, so long after now.
    async fn delete_data(&self, person: Person, later: TimeDelta) -> FacebookDeletion {
        let issued_at = self.bench.parts.clock.now() + later;
        let form = self.facebook.deletion_of(person, issued_at);
        let (_, signed_request) = form.split_once('=').expect("a field");
        let code = self.ask_to_delete(signed_request).await.expect("deletes");
        assert!(code.chars().all(|c| c.is_ascii_alphanumeric()), "{code}");
        self.deletion(&code).await.expect("told")
    }

    async fn ask_to_delete(&self, signed_request: &str) -> Result<String, Fault> {
        let request = calls::guest(DeleteFacebookDataRequest {
            signed_request: signed_request.to_owned(),
        });
        let deleted = self.bench.facebook.clone().delete_data(request).await?;
        Ok(deleted.into_inner().confirmation_code)
    }

    async fn deletion(&self, code: &str) -> Result<FacebookDeletion, Fault> {
        let request = calls::guest(GetFacebookDeletionRequest {
            confirmation_code: code.to_owned(),
        });
        let found = self.bench.facebook.clone().get_deletion(request).await?;
        Ok(found.into_inner())
    }

    async fn erase_in(&self, session: &SessionStarted) -> Result<(), Fault> {
        let request = EraseAccountRequest {
            current_password: String::new(),
            passkey: None,
            session_token: session.session_token.clone(),
        };
        let request = calls::reader(session.profile_id, request);
        let departures = &self.bench.departures;
        departures.clone().erase_account(request).await?;
        Ok(())
    }
}

fn logged_in(completed: CompleteFacebookLoginResponse) -> SessionStarted {
    assert_eq!(completed.outcome(), Outcome::LoggedIn);
    assert_eq!(completed.page, PAGE);
    let session = completed.entry.and_then(|entry| entry.session);
    session.expect("a session")
}

#[tokio::test]
async fn a_person_gets_an_account_and_the_same_one_again_by_redirect_and_by_token() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await);
    let profile = site.profile(ada.profile_id).await;
    assert_eq!(profile.full_name, "Ada King");
    assert!(profile.is_without_password);
    assert!(!profile.email_verified, "Facebook does not vouch for it");
    let letter = site.bench.letter("ada@example.com", "Confirm your email");
    assert!(letter.await.contains("/accounts/confirm-email#"));

    site.bench.parts.clock.advance(TimeDelta::days(1));
    // Under another name and address by now.
    let renamed = Person {
        name: "Ada Lovelace",
        email: None,
        ..ADA
    };
    let again = logged_in(site.by_redirect(renamed).await);
    let by_token = site.by_token(renamed).await.expect("logs in");
    for session in [&again, &by_token] {
        assert_eq!(session.profile_id, ada.profile_id);
        let found = site.bench.authenticate(&session.session_token).await;
        assert_eq!(found.ok(), Some(ada.profile_id));
    }
    let profile = site.profile(ada.profile_id).await;
    assert_eq!(profile.full_name, "Ada King", "the reader's own by now");
    assert_eq!(site.number(ACCOUNTS).await, 1);
}

#[tokio::test]
async fn parallel_log_ins_of_a_person_make_one_account() {
    let site = Site::new().await;
    let entered = join_all((0..100).map(|_| site.by_token(ADA))).await;
    let mut readers = Vec::new();
    for outcome in entered {
        match outcome {
            Ok(session) => readers.push(session.profile_id),
            // Only 32 people may wait for Facebook at a time.
            Err(fault) => assert_eq!(fault.code, Code::Unavailable, "{fault:?}"),
        }
    }
    assert!(readers.len() > 10, "{}", readers.len());
    assert!(readers.iter().all(|reader| *reader == readers[0]));
    assert_eq!(site.number(ACCOUNTS).await, 1);
    assert_eq!(site.number(CONNECTIONS).await, 1);
}

#[tokio::test]
async fn a_log_in_is_its_browsers_alone_and_good_once_for_ten_minutes() {
    let site = Site::new().await;
    let back = site.facebook.log_in(&site.begin(None).await, ADA);
    for browser in ["", "a secret of another browser"] {
        let foreign = site.complete_in(browser, None, &back).await;
        assert_eq!(foreign.outcome(), Outcome::Unspecified);
        assert_eq!(foreign.page, "");
    }
    assert_eq!(site.facebook.calls(), 0);
    logged_in(site.complete(&back).await);
    let calls = site.facebook.calls();
    let repeated = site.complete(&back).await;
    assert_eq!(repeated.outcome(), Outcome::Unspecified);
    assert_eq!(repeated.page, PAGE, "it leads where it led before");
    assert!(repeated.entry.is_none());
    assert_eq!(site.facebook.calls(), calls, "Facebook is not asked again");

    let late = site.facebook.log_in(&site.begin(None).await, ADA);
    site.bench.parts.clock.advance(TimeDelta::minutes(10));
    let late = site.complete(&late).await;
    assert_eq!(late.outcome(), Outcome::Unspecified);
    let sessions = "SELECT count(*) FROM identity.sessions";
    assert_eq!(site.number(sessions).await, 1);
}

#[tokio::test]
async fn log_ins_that_strangers_begin_or_fail_leave_nothing() {
    let site = Site::new().await;
    let cancelled = site.facebook.cancel(&site.begin(None).await);
    let cancelled = site.complete(&cancelled).await;
    assert_eq!(cancelled.outcome(), Outcome::Cancelled);
    assert_eq!(cancelled.page, PAGE);

    let without = site.by_redirect(Person { email: None, ..ADA }).await;
    assert_eq!(without.outcome(), Outcome::NoAddress);
    let token = site.facebook.token(Person { email: None, ..ADA });
    let refused = site.by_token_of(&token, ADA.id).await.expect_err("refused");
    assert_eq!(refusal(&refused), "non_field_errors");

    // A code of somebody else's log-in.
    let [first, second] = [site.begin(None).await, site.begin(None).await];
    let theirs = site.facebook.log_in(&first, BOB);
    let mine = site.facebook.log_in(&second, ADA);
    let (_, code) = theirs.rsplit_once("code=").expect("a code");
    let (mine, _) = mine.rsplit_once("code=").expect("a code");
    let mixed = site.complete(&format!("{mine}code={code}")).await;
    assert_eq!(mixed.outcome(), Outcome::Failed);

    site.facebook.fail_with(Some(503));
    assert_eq!(site.by_redirect(ADA).await.outcome(), Outcome::Failed);
    let away = site.by_token(ADA).await.expect_err("away");
    assert_eq!(away.code, Code::Unavailable);
    for table in [
        ACCOUNTS,
        CONNECTIONS,
        "SELECT count(*) FROM identity.used_ceremonies",
        "SELECT count(*) FROM identity.jobs",
    ] {
        assert_eq!(site.number(table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_log_in_whose_answer_did_not_come_succeeds_when_it_is_tried_again() {
    let site = Site::new().await;
    let back = site.facebook.log_in(&site.begin(None).await, ADA);
    site.facebook.fail_with(Some(500));
    assert_eq!(site.complete(&back).await.outcome(), Outcome::Failed);
    site.facebook.fail_with(None);
    logged_in(site.complete(&back).await);
}

#[tokio::test]
async fn a_token_counts_if_it_is_ours_valid_and_the_persons() {
    let site = Site::new().await;
    let ours = site.facebook.token(ADA);
    let long = "t".repeat(2_001);
    for (token, user_id) in [
        (site.facebook.token_of_app("1", ADA).as_str(), ADA.id),
        (ours.as_str(), BOB.id),
        (ours.as_str(), ""),
        (ours.as_str(), "me"),
        ("", ADA.id),
        ("nonsense", ADA.id),
        (long.as_str(), ADA.id),
    ] {
        let refused = site.by_token_of(token, user_id).await.expect_err(token);
        assert_eq!(refusal(&refused), "fb_token", "{token} {user_id}");
    }
    assert_eq!(site.number(ACCOUNTS).await, 0);
    site.by_token_of(&ours, ADA.id).await.expect("logs in");
    site.facebook.expire_tokens();
    let expired = site.by_token_of(&ours, ADA.id).await;
    assert_eq!(refusal(&expired.expect_err("expired")), "fb_token");
}

#[tokio::test]
async fn a_known_address_is_never_linked_until_its_reader_connects_it() {
    let site = Site::new().await;
    let ada = site.bench.register("Ada@Example.com").await;
    let ada = ada.expect("registers");
    let known = site.by_redirect(ADA).await;
    assert_eq!(known.outcome(), Outcome::AddressTaken);
    assert_eq!(known.page, PAGE);
    let known = site.by_token(ADA).await.expect_err("known");
    assert_eq!(known.code, Code::Conflict);
    assert_eq!(site.number(CONNECTIONS).await, 0);

    assert_eq!(site.connect(&ada, ADA).await, Outcome::Connected);
    assert!(site.is_connected(ada.profile_id).await);
    let told = site
        .bench
        .letter("Ada@Example.com", "connected with Facebook");
    assert!(told.await.contains("disconnect Facebook"));
    let by_facebook = logged_in(site.by_redirect(ADA).await);
    assert_eq!(by_facebook.profile_id, ada.profile_id);
    let by_password = site.bench.sign_in("ada@example.com", PASSWORD).await;
    assert_eq!(by_password.expect("both").profile_id, ada.profile_id);
    // Once more is no error, and tells nobody.
    assert_eq!(site.connect(&ada, ADA).await, Outcome::Connected);
    assert_eq!(
        site.bench.acts().await,
        ["registered", "facebook-connected", "signed-in", "signed-in"]
    );
    assert_eq!(site.connect(&ada, BOB).await, Outcome::OtherAccount);
    let bob = site.bench.register("bob@example.com").await;
    let bob = bob.expect("registers");
    assert_eq!(site.connect(&bob, ADA).await, Outcome::OtherAccount);
    assert!(!site.is_connected(bob.profile_id).await);
    assert_eq!(site.number(CONNECTIONS).await, 1);
}

#[tokio::test]
async fn an_account_is_connected_for_the_reader_who_asked_alone() {
    let site = Site::new().await;
    let ada = site.bench.register("ada@example.com").await;
    let bob = site.bench.register("bob@example.com").await;
    let (ada, bob) = (ada.expect("registers"), bob.expect("registers"));
    let dialog = site.begin(Some(ada.profile_id)).await;
    let back = site.facebook.log_in(&dialog, ADA);
    for visitor in [None, Some(&bob)] {
        let foreign = site.complete_in(BROWSER, visitor, &back).await;
        assert_eq!(foreign.outcome(), Outcome::Unspecified);
    }
    assert_eq!(site.number(CONNECTIONS).await, 0);
    let hers = site.complete_in(BROWSER, Some(&ada), &back).await;
    assert_eq!(hers.outcome(), Outcome::Connected);
}

#[tokio::test]
async fn the_only_way_in_cannot_be_disconnected() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await).profile_id;
    let only = site.disconnect(ada).await.expect_err("the only one");
    assert_eq!(refusal(&only), "non_field_errors");
    assert!(site.is_connected(ada).await);

    let link = site.bench.reset_link("ada@example.com").await;
    let reset = site.bench.reset(&link, "another correct horse").await;
    reset.expect("sets a password");
    for _ in 0..2 {
        site.disconnect(ada).await.expect("a password is left");
    }
    assert!(!site.is_connected(ada).await);
    let acts = site.bench.acts().await;
    assert_eq!(
        acts.last().map(String::as_str),
        Some("facebook-disconnected")
    );
    let known = site.by_token(ADA).await.expect_err("no longer connected");
    assert_eq!(known.code, Code::Conflict);
}

#[tokio::test]
async fn a_disabled_account_is_closed_to_facebook_too() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await).profile_id;
    let request = calls::operator(SetDisabledRequest {
        id: ada,
        is_disabled: true,
    });
    let disabled = site.bench.accounts.clone().set_disabled(request).await;
    disabled.expect("disables");
    assert_eq!(site.by_redirect(ADA).await.outcome(), Outcome::Disabled);
    let refused = site.by_token(ADA).await.expect_err("disabled");
    assert!(refused.fields[0].message.contains("disabled"));
}

#[tokio::test]
async fn a_log_in_proves_for_five_minutes_who_erases_an_account() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await);
    let bob = site.bench.register("bob@example.com").await;
    let bob = bob.expect("registers");
    let refused = site.erase_in(&bob).await.expect_err("by a password");
    assert_eq!(refusal(&refused), "current_password");
    let foreign = SessionStarted {
        profile_id: bob.profile_id,
        ..ada.clone()
    };
    site.erase_in(&foreign)
        .await
        .expect_err("another's session");

    site.bench.parts.clock.advance(TimeDelta::minutes(5));
    site.erase_in(&ada).await.expect_err("too long ago");
    assert_eq!(site.connect(&ada, ADA).await, Outcome::Connected);
    site.erase_in(&ada).await.expect("just proven");
    assert_eq!(site.number(ACCOUNTS).await, 1);
    assert_eq!(site.number(CONNECTIONS).await, 0);
    let again = logged_in(site.by_redirect(ADA).await);
    assert_ne!(again.profile_id, ada.profile_id, "a new account");
}

#[tokio::test]
async fn facebook_has_data_deleted_and_whoever_asked_can_read_what_was_done() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await);
    let bob = site.bench.register("robert@example.com").await;
    let bob = bob.expect("registers");
    assert_eq!(site.connect(&bob, BOB).await, Outcome::Connected);

    for forged in ["", "a.b", "nonsense"] {
        let refused = site.ask_to_delete(forged).await.expect_err(forged);
        assert_eq!(refusal(&refused), "signed_request");
    }
    let before = site.delete_data(ADA, TimeDelta::seconds(-1)).await;
    assert_eq!(before.outcome, "nothing-stored", "connected after it");

    let hers = site.delete_data(ADA, TimeDelta::zero()).await;
    assert_eq!(hers.outcome, "account-erased");
    let gone = site.bench.authenticate(&ada.session_token).await;
    assert_eq!(gone.expect_err("gone").code, Code::NotAuthenticated);
    let his = site.delete_data(BOB, TimeDelta::zero()).await;
    assert_eq!(his.outcome, "disconnected");
    assert!(!site.is_connected(bob.profile_id).await);
    let again = site.delete_data(BOB, TimeDelta::zero()).await;
    assert_eq!(again.outcome, "nothing-stored");
    let erasures = "SELECT count(*) FROM identity.erasures";
    assert_eq!(site.number(erasures).await, 1);

    let form = site.facebook.deletion_of(BOB, site.bench.parts.clock.now());
    let (_, signed_request) = form.split_once('=').expect("a field");
    let code = site.ask_to_delete(signed_request).await.expect("deletes");
    site.bench.parts.clock.advance(TimeDelta::days(30));
    let old = site.deletion(&code).await.expect_err("too old");
    assert_eq!(old.code, Code::NotFound);
    site.bench.replica().await;
    until("old outcomes are deleted", async || {
        let left = "SELECT count(*) FROM identity.facebook_deletions";
        (site.number(left).await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn those_who_wait_for_a_silent_facebook_are_few_and_others_are_told_at_once() {
    let site = Site::new().await;
    let token = site.facebook.token(ADA);
    site.facebook.fall_silent();
    let waiting = join_all((0..32).map(|_| site.by_token_of(&token, ADA.id)));
    let others = async {
        until("all places are taken", async || {
            (site.facebook.calls() == 32).then_some(())
        })
        .await;
        for _ in 0..10 {
            let refused = site.by_token_of(&token, ADA.id).await;
            assert_eq!(refused.expect_err("full").code, Code::Unavailable);
        }
        assert_eq!(site.facebook.calls(), 32, "nobody else has asked");
    };
    let (waited, ()) = tokio::join!(waiting, others);
    for outcome in waited {
        let fault = outcome.expect_err("no answer");
        assert_eq!(fault.code, Code::Unavailable);
    }
}

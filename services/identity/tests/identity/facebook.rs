//! Logging in with Facebook, against a stand-in for its servers.

mod site;

use chassis::{
    clock::Clock,
    error::{Code, Fault},
};
use chrono::TimeDelta;
use futures::future::join_all;
use identity_proto::v1::{
    FacebookTokenRequest, SessionStarted, SetDisabledRequest,
    complete_facebook_login_response::Outcome,
};
use testkit::{calls, facebook::Person, until, within_hours};

use self::site::{BROWSER, PAGE, Site, logged_in};
use crate::fixture::{PASSWORD, refusal, secret};

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
const ACCOUNTS: &str = "SELECT count(*) FROM identity.profiles";
const CONNECTIONS: &str = "SELECT count(*) FROM identity.facebook_links";

#[tokio::test]
async fn a_person_gets_an_account_and_the_same_one_again_by_redirect_and_by_token() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await);
    let profile = site.profile(ada.profile_id).await;
    assert_eq!(profile.full_name, "Ada King");
    assert!(profile.is_without_password);
    assert!(!profile.email_verified, "Facebook does not vouch for it");
    let letter = site.fixture.letter("ada@example.com", "Confirm your email");
    assert!(letter.await.contains("/accounts/confirm-email#"));

    site.fixture.parts.clock.advance(TimeDelta::days(1));
    // The person has changed name and address at Facebook.
    let renamed = Person {
        name: "Ada Lovelace",
        email: None,
        ..ADA
    };
    let again = logged_in(site.by_redirect(renamed).await);
    let by_token = site.by_token(renamed).await.expect("logs in");
    for session in [&again, &by_token] {
        assert_eq!(session.profile_id, ada.profile_id);
        let found = site.fixture.authenticate(&session.session_token).await;
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
    site.fixture.parts.clock.advance(TimeDelta::minutes(10));
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

    // A code from another person's log-in.
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
    let ada = site.fixture.register("Ada@Example.com").await;
    let ada = ada.expect("registers");
    let known = site.by_redirect(ADA).await;
    assert_eq!(known.outcome(), Outcome::AddressTaken);
    assert_eq!(known.page, PAGE);
    let known = site.by_token(ADA).await.expect_err("known");
    assert_eq!(known.code, Code::Conflict);
    assert_eq!(site.number(CONNECTIONS).await, 0);

    assert_eq!(site.connect(&ada, ADA).await, Outcome::Connected);
    assert!(site.is_connected(ada.profile_id).await);
    let letter = site
        .fixture
        .letter("Ada@Example.com", "connected with Facebook");
    assert!(letter.await.contains("disconnect Facebook"));
    let by_facebook = logged_in(site.by_redirect(ADA).await);
    assert_eq!(by_facebook.profile_id, ada.profile_id);
    let by_password = site.fixture.sign_in("ada@example.com", PASSWORD).await;
    assert_eq!(by_password.expect("both").profile_id, ada.profile_id);
    // Connecting again is not an error and sends no email.
    assert_eq!(site.connect(&ada, ADA).await, Outcome::Connected);
    assert_eq!(
        site.fixture.acts().await,
        ["registered", "facebook-connected", "signed-in", "signed-in"]
    );
    assert_eq!(site.connect(&ada, BOB).await, Outcome::OtherAccount);
    let bob = site.fixture.register("bob@example.com").await;
    let bob = bob.expect("registers");
    assert_eq!(site.connect(&bob, ADA).await, Outcome::OtherAccount);
    assert!(!site.is_connected(bob.profile_id).await);
    assert_eq!(site.number(CONNECTIONS).await, 1);
}

#[tokio::test]
async fn an_account_is_connected_for_the_reader_who_asked_alone() {
    let site = Site::new().await;
    let ada = site.fixture.register("ada@example.com").await;
    let bob = site.fixture.register("bob@example.com").await;
    let (ada, bob) = (ada.expect("registers"), bob.expect("registers"));
    let dialog = site.begin(Some(&ada)).await;
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
async fn a_new_connection_requires_a_fresh_proof_and_a_known_one_is_a_proof() {
    let site = Site::new().await;
    let ada = site.fixture.register("ada@example.com").await;
    let ada = ada.expect("registers");
    let early = site.begin(Some(&ada)).await;
    site.fixture.parts.clock.advance(TimeDelta::minutes(5));
    let refused = site.try_to_begin(Some(&ada)).await.expect_err("refused");
    assert_eq!(refused.code, Code::FreshProofRequired);
    let back = site.facebook.log_in(&early, ADA);
    let late = site.complete_in(BROWSER, Some(&ada), &back).await;
    assert_eq!(late.outcome(), Outcome::Unproven);
    let request = FacebookTokenRequest {
        token: site.facebook.token(ADA),
        user_id: ADA.id.to_owned(),
        device: "test".to_owned(),
        session_token: ada.session_token.clone(),
    };
    let request = calls::reader(ada.profile_id, request);
    let by_token = site
        .fixture
        .facebook
        .clone()
        .login_with_token(request)
        .await;
    assert_eq!(
        Fault::from(by_token.expect_err("refused")).code,
        Code::FreshProofRequired
    );
    assert!(!site.is_connected(ada.profile_id).await);

    let again = site.fixture.sign_in("ada@example.com", PASSWORD).await;
    let again = again.expect("signs in");
    assert_eq!(site.connect(&again, ADA).await, Outcome::Connected);
    site.fixture.parts.clock.advance(TimeDelta::minutes(5));
    let old = site.fixture.require_proof(&again).await;
    assert_eq!(old, Err(Code::FreshProofRequired));
    assert_eq!(site.connect(&again, ADA).await, Outcome::Connected);
    assert_eq!(site.fixture.require_proof(&again).await, Ok(()));
}

#[tokio::test]
async fn the_only_way_in_cannot_be_disconnected() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await).profile_id;
    let only = site.disconnect(ada).await.expect_err("the only one");
    assert_eq!(refusal(&only), "non_field_errors");
    assert!(site.is_connected(ada).await);

    // Confirms the address, because resetting the password of an unconfirmed account would end the connection.
    let confirming = site.fixture.letter("ada@example.com", "Confirm your email");
    let confirmed = site.fixture.confirm(&secret(&confirming.await)).await;
    confirmed.expect("confirms");
    let link = site.fixture.reset_link("ada@example.com").await;
    let reset = site.fixture.reset(&link, "another correct horse").await;
    reset.expect("sets a password");
    for _ in 0..2 {
        site.disconnect(ada).await.expect("a password is left");
    }
    assert!(!site.is_connected(ada).await);
    until("Facebook is notified", async || {
        (site.facebook.disconnected() == [ADA.id]).then_some(())
    })
    .await;
    let acts = site.fixture.acts().await;
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
    let disabled = site.fixture.accounts.clone().set_disabled(request).await;
    disabled.expect("disables");
    assert_eq!(site.by_redirect(ADA).await.outcome(), Outcome::Disabled);
    let refused = site.by_token(ADA).await.expect_err("disabled");
    assert!(refused.fields[0].message.contains("disabled"));
}

#[tokio::test]
async fn a_log_in_proves_for_five_minutes_who_erases_an_account() {
    let site = Site::new().await;
    let ada = logged_in(site.by_redirect(ADA).await);
    let bob = site.fixture.register("bob@example.com").await;
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

    site.fixture.parts.clock.advance(TimeDelta::minutes(5));
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
    let bob = site.fixture.register("robert@example.com").await;
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
    let gone = site.fixture.authenticate(&ada.session_token).await;
    assert_eq!(gone.expect_err("gone").code, Code::NotAuthenticated);
    let his = site.delete_data(BOB, TimeDelta::zero()).await;
    assert_eq!(his.outcome, "disconnected");
    assert!(!site.is_connected(bob.profile_id).await);
    let again = site.delete_data(BOB, TimeDelta::zero()).await;
    assert_eq!(again.outcome, "nothing-stored");
    let erasures = "SELECT count(*) FROM identity.erasures";
    assert_eq!(site.number(erasures).await, 1);

    let form = site
        .facebook
        .deletion_of(BOB, site.fixture.parts.clock.now());
    let (_, signed_request) = form.split_once('=').expect("a field");
    let code = site.ask_to_delete(signed_request).await.expect("deletes");
    site.fixture.parts.clock.advance(TimeDelta::days(30));
    let old = site.deletion(&code).await.expect_err("too old");
    assert_eq!(old.code, Code::NotFound);
    within_hours("old outcomes are deleted", async || {
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

//! Confirming an address, and changing it.

use chassis::{error::Fault, postgres::lock_until_commit};
use chrono::TimeDelta;
use identity_proto::v1::{
    AccessChoice, ChangeProfileRequest, ConfirmEmailRequest, ConfirmEmailResponse,
    GetProfileRequest, Profile, RequestPasswordResetRequest, ResetPasswordRequest,
    SendEmailConfirmationRequest,
};
use sqlx::Connection;
use testkit::{calls, until};

use crate::fixture::{Fixture, PASSWORD, fields, secret};

const ADA: &str = "ada@example.com";
const NEW: &str = "ada@example.org";

impl Fixture {
    /// Confirms an address as its owner, who keeps the account's sign-in methods.
    pub(crate) async fn confirm(&self, token: &str) -> Result<String, Fault> {
        let kept = self.open_link(None, token, AccessChoice::Keep).await?;
        assert!(kept.is_confirmed);
        Ok(kept.email)
    }

    /// Opens a confirmation link in a browser, signed in as `reader` or not.
    pub(crate) async fn open_link(
        &self,
        reader: Option<i64>,
        token: &str,
        choice: AccessChoice,
    ) -> Result<ConfirmEmailResponse, Fault> {
        let request = ConfirmEmailRequest {
            token: token.to_owned(),
            choice: choice.into(),
        };
        let request = match reader {
            Some(reader) => calls::reader(reader, request),
            None => calls::guest(request),
        };
        let answer = self.client.clone().confirm_email(request).await?;
        Ok(answer.into_inner())
    }

    pub(crate) async fn change(
        &self,
        profile_id: i64,
        (full_name, email): (Option<&str>, Option<&str>),
    ) -> Result<Profile, Fault> {
        let request = ChangeProfileRequest {
            full_name: full_name.map(ToOwned::to_owned),
            email: email.map(ToOwned::to_owned),
            calendar_sync: None,
        };
        let request = calls::reader(profile_id, request);
        let answer = self.client.clone().change_profile(request).await?;
        Ok(answer.into_inner())
    }

    pub(crate) async fn profile(&self, profile_id: i64) -> Profile {
        let request = calls::reader(profile_id, GetProfileRequest {});
        let answer = self.client.clone().get_profile(request).await;
        answer.expect("answers").into_inner()
    }

    async fn resend(&self, profile_id: i64) {
        let request = calls::reader(profile_id, SendEmailConfirmationRequest {});
        let sent = self.client.clone().send_email_confirmation(request).await;
        sent.expect("sends");
    }
}

#[tokio::test]
async fn the_link_that_a_sign_up_mails_confirms_the_address_once() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    let token = secret(&fixture.letter(ADA, "Confirm").await);
    assert_eq!(fixture.confirm(&token).await.as_deref(), Ok(ADA));
    assert!(fixture.profile(id).await.email_verified);
    let again = fixture.confirm(&token).await.expect_err("used");
    assert_eq!(fields(&again), ["token"]);
    let before = fixture.letters_in_all().await;
    fixture.resend(id).await;
    assert_eq!(
        fixture.letters_in_all().await,
        before,
        "nothing is left to confirm"
    );
}

#[tokio::test]
async fn a_link_that_is_sent_again_and_the_first_work_for_three_days() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    fixture.resend(id).await;
    assert_eq!(fixture.letters_in_all().await, 2);
    let letters = fixture.parts.letters();
    let tokens: Vec<_> = letters.iter().map(|letter| secret(letter)).collect();
    assert_ne!(tokens[0], tokens[1]);
    let almost = TimeDelta::days(3) - TimeDelta::seconds(1);
    fixture.parts.clock.advance(almost);
    for token in &tokens {
        assert_eq!(fixture.confirm(token).await.as_deref(), Ok(ADA));
    }
}

#[tokio::test]
async fn an_account_has_at_most_twelve_links_of_a_kind() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    for _ in 0..13 {
        fixture.parts.clock.advance(TimeDelta::seconds(1));
        fixture.resend(id).await;
    }
    let links = "SELECT count(*) FROM identity.mailed_links";
    assert_eq!(fixture.parts.database.number(links).await, 12);
}

#[tokio::test]
async fn a_new_address_waits_for_its_link_and_the_old_one_is_told() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    let changed = fixture
        .change(id, (None, Some(NEW)))
        .await
        .expect("changes");
    assert_eq!(
        (changed.email.as_str(), changed.pending_email.as_str()),
        (ADA, NEW)
    );
    let letter = fixture.letter(ADA, "about to change").await;
    assert!(letter.contains(NEW), "{letter}");
    fixture.sign_in(NEW, PASSWORD).await.expect_err("not yet");
    let token = secret(&fixture.letter(NEW, "Confirm").await);
    assert_eq!(fixture.confirm(&token).await.as_deref(), Ok(NEW));
    let profile = fixture.profile(id).await;
    assert_eq!(
        (profile.email.as_str(), profile.pending_email.as_str()),
        (NEW, "")
    );
    assert!(profile.email_verified);
    fixture.sign_in(NEW, PASSWORD).await.expect("signs in");
    fixture.sign_in(ADA, PASSWORD).await.expect_err("no longer");
    fixture
        .register(ADA)
        .await
        .expect("the old address is free");
}

#[tokio::test]
async fn going_back_to_the_own_address_gives_the_change_up() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    fixture
        .change(id, (None, Some(NEW)))
        .await
        .expect("changes");
    let token = secret(&fixture.letter(NEW, "Confirm").await);
    let back = fixture.change(id, (None, Some("Ada@Example.com"))).await;
    let back = back.expect("changes");
    assert_eq!(
        (back.email.as_str(), back.pending_email.as_str()),
        ("Ada@Example.com", "")
    );
    assert_eq!(
        fields(&fixture.confirm(&token).await.expect_err("given up")),
        ["token"]
    );
}

#[tokio::test]
async fn a_taken_address_is_not_revealed_but_to_its_owner() {
    let fixture = Fixture::new().await;
    fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    let changed = fixture.change(id, (None, Some("bob@example.com"))).await;
    assert_eq!(
        changed.expect("the same answer").pending_email,
        "bob@example.com"
    );
    fixture
        .letter("bob@example.com", "already have an account")
        .await;
    let before = fixture.letters_in_all().await;
    fixture.resend(id).await;
    assert_eq!(fixture.letters_in_all().await, before + 1);
    let links = "SELECT count(*) FROM identity.mailed_links WHERE email = 'bob@example.com' AND profile_id = 2";
    assert_eq!(fixture.parts.database.number(links).await, 0);
}

#[tokio::test]
async fn an_address_that_was_taken_meanwhile_stays_its_first_owners() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    fixture
        .change(id, (None, Some(NEW)))
        .await
        .expect("changes");
    let token = secret(&fixture.letter(NEW, "Confirm").await);
    fixture.register(NEW).await.expect("it is nobody's yet");
    drop_constraint(&fixture).await;
    let refused = fixture.confirm(&token).await.expect_err("taken");
    assert_eq!(fields(&refused), ["email"]);
    assert_eq!(fixture.profile(id).await.email, ADA);
}

#[tokio::test]
async fn a_confirmation_waits_for_another_account_that_gets_the_address() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    let changed = fixture.change(id, (None, Some(NEW))).await;
    changed.expect("changes");
    let token = secret(&fixture.letter(NEW, "Confirm").await);
    fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    drop_constraint(&fixture).await;
    let mut connection = fixture.parts.database.connection().await;
    let mut other = connection.begin().await.expect("begins");
    lock_until_commit(&mut other, &format!("identity.address.{NEW}"))
        .await
        .expect("locks");
    let meanwhile = async {
        let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        until("the confirmation waits", async || {
            (fixture.parts.database.number(waiting).await >= 1).then_some(())
        })
        .await;
        let take =
            "UPDATE identity.profiles SET email_key = $1 WHERE email_key = 'bob@example.com'";
        let take = sqlx::query(take).bind(NEW).execute(&mut *other).await;
        assert_eq!(take.expect("updates").rows_affected(), 1);
        other.commit().await.expect("commits");
    };
    let (refused, ()) = tokio::join!(fixture.confirm(&token), meanwhile);
    assert_eq!(fields(&refused.expect_err("taken")), ["email"]);
}

/// Drops the unique constraint on addresses. No statement may depend on it, because PostgreSQL logs the address of a
/// violation.
async fn drop_constraint(fixture: &Fixture) {
    let drop = "ALTER TABLE identity.profiles DROP CONSTRAINT profiles_email_key_key";
    let mut connection = fixture.parts.database.connection().await;
    sqlx::query(drop)
        .execute(&mut connection)
        .await
        .expect("a constraint of this name");
}

#[tokio::test]
async fn a_name_changes_alone_and_what_breaks_a_rule_changes_nothing() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    let changed = fixture.change(id, (Some(" Ada  Lovelace "), None)).await;
    let changed = changed.expect("changes");
    assert_eq!(
        (changed.full_name.as_str(), changed.email.as_str()),
        ("Ada Lovelace", ADA)
    );
    let refused = fixture.change(id, (Some("\n"), Some("nobody"))).await;
    assert_eq!(
        fields(&refused.expect_err("refused")),
        ["email", "full_name"]
    );
    let refused = fixture.change(id, (Some("Countess"), Some("nobody"))).await;
    assert_eq!(fields(&refused.expect_err("refused")), ["email"]);
    assert_eq!(fixture.profile(id).await.full_name, "Ada Lovelace");
}

#[tokio::test]
async fn a_reset_password_proves_the_address_and_stops_a_change_of_it() {
    let fixture = Fixture::new().await;
    let id = fixture.register(ADA).await.expect("registers").profile_id;
    fixture
        .change(id, (None, Some(NEW)))
        .await
        .expect("changes");
    let confirming = secret(&fixture.letter(NEW, "Confirm").await);
    let mut client = fixture.client.clone();
    let email = ADA.to_owned();
    let asked = client.request_password_reset(calls::guest(RequestPasswordResetRequest { email }));
    asked.await.expect("taken");
    let token = secret(&fixture.letter(ADA, "Set a new password").await);
    let new_password = "a streetcar in October".to_owned();
    let reset = ResetPasswordRequest {
        token,
        new_password,
    };
    client
        .reset_password(calls::guest(reset))
        .await
        .expect("resets");
    let profile = fixture.profile(id).await;
    assert!(profile.email_verified && profile.pending_email.is_empty());
    assert_eq!(
        fields(&fixture.confirm(&confirming).await.expect_err("stopped")),
        ["token"]
    );
}

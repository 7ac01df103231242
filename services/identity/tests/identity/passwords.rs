//! Changing a password, and setting a new one by a mailed link.

use argon2::{Algorithm, Argon2, Params, Version, password_hash::PasswordHasher as _};
use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use identity_proto::v1::{
    ChangePasswordRequest, CheckResetLinkRequest, RegisterRequest, RequestPasswordResetRequest,
    ResetPasswordRequest, ResetPasswordResponse,
};
use testkit::{calls, until};

use crate::fixture::{Fixture, PASSWORD, fields, registration, secret};

const NEW: &str = "a streetcar in October";

impl Fixture {
    pub(crate) async fn change_password(
        &self,
        profile_id: i64,
        own: &str,
        (current, new): (&str, &str),
    ) -> Result<(), Fault> {
        let request = ChangePasswordRequest {
            current_password: current.to_owned(),
            new_password: new.to_owned(),
            session_token: own.to_owned(),
        };
        let request = calls::reader(profile_id, request);
        self.client.clone().change_password(request).await?;
        Ok(())
    }

    async fn ask_to_reset(&self, email: &str) -> Result<(), Fault> {
        let email = email.to_owned();
        let request = calls::guest(RequestPasswordResetRequest { email });
        self.client.clone().request_password_reset(request).await?;
        Ok(())
    }

    pub(crate) async fn reset(&self, token: &str, new_password: &str) -> Result<String, Fault> {
        Ok(self.reset_by(token, new_password).await?.email)
    }

    pub(crate) async fn reset_by(
        &self,
        token: &str,
        new_password: &str,
    ) -> Result<ResetPasswordResponse, Fault> {
        self.reset_as(None, token, new_password).await
    }

    pub(crate) async fn reset_as(
        &self,
        reader: Option<i64>,
        token: &str,
        new_password: &str,
    ) -> Result<ResetPasswordResponse, Fault> {
        let request = ResetPasswordRequest {
            token: token.to_owned(),
            new_password: new_password.to_owned(),
        };
        let request = match reader {
            Some(reader) => calls::reader(reader, request),
            None => calls::guest(request),
        };
        let answer = self.client.clone().reset_password(request).await?;
        Ok(answer.into_inner())
    }

    /// The secret of the link that is mailed for a new password.
    pub(crate) async fn reset_link(&self, email: &str) -> String {
        self.ask_to_reset(email).await.expect("taken");
        secret(&self.letter(email, "Set a new password").await)
    }
}

#[tokio::test]
async fn a_new_password_ends_other_sessions_and_not_the_one_that_changed_it() {
    let fixture = Fixture::new().await;
    let own = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let other = fixture.sign_in("ada@example.com", PASSWORD).await;
    let other = other.expect("signs in").session_token;
    fixture.authenticate(&other).await.expect("is cached");
    fixture
        .change_password(own.profile_id, &own.session_token, (PASSWORD, NEW))
        .await
        .expect("changes");
    let refused = fixture.authenticate(&other).await.expect_err("ended");
    assert_eq!(refused.code, Code::NotAuthenticated);
    fixture
        .authenticate(&own.session_token)
        .await
        .expect("goes on");
    fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect_err("the old one");
    fixture
        .sign_in("ada@example.com", NEW)
        .await
        .expect("the new one");
    let letter = fixture.letter("ada@example.com", "was changed").await;
    assert!(
        letter.contains("https://guide.test/accounts/reset-password"),
        "{letter}"
    );
}

#[tokio::test]
async fn a_change_that_breaks_a_rule_names_every_field_and_changes_nothing() {
    let fixture = Fixture::new().await;
    let own = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    for (pair, expected) in [
        (("", ""), vec!["current_password", "new_password"]),
        (
            ("wrong horse", "short"),
            vec!["current_password", "new_password"],
        ),
        ((PASSWORD, "ada@example.com"), vec!["new_password"]),
        ((PASSWORD, "qwertyuiop12"), vec!["new_password"]),
        (("wrong horse", NEW), vec!["current_password"]),
    ] {
        let change = fixture.change_password(own.profile_id, &own.session_token, pair);
        let refused = change.await.expect_err("refused");
        assert_eq!(refused.code, Code::Invalid);
        assert_eq!(fields(&refused), expected, "{pair:?}");
    }
    fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("as before");
}

#[tokio::test]
async fn a_mailed_link_sets_a_new_password_once_and_signs_everyone_out() {
    let fixture = Fixture::new().await;
    let session = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let token = fixture.reset_link("ada@example.com").await;
    let weak = fixture.reset(&token, "short").await.expect_err("refused");
    assert_eq!(fields(&weak), ["new_password"]);
    let email = fixture.reset(&token, NEW).await;
    assert_eq!(email.as_deref(), Ok("ada@example.com"));
    let refused = fixture.authenticate(&session.session_token).await;
    assert_eq!(refused.expect_err("ended").code, Code::NotAuthenticated);
    fixture
        .sign_in("ada@example.com", NEW)
        .await
        .expect("the new one");
    let again = fixture
        .reset(&token, "another streetcar")
        .await
        .expect_err("used");
    assert_eq!(fields(&again), ["token"]);
    fixture
        .sign_in("ada@example.com", NEW)
        .await
        .expect("still the new one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_ten_parallel_uses_of_a_link_one_counts() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let token = fixture.reset_link("ada@example.com").await;
    let tries = (0..10).map(|_| fixture.reset(&token, NEW));
    let answers = futures::future::join_all(tries).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
}

#[tokio::test]
async fn a_link_works_for_an_hour_and_no_longer() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let token = fixture.reset_link("ada@example.com").await;
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let late = fixture.reset(&token, NEW).await.expect_err("too late");
    assert_eq!(fields(&late), ["token"]);
    fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("as before");
}

#[tokio::test]
async fn what_was_never_mailed_is_no_link() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let confirming = secret(&fixture.letter("ada@example.com", "Confirm").await);
    for token in ["", "nonsense", "\0", &"x".repeat(10_000), &confirming] {
        let refused = fixture.reset(token, NEW).await.expect_err("refused");
        assert_eq!(fields(&refused), ["token"], "{token:?}");
    }
}

#[tokio::test]
async fn an_unknown_address_gets_the_same_answer_and_no_mail() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let before = fixture.letters_in_all().await;
    fixture
        .ask_to_reset("bob@example.com")
        .await
        .expect("taken");
    assert_eq!(fixture.letters_in_all().await, before);
    // For every spelling of the address, the mail goes to the account's stored address.
    fixture
        .ask_to_reset(" ADA@Example.com ")
        .await
        .expect("taken");
    fixture
        .letter("ada@example.com", "Set a new password")
        .await;
    assert_eq!(fixture.letters_in_all().await, before + 1);
    for email in ["", "nobody", "a@b.ca\r\nBcc: x@y.z"] {
        let refused = fixture.ask_to_reset(email).await.expect_err("refused");
        assert_eq!(fields(&refused), ["email"], "{email:?}");
    }
}

#[tokio::test]
async fn a_flood_of_requests_mails_one_link_in_five_minutes() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let before = fixture.letters_in_all().await;
    for _ in 0..5 {
        fixture
            .ask_to_reset("ada@example.com")
            .await
            .expect("taken");
    }
    assert_eq!(fixture.letters_in_all().await, before + 1);
    let first = secret(
        &fixture
            .letter("ada@example.com", "Set a new password")
            .await,
    );
    fixture.parts.clock.advance(TimeDelta::minutes(5));
    fixture
        .ask_to_reset("ada@example.com")
        .await
        .expect("taken");
    assert_eq!(fixture.letters_in_all().await, before + 2);
    // Later requests do not invalidate the first link.
    fixture.parts.clock.advance(TimeDelta::minutes(50));
    for minute in 0..5 {
        fixture.parts.clock.advance(TimeDelta::minutes(minute % 2));
        fixture
            .ask_to_reset("ada@example.com")
            .await
            .expect("taken");
    }
    let links = "SELECT count(*) FROM identity.mailed_links WHERE purpose = 'reset-password'";
    until("the requests are handled", async || {
        let waiting = "SELECT count(*) FROM identity.jobs";
        (fixture.parts.database.number(waiting).await == 0).then_some(())
    })
    .await;
    assert_eq!(fixture.parts.database.number(links).await, 3);
    fixture.reset(&first, NEW).await.expect("still valid");
    assert_eq!(
        fixture.parts.database.number(links).await,
        0,
        "all are used up"
    );
}

#[tokio::test]
async fn a_link_is_checked_without_being_used() {
    let fixture = Fixture::new().await;
    let registered = fixture.register("ada@example.com").await;
    registered.expect("registers");
    let token = fixture.reset_link("ada@example.com").await;
    let check = async |token: &str| {
        let token = token.to_owned();
        let request = calls::guest(CheckResetLinkRequest { token });
        let checked = fixture.client.clone().check_reset_link(request).await;
        checked.expect("answers").into_inner().is_valid
    };
    for _ in 0..2 {
        assert!(check(&token).await);
    }
    fixture.reset(&token, NEW).await.expect("resets");
    for token in [token.as_str(), "another", ""] {
        assert!(!check(token).await, "{token}");
    }
}

#[tokio::test]
async fn a_changed_password_makes_a_link_that_was_mailed_before_useless() {
    let fixture = Fixture::new().await;
    let own = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let token = fixture.reset_link("ada@example.com").await;
    fixture
        .change_password(own.profile_id, &own.session_token, (PASSWORD, NEW))
        .await
        .expect("changes");
    let refused = fixture.reset(&token, "another streetcar").await;
    assert_eq!(fields(&refused.expect_err("useless")), ["token"]);
}

#[tokio::test]
async fn a_password_that_was_hashed_as_it_was_written_is_renewed_at_the_next_sign_in() {
    const COMPOSED: &str = "ma\u{f1}ana ma\u{f1}ana";
    const DECOMPOSED: &str = "man\u{303}ana man\u{303}ana";
    let fixture = Fixture::new().await;
    let registered = fixture.register("ada@example.com").await;
    registered.expect("registers");
    let hash = Argon2::default()
        .hash_password_with_salt(DECOMPOSED.as_bytes(), &[7; 16])
        .expect("hashes");
    let mut connection = fixture.parts.database.connection().await;
    let update = sqlx::query("UPDATE identity.profiles SET password_hash = $1");
    let update = update.bind(hash.to_string()).execute(&mut connection).await;
    update.expect("an earlier hash");
    let sign_in = async |password| fixture.sign_in("ada@example.com", password).await;
    sign_in(COMPOSED).await.expect_err("another hash");
    sign_in(DECOMPOSED).await.expect("signs in");
    sign_in(COMPOSED).await.expect("signs in");
}

#[tokio::test]
async fn a_hash_with_other_parameters_is_renewed_at_the_next_sign_in() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    // A hash of "correct horse" with weaker parameters: 8 MiB and one pass.
    let cheap = Params::new(8192, 1, 1, None).expect("parameters");
    let old = Argon2::new(Algorithm::Argon2id, Version::V0x13, cheap)
        .hash_password_with_salt(PASSWORD.as_bytes(), &[7; 16])
        .expect("hashes")
        .to_string();
    let mut connection = fixture.parts.database.connection().await;
    sqlx::query("UPDATE identity.profiles SET password_hash = $1")
        .bind(&old)
        .execute(&mut connection)
        .await
        .expect("an old hash");
    fixture
        .sign_in("ada@example.com", "wrong horse")
        .await
        .expect_err("refused");
    fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in");
    let renewed: String = sqlx::query_scalar("SELECT password_hash FROM identity.profiles")
        .fetch_one(&mut connection)
        .await
        .expect("one account");
    assert!(
        renewed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
        "{renewed}"
    );
    fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in again");
    let kept: String = sqlx::query_scalar("SELECT password_hash FROM identity.profiles")
        .fetch_one(&mut connection)
        .await
        .expect("one account");
    assert_eq!(kept, renewed);
}

#[tokio::test]
async fn a_sign_in_with_the_old_password_does_not_outlive_its_change() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let other = RegisterRequest {
        password: NEW.to_owned(),
        password_repeat: NEW.to_owned(),
        ..registration("grace@example.com")
    };
    fixture.register_with(other).await.expect("registers");
    let database = &fixture.parts.database;
    // An uncommitted password change, which ends the sessions visible to it.
    let mut change = database.connection().await;
    for statement in [
        "BEGIN",
        "UPDATE identity.profiles SET password_hash =
             (SELECT password_hash FROM identity.profiles WHERE email = 'grace@example.com')
         WHERE email = 'ada@example.com'",
        "DELETE FROM identity.sessions",
    ] {
        let done = sqlx::raw_sql(statement).execute(&mut change).await;
        done.expect("runs");
    }
    let late = async {
        let waiting = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'";
        until("the sign-in waits for the change", async || {
            (database.number(waiting).await == 1).then_some(())
        })
        .await;
        let done = sqlx::raw_sql("COMMIT").execute(&mut change).await;
        done.expect("commits");
    };
    let (refused, ()) = tokio::join!(fixture.sign_in("ada@example.com", PASSWORD), late);
    assert_eq!(refused.expect_err("the old one").code, Code::Invalid);
    let sessions = "SELECT count(*) FROM identity.sessions";
    assert_eq!(database.number(sessions).await, 0);
    let signed_in = fixture.sign_in("ada@example.com", NEW).await;
    signed_in.expect("the new one");
}

//! Signing up and signing in.

use chassis::error::Code;
use identity_proto::v1::{GetProfileRequest, RegisterRequest};
use testkit::calls;

use crate::fixture::{Fixture, PASSWORD, fields, registration};

#[tokio::test]
async fn a_new_account_has_a_session_and_a_profile() {
    let fixture = Fixture::new().await;
    let started = fixture
        .register(" Ada@Example.com ")
        .await
        .expect("registers");
    assert_eq!(
        fixture.authenticate(&started.session_token).await,
        Ok(started.profile_id)
    );
    let request = calls::reader(started.profile_id, GetProfileRequest {});
    let profile = fixture
        .client
        .clone()
        .get_profile(request)
        .await
        .expect("answers")
        .into_inner();
    assert_eq!(profile.id, started.profile_id);
    assert_eq!(
        (profile.full_name.as_str(), profile.email.as_str()),
        ("Ada King", "Ada@Example.com")
    );
    assert!(!profile.email_verified);
    assert!(profile.last_updates.is_empty());
    assert!(profile.date_created.is_some());
}

#[tokio::test]
async fn a_profile_is_only_its_readers() {
    let fixture = Fixture::new().await;
    let mut client = fixture.client.clone();
    for request in [
        calls::guest(GetProfileRequest {}),
        calls::operator(GetProfileRequest {}),
        calls::reader(4711, GetProfileRequest {}),
    ] {
        let refusal: chassis::error::Fault = client
            .get_profile(request)
            .await
            .expect_err("refused")
            .into();
        assert_eq!(refusal.code, Code::NotAuthenticated);
    }
}

#[tokio::test]
async fn a_taken_address_is_a_field_error_however_it_is_written() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    for email in ["ada@example.com", "ADA@Example.COM", " ada@example.com "] {
        let refusal = fixture.register(email).await.expect_err("refused");
        assert_eq!(refusal.code, Code::Invalid);
        assert_eq!(fields(&refusal), ["email"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_20_parallel_sign_ups_of_one_address_one_makes_the_account() {
    let fixture = Fixture::new().await;
    let tries = (0..20).map(|number| {
        let email = if number % 2 == 0 {
            "ada@example.com"
        } else {
            "Ada@Example.com"
        };
        fixture.register(email)
    });
    let (made, refused): (Vec<_>, Vec<_>) = futures::future::join_all(tries)
        .await
        .into_iter()
        .partition(Result::is_ok);
    assert_eq!(made.len(), 1);
    for refusal in refused {
        assert_eq!(fields(&refusal.expect_err("refused")), ["email"]);
    }
    let database = &fixture.parts.database;
    assert_eq!(
        database
            .number("SELECT count(*) FROM identity.profiles")
            .await,
        1
    );
    assert_eq!(
        database
            .number("SELECT count(*) FROM identity.sessions")
            .await,
        1
    );
}

#[tokio::test]
async fn a_sign_up_names_every_field_at_fault_and_makes_nothing() {
    let fixture = Fixture::new().await;
    let refusal = fixture
        .register_with(RegisterRequest::default())
        .await
        .expect_err("refused");
    assert_eq!(refusal.code, Code::Invalid);
    assert_eq!(fields(&refusal), ["email", "full_name", "password"]);
    let unlike = RegisterRequest {
        password_repeat: "correct horsf".to_owned(),
        ..registration("ada@example.com")
    };
    let refusal = fixture.register_with(unlike).await.expect_err("refused");
    assert_eq!(fields(&refusal), ["password_repeat"]);
    assert_eq!(
        fixture
            .parts
            .database
            .number("SELECT count(*) FROM identity.profiles")
            .await,
        0
    );
}

#[tokio::test]
async fn the_right_pair_starts_another_session_each_time() {
    let fixture = Fixture::new().await;
    let registered = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let first = fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in");
    let second = fixture
        .sign_in("ADA@example.com", PASSWORD)
        .await
        .expect("signs in");
    let tokens = [&registered, &first, &second].map(|started| started.session_token.as_str());
    for token in tokens {
        assert_eq!(fixture.authenticate(token).await, Ok(registered.profile_id));
    }
    assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2] && tokens[0] != tokens[2]);
}

#[tokio::test]
async fn nothing_tells_an_unknown_address_from_a_wrong_password() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let wrong = fixture
        .sign_in("ada@example.com", "incorrect horse")
        .await
        .expect_err("refused");
    assert_eq!(wrong.code, Code::Invalid);
    assert_eq!(fields(&wrong), ["non_field_errors"]);
    for email in [
        "bob@example.com",
        "no address",
        "a@b.ca\0",
        &"a".repeat(10_000),
    ] {
        let refusal = fixture.sign_in(email, PASSWORD).await.expect_err("refused");
        assert_eq!(refusal, wrong, "{email:?}");
    }
    let huge = fixture
        .sign_in("ada@example.com", &"x".repeat(10_000))
        .await
        .expect_err("refused");
    assert_eq!(huge, wrong);
}

#[tokio::test]
async fn an_empty_sign_in_names_the_empty_fields() {
    let fixture = Fixture::new().await;
    let refusal = fixture.sign_in("", "").await.expect_err("refused");
    assert_eq!(refusal.code, Code::Invalid);
    assert_eq!(fields(&refusal), ["email", "password"]);
    let refusal = fixture
        .sign_in("ada@example.com", "")
        .await
        .expect_err("refused");
    assert_eq!(fields(&refusal), ["password"]);
}

#[tokio::test]
async fn a_password_is_stored_as_an_argon2id_hash_alone() {
    let fixture = Fixture::new().await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let row: String = sqlx::query_scalar("SELECT to_jsonb(p)::text FROM identity.profiles p")
        .fetch_one(&mut fixture.parts.database.connection().await)
        .await
        .expect("one account");
    assert!(row.contains("$argon2id$v=19$m=19456,t=2,p=1$"), "{row}");
    assert!(!row.contains(PASSWORD), "{row}");
}

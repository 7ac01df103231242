//! Erasing accounts. Erasures in other services are tested with the whole system; here these services are unavailable.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use cityguide_proto::readers::v1::{ExportRequest, ExportResponse};
use identity_proto::v1::{EraseAccountRequest, GetReceiptRequest, VerifyReceiptRequest};
use testkit::{calls, until};

use crate::fixture::{Fixture, PASSWORD, fields};

const ADA: &str = "ada@example.com";

impl Fixture {
    pub(crate) async fn erase(&self, reader: i64, password: &str) -> Result<(), Fault> {
        let request = EraseAccountRequest {
            current_password: password.to_owned(),
            passkey: None,
            session_token: String::new(),
        };
        let request = calls::reader(reader, request);
        self.departures.clone().erase_account(request).await?;
        Ok(())
    }

    pub(crate) async fn export(&self, reader: i64) -> Result<ExportResponse, Fault> {
        let request = calls::reader(reader, ExportRequest::default());
        Ok(self.departures.clone().export(request).await?.into_inner())
    }
}

/// Returns the number of rows that a query counts.
async fn rows(fixture: &Fixture, query: &'static str) -> i64 {
    fixture.parts.database.number(query).await
}

#[tokio::test]
async fn an_account_is_erased_by_its_password_alone_and_at_once() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers");
    let kinds: Vec<_> = fixture
        .export(ada.profile_id)
        .await
        .expect("exports")
        .records;
    let kinds: Vec<_> = kinds.iter().map(|record| record.kind.as_str()).collect();
    assert_eq!(kinds, ["profile", "sessions", "mailed_links"]);

    for wrong in ["", "wrong horse"] {
        let refused = fixture
            .erase(ada.profile_id, wrong)
            .await
            .expect_err("wrong");
        assert_eq!(fields(&refused), ["current_password"]);
    }
    assert_eq!(
        fixture
            .authenticate(&ada.session_token)
            .await
            .expect("stays"),
        ada.profile_id
    );

    fixture
        .erase(ada.profile_id, PASSWORD)
        .await
        .expect("erases");
    let ended = fixture
        .authenticate(&ada.session_token)
        .await
        .expect_err("ended");
    assert_eq!(ended.code, Code::NotAuthenticated);
    fixture.sign_in(ADA, PASSWORD).await.expect_err("nobody");
    for query in [
        "SELECT count(*) FROM identity.profiles",
        "SELECT count(*) FROM identity.sessions",
        "SELECT count(*) FROM identity.mailed_links",
    ] {
        assert_eq!(rows(&fixture, query).await, 0, "{query}");
    }
    // A repeated request finds no account.
    let again = fixture
        .erase(ada.profile_id, PASSWORD)
        .await
        .expect_err("gone");
    assert_eq!(again.code, Code::NotAuthenticated);
    fixture.register(ADA).await.expect("the address is free");
}

#[tokio::test]
async fn of_parallel_erasures_one_is_recorded() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers");
    let erasing = (0..8).map(|_| fixture.erase(ada.profile_id, PASSWORD));
    let done = futures::future::join_all(erasing).await;
    assert_eq!(done.iter().filter(|one| one.is_ok()).count(), 1, "{done:?}");
    assert_eq!(
        rows(&fixture, "SELECT count(*) FROM identity.erasures").await,
        1
    );
}

#[tokio::test]
async fn no_receipt_is_made_while_a_service_has_not_erased_its_part() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers");
    fixture
        .erase(ada.profile_id, PASSWORD)
        .await
        .expect("erases");
    until("the job has been tried again", async || {
        fixture.parts.clock.advance(TimeDelta::minutes(10));
        let tries =
            "SELECT coalesce(max(attempts), 0)::bigint FROM identity.jobs WHERE kind = 'erase'";
        (rows(&fixture, tries).await > 2).then_some(())
    })
    .await;
    let waiting = "SELECT count(*) FROM identity.jobs WHERE kind = 'erase' AND dead_at IS NULL";
    assert_eq!(rows(&fixture, waiting).await, 1);
    let ended = "SELECT count(*) FROM identity.erasures WHERE completed_at IS NOT NULL";
    assert_eq!(rows(&fixture, ended).await, 0);
}

#[tokio::test]
async fn mail_that_waits_for_a_reader_who_leaves_is_withdrawn() {
    let fixture = Fixture::new().await;
    let ada = fixture.register(ADA).await.expect("registers");
    fixture.letter(ADA, "Confirm your email").await;
    // As if a server had refused two emails: one email to the reader and one email to another reader.
    let refuse = |to: &str| {
        format!(
            "INSERT INTO identity.jobs (id, kind, payload, created_at, wanted_at, due_at, dead_at, last_error)
             SELECT gen_random_uuid(), 'mail', jsonb_build_object('to', '{to}'), p.created_at, p.created_at,
                 p.created_at, p.created_at, 'refused' FROM identity.profiles p"
        )
    };
    let mut connection = fixture.parts.database.connection().await;
    for to in ["Ada@example.com", "bob@example.com"] {
        let statement = sqlx::AssertSqlSafe(refuse(to));
        let done = sqlx::query(statement).execute(&mut connection).await;
        done.expect("inserts");
    }
    fixture
        .erase(ada.profile_id, PASSWORD)
        .await
        .expect("erases");
    until("hers is gone, and not his", async || {
        let left = "SELECT count(*) FROM identity.jobs WHERE kind = 'mail'";
        (rows(&fixture, left).await == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_receipt_that_there_is_not_is_not_found_and_none_is_signed_by_others() {
    let fixture = Fixture::new().await;
    let wanted = GetReceiptRequest {
        token: "none".to_owned(),
    };
    let absent = fixture
        .departures
        .clone()
        .get_receipt(calls::guest(wanted))
        .await;
    assert_eq!(Fault::from(absent.expect_err("none")).code, Code::NotFound);
    let encode = |part: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(part);
    let header = encode(br#"{"alg":"EdDSA","kid":"another"}"#);
    let another = format!("{header}.{}.{}", encode(b"{}"), encode(&[7; 64]));
    for jws in [&another, "", "a.b.c"] {
        let request = calls::operator(VerifyReceiptRequest {
            jws: jws.to_owned(),
        });
        let refused = fixture.departures.clone().verify_receipt(request).await;
        assert_eq!(
            Fault::from(refused.expect_err("another's")).code,
            Code::Invalid
        );
    }
}

//! The list of a reader's sessions, and ending them one by one.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use identity_proto::v1::{EndSessionRequest, ListSessionsRequest, RegisterRequest, Session};
use testkit::calls;

use crate::fixture::{Fixture, PASSWORD, registration};

impl Fixture {
    async fn sessions(&self, profile_id: i64, own: &str) -> Vec<Session> {
        let request = ListSessionsRequest {
            session_token: own.to_owned(),
        };
        let mut client = self.client.clone();
        let listed = client
            .list_sessions(calls::reader(profile_id, request))
            .await;
        listed.expect("answers").into_inner().sessions
    }

    async fn end(&self, profile_id: i64, id: i64) -> Result<(), Fault> {
        let request = calls::reader(profile_id, EndSessionRequest { id });
        self.client.clone().end_session(request).await?;
        Ok(())
    }
}

#[tokio::test]
async fn a_reader_sees_every_device_the_latest_first_and_knows_this_one() {
    let fixture = Fixture::new().await;
    let laptop = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let registered = fixture
        .register_with(RegisterRequest {
            device: laptop.to_owned(),
            ..registration("ada@example.com")
        })
        .await
        .expect("registers");
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let phone = fixture.sign_in("ada@example.com", PASSWORD).await;
    let phone = phone.expect("signs in");
    fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    let seen = fixture
        .sessions(registered.profile_id, &registered.session_token)
        .await;
    let named: Vec<_> = seen
        .iter()
        .map(|session| (session.device.as_str(), session.is_current))
        .collect();
    assert_eq!(
        named,
        [("Unknown device", false), ("Firefox on Linux", true)]
    );
    assert_eq!(seen[1].date_created, seen[1].last_active);
    let of_phone = fixture
        .sessions(registered.profile_id, &phone.session_token)
        .await;
    assert!(of_phone[0].is_current && !of_phone[1].is_current);
}

#[tokio::test]
async fn a_session_that_is_ended_from_elsewhere_ends_at_once_on_every_replica() {
    let fixture = Fixture::new().await;
    let own = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let lost = fixture.sign_in("ada@example.com", PASSWORD).await;
    let lost = lost.expect("signs in");
    let second = Fixture::on(fixture.parts.clone()).await;
    for replica in [&fixture, &second] {
        replica
            .authenticate(&lost.session_token)
            .await
            .expect("lives");
    }
    let listed = fixture.sessions(own.profile_id, &own.session_token).await;
    let other = listed.iter().find(|session| !session.is_current);
    let id = other.expect("the other one").id;
    fixture.end(own.profile_id, id).await.expect("ends");
    for replica in [&fixture, &second] {
        let refused = replica.authenticate(&lost.session_token).await;
        assert_eq!(refused.expect_err("ended").code, Code::NotAuthenticated);
        replica
            .authenticate(&own.session_token)
            .await
            .expect("goes on");
    }
    let again = fixture.end(own.profile_id, id).await.expect_err("gone");
    assert_eq!(again.code, Code::NotFound);
}

#[tokio::test]
async fn nobody_ends_the_session_of_another_reader() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let bob = fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    let id = fixture.sessions(ada.profile_id, "").await[0].id;
    let refused = fixture.end(bob.profile_id, id).await.expect_err("refused");
    assert_eq!(refused.code, Code::NotFound);
    fixture
        .authenticate(&ada.session_token)
        .await
        .expect("lives");
    let mut client = fixture.client.clone();
    let guest = client.list_sessions(calls::guest(ListSessionsRequest::default()));
    let refused: Fault = guest.await.expect_err("refused").into();
    assert_eq!(refused.code, Code::NotAuthenticated);
}

#[tokio::test]
async fn an_account_has_a_hundred_sessions_at_most_and_the_longest_idle_ends_immediately() {
    let fixture = Fixture::new().await;
    let first = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let mut connection = fixture.parts.database.connection().await;
    sqlx::query(
        "INSERT INTO identity.sessions (token_digest, profile_id, device, created_at, last_active_at)
         SELECT sha256(n::text::bytea), profile_id, '', created_at, last_active_at + n * interval '1 second'
         FROM identity.sessions, generate_series(1, 99) AS n",
    )
    .execute(&mut connection)
    .await
    .expect("99 more");
    // The session is cached when it ends.
    let second = Fixture::on(fixture.parts.clone()).await;
    for replica in [&fixture, &second] {
        let session = replica.authenticate(&first.session_token).await;
        session.expect("lives");
    }
    fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in");
    let sessions = "SELECT count(*) FROM identity.sessions";
    assert_eq!(fixture.parts.database.number(sessions).await, 100);
    for replica in [&fixture, &second, &fixture.replica().await] {
        let refused = replica.authenticate(&first.session_token).await;
        assert_eq!(refused.expect_err("ended").code, Code::NotAuthenticated);
    }
}

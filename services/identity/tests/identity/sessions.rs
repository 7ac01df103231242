//! The lifetime and the end of sessions.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use chassis::{
    cache::{Cache, InProcessCache},
    error::{Code, Fault},
};
use chrono::TimeDelta;
use identity_proto::v1::SessionStarted;
use sqlx::Row;
use testkit::{parts::parts_on, within_hours};
use tokio::sync::Notify;

use crate::fixture::{Fixture, PASSWORD, database};

const SECOND: TimeDelta = TimeDelta::seconds(1);
const FIVE_DAYS: TimeDelta = TimeDelta::days(5);

fn assert_ended(answer: Result<i64, Fault>) {
    assert_eq!(answer.expect_err("nobody's").code, Code::NotAuthenticated);
}

#[tokio::test]
async fn what_is_no_session_is_nobodys() {
    let fixture = Fixture::new().await;
    let started = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let almost = &started.session_token[1..];
    for token in ["", "nonsense", "\0", almost, &"x".repeat(10_000)] {
        assert_ended(fixture.authenticate(token).await);
    }
}

#[tokio::test]
async fn a_sign_in_proves_its_reader_for_five_minutes_in_its_own_session() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let bob = fixture
        .register("bob@example.com")
        .await
        .expect("registers");
    assert_eq!(fixture.require_proof(&ada).await, Ok(()));
    let others = SessionStarted {
        session_token: bob.session_token,
        ..ada.clone()
    };
    let refused = Err(Code::FreshProofRequired);
    let of_another = fixture.require_proof(&others).await;
    assert_eq!(of_another, Err(Code::NotAuthenticated));
    fixture.parts.clock.advance(TimeDelta::minutes(5) - SECOND);
    assert_eq!(fixture.require_proof(&ada).await, Ok(()));
    fixture.parts.clock.advance(SECOND);
    assert_eq!(fixture.require_proof(&ada).await, refused);
    let again = fixture.sign_in("ada@example.com", PASSWORD).await;
    let again = again.expect("signs in");
    assert_eq!(fixture.require_proof(&again).await, Ok(()));
    assert_eq!(fixture.require_proof(&ada).await, refused);
}

#[tokio::test]
async fn a_session_slides_with_activity_and_ends_five_days_after_the_last() {
    let fixture = Fixture::new().await;
    let started = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    // A new replica each time, so that no cache entry is used.
    for _ in 0..3 {
        fixture.parts.clock.advance(FIVE_DAYS - SECOND);
        let lives = fixture
            .replica()
            .await
            .authenticate(&started.session_token)
            .await;
        assert_eq!(lives, Ok(started.profile_id));
    }
    fixture.parts.clock.advance(FIVE_DAYS);
    assert_ended(
        fixture
            .replica()
            .await
            .authenticate(&started.session_token)
            .await,
    );
}

#[tokio::test]
async fn a_session_ends_90_days_after_it_began_though_it_is_active() {
    let fixture = Fixture::new().await;
    let started = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    for _ in 0..22 {
        fixture.parts.clock.advance(TimeDelta::days(4));
        fixture
            .replica()
            .await
            .authenticate(&started.session_token)
            .await
            .expect("lives");
    }
    fixture.parts.clock.advance(TimeDelta::days(2) - SECOND);
    fixture
        .replica()
        .await
        .authenticate(&started.session_token)
        .await
        .expect("lives");
    fixture.parts.clock.advance(SECOND);
    assert_ended(
        fixture
            .replica()
            .await
            .authenticate(&started.session_token)
            .await,
    );
}

#[tokio::test]
async fn signing_out_ends_the_session_at_once_though_every_replica_has_cached_it() {
    let fixture = Fixture::new().await;
    let started = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let other = fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in");
    // A second replica with the same cache, as with a shared cache.
    let second = Fixture::on(fixture.parts.clone()).await;
    for replica in [&fixture, &second] {
        replica
            .authenticate(&started.session_token)
            .await
            .expect("lives");
        replica
            .authenticate(&other.session_token)
            .await
            .expect("lives");
    }
    second
        .sign_out(&started.session_token)
        .await
        .expect("signs out");
    for replica in [&fixture, &second] {
        assert_ended(replica.authenticate(&started.session_token).await);
        replica
            .authenticate(&other.session_token)
            .await
            .expect("the other device stays");
    }
    second
        .sign_out(&started.session_token)
        .await
        .expect("twice is no error");
    second
        .sign_out("never was")
        .await
        .expect("nor is what never was");
}

/// Blocks a call that is about to cache a response of the database.
struct Gate {
    inner: InProcessCache,
    is_shut: AtomicBool,
    arrived: Notify,
    open: Notify,
}

#[async_trait]
impl Cache for Gate {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault> {
        self.inner.get(key).await
    }

    async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault> {
        self.inner.set(key, value, lives).await
    }

    async fn set_if_absent(&self, key: &str, value: Bytes, lives: Duration) -> Result<bool, Fault> {
        if self.is_shut.load(Ordering::SeqCst) {
            self.arrived.notify_one();
            self.open.notified().await;
        }
        self.inner.set_if_absent(key, value, lives).await
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_though_a_lookup_is_under_way() {
    let gate = Arc::new(Gate {
        inner: InProcessCache::new(1 << 20),
        is_shut: AtomicBool::new(true),
        arrived: Notify::new(),
        open: Notify::new(),
    });
    let fixture = Fixture::on(parts_on(database().await).with_cache(gate.clone())).await;
    let started = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let signs_out = async {
        // The lookup has found a live session and is about to cache it.
        gate.arrived.notified().await;
        fixture
            .sign_out(&started.session_token)
            .await
            .expect("signs out");
        gate.is_shut.store(false, Ordering::SeqCst);
        gate.open.notify_one();
    };
    let (seen, ()) = tokio::join!(fixture.authenticate(&started.session_token), signs_out);
    assert_eq!(
        seen,
        Ok(started.profile_id),
        "it lived when it was looked up"
    );
    assert_ended(fixture.authenticate(&started.session_token).await);
}

/// A cache that is unavailable.
struct Away;

#[async_trait]
impl Cache for Away {
    async fn get(&self, _: &str) -> Result<Option<Bytes>, Fault> {
        Err(Fault::new(Code::Unavailable, "away"))
    }

    async fn set(&self, _: &str, _: Bytes, _: Duration) -> Result<(), Fault> {
        Err(Fault::new(Code::Unavailable, "away"))
    }

    async fn set_if_absent(&self, _: &str, _: Bytes, _: Duration) -> Result<bool, Fault> {
        Err(Fault::new(Code::Unavailable, "away"))
    }
}

#[tokio::test]
async fn without_a_cache_readers_sign_in_and_out_all_the_same() {
    let fixture = Fixture::on(parts_on(database().await).with_cache(Arc::new(Away))).await;
    fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    let started = fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in");
    assert_eq!(
        fixture.authenticate(&started.session_token).await,
        Ok(started.profile_id)
    );
    fixture
        .sign_out(&started.session_token)
        .await
        .expect("signs out");
    assert_ended(fixture.authenticate(&started.session_token).await);
}

#[tokio::test]
async fn only_the_digest_of_a_token_is_stored() {
    let fixture = Fixture::new().await;
    let started = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    assert!(started.session_token.len() >= 43, "256 bits in base64");
    let row = sqlx::query("SELECT token_digest, to_jsonb(s)::text AS row FROM identity.sessions s")
        .fetch_one(&mut fixture.parts.database.connection().await)
        .await
        .expect("one session");
    assert_eq!(row.get::<Vec<u8>, _>("token_digest").len(), 32);
    assert!(!row.get::<String, _>("row").contains(&started.session_token));
}

#[tokio::test]
async fn a_devices_name_is_kept_short_and_printable() {
    let fixture = Fixture::new().await;
    let mut registration = crate::fixture::registration("ada@example.com");
    registration.device = format!("Agent\0\r\n{}", "é".repeat(1000));
    fixture
        .register_with(registration)
        .await
        .expect("registers");
    let device: String = sqlx::query_scalar("SELECT device FROM identity.sessions")
        .fetch_one(&mut fixture.parts.database.connection().await)
        .await
        .expect("one session");
    assert!(
        device.starts_with("Agenté") && device.chars().count() == 200,
        "{device}"
    );
}

#[tokio::test]
async fn sessions_that_have_ended_by_time_are_purged_within_the_hour_and_living_ones_stay() {
    let fixture = Fixture::new().await;
    let ended = fixture
        .register("ada@example.com")
        .await
        .expect("registers");
    fixture.parts.clock.advance(FIVE_DAYS - SECOND);
    let lives = fixture
        .sign_in("ada@example.com", PASSWORD)
        .await
        .expect("signs in");
    fixture.parts.clock.advance(SECOND);
    within_hours("the ended session is purged", async || {
        let sessions = "SELECT count(*) FROM identity.sessions";
        (fixture.parts.database.number(sessions).await == 1).then_some(())
    })
    .await;
    assert_eq!(
        fixture.authenticate(&lives.session_token).await,
        Ok(lives.profile_id)
    );
    assert_ended(
        fixture
            .replica()
            .await
            .authenticate(&ended.session_token)
            .await,
    );
}

//! PostgreSQL, Redis and RabbitMQ over TLS: the right certificate works, every other server is refused with the reason,
//! and settings that would cause an unencrypted connection are refused at the start.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use chassis::{
    bus::{Bus, Durability, Message, RabbitMqBus},
    cache::{Cache, RedisCache},
    clock::SystemClock,
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
    lifecycle::Lifecycle,
    limits::{Buckets, Rate, RedisBuckets},
    postgres,
};
use testkit::{
    bus::Recorder, certificates::TestAuthority, database::TestDatabase, tls_servers::TlsServers,
    until,
};

/// Parts of the errors for a certificate of another authority and for a certificate with another name.
const UNKNOWN: &str = "invalid peer certificate: UnknownIssuer; ";
const MISNAMED: &str = "certificate not valid for name \"127.0.0.1\"";

/// The servers in the settings of two clients that must refuse the certificate, each with its reason.
fn refusing(servers: &TlsServers) -> [(TlsServers, &'static str); 2] {
    [
        (servers.trusting(TestAuthority::default().pem()), UNKNOWN),
        (servers.by_another_name(), MISNAMED),
    ]
}

/// Asserts that the error has one of these reasons and names the setting of the authority.
fn assert_refused(refusal: Result<(), Fault>, why: &str, key: &str) {
    let refusal = refusal.expect_err(why);
    assert_eq!(refusal.code, Code::Unavailable, "{refusal}");
    assert!(refusal.message.contains(why), "{refusal}");
    let advice = format!("{key} must hold the authority that has signed the server's certificate");
    assert_eq!(
        refusal.message.contains(&advice),
        why == UNKNOWN,
        "{refusal}"
    );
}

fn namespace() -> String {
    format!("test-{}", uuid(&OsEntropy))
}

fn cache(servers: &TlsServers) -> RedisCache {
    let clock = Arc::new(SystemClock);
    RedisCache::new(&servers.redis, &servers.ca, &namespace(), clock).expect("an address")
}

fn bus(servers: &TlsServers, life: &Lifecycle) -> RabbitMqBus {
    RabbitMqBus::new(&servers.amqp, &servers.ca, &namespace(), life).expect("an address")
}

#[tokio::test]
async fn postgresql_is_asked_over_tls() {
    let (servers, database) = (TlsServers::of_the_run(), TestDatabase::create().await);
    let settings = servers.settings(&database);
    let pool = postgres::connect(&settings, "probe").await;
    let is_encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    let is_encrypted: bool = sqlx::query_scalar(is_encrypted)
        .fetch_one(&pool.expect("connects"))
        .await
        .expect("answers");
    assert!(is_encrypted);
}

#[tokio::test]
async fn postgresqls_authority_may_also_be_named_by_its_url() {
    let (servers, database) = (TlsServers::of_the_run(), TestDatabase::create().await);
    let mut settings = servers.settings(&database);
    settings.ca.clear();
    let untrusting = postgres::connect(&settings, "probe").await.map(drop);
    assert_refused(untrusting, UNKNOWN, "database.ca");
    let file = testkit::environment("CITYGUIDE_TEST_CA_FILE");
    settings.url = format!("{}&sslrootcert={file}", settings.url);
    let pool = postgres::connect(&settings, "probe").await;
    postgres::check(&pool.expect("connects"))
        .await
        .expect("answers");
}

#[tokio::test]
async fn postgresql_with_another_certificate_is_refused() {
    let (servers, database) = (TlsServers::of_the_run(), TestDatabase::create().await);
    for (servers, why) in refusing(&servers) {
        let refusal = postgres::connect(&servers.settings(&database), "probe").await;
        assert_refused(refusal.map(drop), why, "database.ca");
    }
}

#[tokio::test]
async fn redis_keeps_values_and_counts_over_tls() {
    let servers = TlsServers::of_the_run();
    let cache = cache(&servers);
    cache.check().await.expect("answers");
    let value = Bytes::from_static(b"value");
    let lives = Duration::from_mins(1);
    // On a busy machine, a handshake may take longer than the cache's timeout.
    until("it is kept", async || {
        cache.set("key", value.clone(), lives).await.ok()?;
        cache.get("key").await.ok()?.filter(|kept| *kept == value)
    })
    .await;

    let clock = Arc::new(SystemClock);
    let buckets = RedisBuckets::new(&servers.redis, &servers.ca, &namespace(), clock);
    let buckets = buckets.expect("an address");
    let rate: Rate = "1/min".parse().expect("a rate");
    let taken = until("it is counted", async || {
        buckets.take("key", rate, 1).await.ok()
    })
    .await;
    assert!(taken.is_allowed);
}

#[tokio::test]
async fn redis_with_another_certificate_is_refused() {
    for (servers, why) in refusing(&TlsServers::of_the_run()) {
        assert_refused(cache(&servers).check().await, why, "cache.ca");
    }
}

#[tokio::test]
async fn rabbitmq_takes_events_and_delivers_them_over_tls() {
    let (servers, life) = (TlsServers::of_the_run(), Lifecycle::new());
    let bus = bus(&servers, &life);
    bus.check().await.expect("answers");
    let recorder = Recorder::on(&bus, "queue", "exchange", "#", Durability::Durable).await;
    // More than a TLS record contains and more than a socket accepts in one write.
    let large = vec![7; 1 << 20];
    for payload in [Bytes::from_static(b"small"), Bytes::from(large)] {
        let message = Message {
            id: uuid(&OsEntropy),
            exchange: "exchange".to_owned(),
            key: "key".to_owned(),
            payload,
            traceparent: None,
        };
        bus.publish(message.clone()).await.expect("published");
        until("it arrives", async || {
            recorder.heard().contains(&message).then_some(())
        })
        .await;
    }
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_with_another_certificate_is_refused() {
    let life = Lifecycle::new();
    for (servers, why) in refusing(&TlsServers::of_the_run()) {
        assert_refused(bus(&servers, &life).check().await, why, "bus.ca");
    }
    life.finish(Duration::from_secs(5)).await;
}

/// A client that requires TLS refuses a server without TLS.
#[tokio::test]
async fn a_server_in_clear_is_refused() {
    let plain = |variable: &str, scheme: &str, with_tls: &str| {
        let url = testkit::environment(variable);
        url.replacen(scheme, with_tls, 1)
            .replace("127.0.0.1", "localhost")
    };
    let servers = TlsServers {
        redis: plain("CITYGUIDE_TEST_REDIS_URL", "redis:", "rediss:"),
        amqp: plain("CITYGUIDE_TEST_AMQP_URL", "amqp:", "amqps:"),
        ..TlsServers::of_the_run()
    };
    let life = Lifecycle::new();
    for outcome in [
        cache(&servers).check().await,
        bus(&servers, &life).check().await,
    ] {
        let refusal = outcome.expect_err("it does not speak TLS");
        assert_eq!(refusal.code, Code::Unavailable, "{refusal}");
    }
    life.finish(Duration::from_secs(5)).await;
}

/// Invalid settings of each server, with the error that names the mistake.
#[tokio::test]
async fn settings_that_verify_no_server_are_refused_by_their_key() {
    let ca = TestAuthority::default().pem();
    for (url, ca, expected) in [
        (
            "postgres://localhost/x?sslmode=require",
            "",
            "must be verify-full or disable",
        ),
        (
            "postgres://localhost/x?sslmode=verify-ca",
            "",
            "must be verify-full or disable",
        ),
        (
            "postgres://localhost/x?sslmode=prefer",
            "",
            "must be verify-full or disable",
        ),
        (
            "postgres://localhost/x?ssl-mode=prefer",
            "",
            "must be verify-full or disable",
        ),
        ("postgres://localhost/x", &ca, "which database.ca is for"),
        (
            "postgres://localhost/x?sslmode=verify-full",
            "nonsense",
            "database.ca must hold",
        ),
    ] {
        let settings = postgres::Settings {
            url: url.to_owned(),
            ca: ca.to_owned(),
            ..TestDatabase::create().await.settings()
        };
        let refusal = postgres::connect(&settings, "probe").await;
        assert_names(refusal.map(drop), expected);
    }
    for (url, ca, expected) in [
        (
            "redis://localhost/0",
            ca.as_str(),
            "cache.url must be rediss",
        ),
        (
            "rediss://localhost/0#insecure",
            "",
            "cache.url must not end in #insecure",
        ),
        ("rediss://localhost/0", "nonsense", "cache.ca must hold"),
    ] {
        let refusal = RedisCache::new(url, ca, "x", Arc::new(SystemClock));
        assert_names(refusal.map(drop), expected);
    }
    for (url, ca, expected) in [
        ("amqp://localhost", ca.as_str(), "bus.url must be amqps"),
        ("amqps://localhost", "nonsense", "bus.ca must hold"),
    ] {
        let refusal = RabbitMqBus::new(url, ca, "x", &Lifecycle::new());
        assert_names(refusal.map(drop), expected);
    }
}

fn assert_names(refusal: Result<(), Fault>, expected: &str) {
    let refusal = refusal.expect_err(expected);
    assert_eq!(refusal.code, Code::Invalid, "{refusal}");
    assert!(refusal.message.contains(expected), "{refusal}");
}

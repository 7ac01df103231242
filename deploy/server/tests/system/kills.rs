//! Guarantees that hold while RabbitMQ, Redis, PostgreSQL or a service is killed, stopped and restarted, with real
//! servers and processes; each test has its own servers.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use chassis::instant;
use cityguide::Target;
use cityguide_proto::{events::v1::LastUpdated, key};
use prost::Message as _;
use reqwest::StatusCode;
use serde_json::{Value, json};
use servers::{
    checkout::Checkout,
    postgres::{Cluster, Contents, Durability},
    rabbitmq::RabbitMq,
    redis::Redis,
};
use sqlx::Connection;
use testkit::{bus::delete_queue, outbox, until};
use tokio::{sync::watch, task::block_in_place};

use crate::{
    app::{self, Browser, answer},
    faults::{comes_back, is_unavailable, last_update},
    site::{Servers, Split},
    streams::Stream,
};

/// Number of readers who write while the broker is killed repeatedly.
const READERS: usize = 20;
/// Number of each reader's favourites: five before the first kill, and one in each of the two phases of each kill.
const FAVOURITES: usize = 5 + 2 * KILLS;
const KILLS: usize = 3;

/// A reader's browsers, one at each gateway.
async fn reader(split: &Split, number: usize) -> (Browser, Browser) {
    let (one, other) = (split.browser(), split.browser());
    let email = format!("reader{number}@example.com");
    one.sign_up(&email).await;
    other.sign_in(&email).await;
    (one, other)
}

/// Saves one place per phase, alternating between the gateways. Each response must be correct immediately, regardless
/// of the broker's state. Returns the last instant.
async fn write(
    (one, other): (Browser, Browser),
    mut phase: watch::Receiver<usize>,
    kept: Arc<AtomicUsize>,
) -> Value {
    let mut last = Value::Null;
    for number in 0..FAVOURITES {
        phase
            .wait_for(|phase| *phase >= number)
            .await
            .expect("the test goes on");
        let (writes, reads) = if number % 2 == 0 {
            (&one, &other)
        } else {
            (&other, &one)
        };
        let body = json!({"listing": number + 1});
        let (status, record) = answer(writes.post("/api/v2/favourites/", &body).await).await;
        assert_eq!(status, 201, "{record}");
        last = record["server_time"].clone();
        assert_eq!(last_update(writes).await, last);
        assert_eq!(last_update(reads).await, last);
        kept.fetch_add(1, Ordering::Relaxed);
    }
    last
}

/// Kills the broker repeatedly. Each phase begins once all readers have completed the previous phase.
async fn kill_again_and_again(
    broker: &mut RabbitMq,
    phase: &watch::Sender<usize>,
    kept: &AtomicUsize,
) {
    let begin = async |number: usize| {
        phase.send_replace(number);
        let goal = READERS * (number + 1);
        until("each reader has written", async || {
            (kept.load(Ordering::Relaxed) >= goal).then_some(())
        })
        .await;
    };
    let before = FAVOURITES - 2 * KILLS;
    begin(before - 1).await;
    for life in 0..KILLS {
        // The first events of a phase are in transit when the broker is killed.
        let dying = async {
            tokio::time::sleep(Duration::from_millis(7 * life as u64)).await;
            block_in_place(|| broker.kill()).expect("it ends");
        };
        tokio::join!(dying, begin(before + 2 * life));
        block_in_place(|| broker.start_again()).expect("it starts again");
        begin(before + 2 * life + 1).await;
    }
}

/// Waits until identity's copy of the instants equals the owner's.
async fn identity_catches_up(split: &Split) {
    let behind = "SELECT count(*) FROM bookmarks.stamps s
        LEFT JOIN identity.last_updates l ON (l.profile_id, l.kind) = (s.profile_id, s.kind)
        WHERE l.at IS DISTINCT FROM s.at";
    until("identity's copy is right", async || {
        (split.database.number(behind).await == 0).then_some(())
    })
    .await;
}

/// Waits until a stream reports this time of the last change.
async fn is_told(mut stream: Stream, last: Value) {
    while stream.next().await.expect("a stream")["last_updates"]["favourites"] != last {}
}

#[tokio::test(flavor = "multi_thread")]
async fn favourites_outlive_repeated_kills_of_rabbitmq() {
    let checkout = Checkout::here();
    let mut broker = RabbitMq::start(&checkout, "rabbitmq-killed").expect("RabbitMQ");
    let servers = Servers {
        broker: broker.url(),
        ..Servers::of_the_run()
    };
    let split = Split::start_on(&servers).await;
    let (phase, phases) = watch::channel(0);
    let kept = Arc::new(AtomicUsize::new(0));
    let mut readers = Vec::new();
    let mut streams = Vec::new();
    for number in 0..READERS {
        let browsers = reader(&split, number).await;
        if number < 4 {
            for browser in [&browsers.0, &browsers.1] {
                streams.push((number, Stream::open(browser).await));
            }
        }
        readers.push(browsers);
    }
    let writers: Vec<_> = readers
        .iter()
        .map(|browsers| tokio::spawn(write(browsers.clone(), phases.clone(), Arc::clone(&kept))))
        .collect();
    kill_again_and_again(&mut broker, &phase, &kept).await;
    let mut last = Vec::new();
    for writer in writers {
        last.push(writer.await.expect("every write was acknowledged"));
    }
    assert_eq!(kept.load(Ordering::Relaxed), READERS * FAVOURITES);

    for (number, stream) in streams {
        is_told(stream, last[number].clone()).await;
    }
    for schema in ["bookmarks", "places"] {
        outbox::assert_drains(&split.database, schema).await;
    }
    identity_catches_up(&split).await;
    for (one, other) in &readers {
        let map = one.json("/api/v2/favourites/listing_ids/").await;
        assert_eq!(map["results"].as_array().expect("a map").len(), FAVOURITES);
        let count = other.json("/api/v2/favourites/?limit=1").await["count"].clone();
        assert_eq!(count, FAVOURITES);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_takes_no_messages_delays_no_write_and_gets_them_later() {
    let checkout = Checkout::here();
    let mut broker = RabbitMq::start(&checkout, "rabbitmq-full").expect("RabbitMQ");
    let servers = Servers {
        broker: broker.url(),
        ..Servers::of_the_run()
    };
    let split = Split::start_on(&servers).await;
    let (phone, laptop) = reader(&split, 0).await;
    outbox::assert_drains(&split.database, "bookmarks").await;
    block_in_place(|| {
        broker.kill()?;
        broker.start_again_without_space()
    })
    .expect("it starts again");
    let mut instants = BTreeSet::new();
    for listing in 1..=12 {
        let body = json!({"listing": listing});
        let (status, record) = answer(phone.post("/api/v2/favourites/", &body).await).await;
        assert_eq!(status, 201, "{record}");
        assert_eq!(last_update(&laptop).await, record["server_time"]);
        instants.insert(
            record["server_time"]
                .as_str()
                .expect("an instant")
                .to_owned(),
        );
    }
    // Consumers whose queues were missing at the broker may have requested replays too. A replayed event has the
    // instant of its write.
    assert_eq!(instants_that_wait(&split).await, instants);

    block_in_place(|| {
        broker.kill()?;
        broker.start_again()
    })
    .expect("it starts again");
    until("the outbox is empty", async || {
        instants_that_wait(&split).await.is_empty().then_some(())
    })
    .await;
    identity_catches_up(&split).await;
}

/// Returns the instants of the changes that bookmarks has not yet published.
async fn instants_that_wait(split: &Split) -> BTreeSet<String> {
    let waiting = outbox::waiting(&split.database, "bookmarks").await;
    let changes = waiting
        .iter()
        .filter(|event| event.key == key::LAST_UPDATED);
    changes
        .map(|event| {
            let event = LastUpdated::decode(&*event.payload).expect("an event");
            let at = event.at.as_ref().and_then(instant::from_proto);
            instant::to_rfc3339(at.expect("an instant"))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stood_in_a_deleted_queue_reaches_identity_all_the_same() {
    let mut split = Split::start().await;
    let (phone, laptop) = reader(&split, 0).await;
    let broker = Servers::of_the_run().broker;
    let queue = format!("{}.identity.last_updates", split.namespace());
    let keep = async |listing: u64| {
        let body = json!({"listing": listing});
        let (status, record) = answer(phone.post("/api/v2/favourites/", &body).await).await;
        assert_eq!(status, 201, "{record}");
        assert_eq!(last_update(&laptop).await, record["server_time"]);
    };

    // The queue is lost with its messages while its consumer is disconnected.
    keep(1).await;
    let mut held = split.database.connection().await;
    let lock = "BEGIN; LOCK TABLE identity.inbox";
    sqlx::raw_sql(lock).execute(&mut held).await.expect("locks");
    keep(2).await;
    outbox::assert_drains(&split.database, "bookmarks").await;
    split.process(Target::Identity).kill().await;
    delete_queue(&broker, &queue).await;
    held.close().await.expect("lets go");
    split.process(Target::Identity).start_again().await;
    identity_catches_up(&split).await;

    // The queue is deleted while its consumer is connected: messages that arrive before it is declared again are lost.
    delete_queue(&broker, &queue).await;
    keep(3).await;
    identity_catches_up(&split).await;
    outbox::assert_drains(&split.database, "bookmarks").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_browse_write_and_sign_in_while_redis_is_killed_and_after() {
    let checkout = Checkout::here();
    let mut redis = Redis::start(&checkout, "redis-killed").expect("Redis");
    let servers = Servers {
        cache: redis.url(),
        ..Servers::of_the_run()
    };
    let split = Split::start_on(&servers).await;
    let (phone, laptop) = reader(&split, 0).await;
    for round in 0..3 {
        block_in_place(|| redis.kill());
        let late = split.browser();
        late.sign_in("reader0@example.com").await;
        phone.json("/api/v2/listings/").await;
        let body = json!({"listing": round + 1});
        let (status, record) = answer(laptop.post("/api/v2/favourites/", &body).await).await;
        assert_eq!(status, 201, "{record}");
        for browser in [&phone, &laptop, &late] {
            assert_eq!(last_update(browser).await, record["server_time"]);
        }
        // A session that ends during the outage stays ended, even after Redis has restarted empty.
        let out = late
            .post("/api/v2/profiles/logout/v1/validate/", &json!({}))
            .await;
        assert_eq!(out.status(), StatusCode::NO_CONTENT);
        block_in_place(|| redis.start_again()).expect("it starts again");
        assert!(late.json("/api/v2/profiles/status/").await["id"].is_null());
        assert!(phone.json("/api/v2/profiles/status/").await["id"].is_i64());
    }
    assert_eq!(phone.json("/api/v2/favourites/").await["count"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_stopped_or_killed_is_503_and_browsing_is_unharmed() {
    let mut split = Split::start_with(app::with_default_timeouts).await;
    let (phone, laptop) = reader(&split, 0).await;
    let path = "/api/v2/favourites/";
    phone.post(path, &json!({"listing": 1})).await;

    // A suspended process keeps its connections open and sends nothing.
    split.process(Target::Bookmarks).signal("STOP").await;
    let browsing = async {
        for _ in 0..20 {
            phone.json("/api/v2/listings/").await;
        }
    };
    tokio::join!(is_unavailable(&phone, path), browsing);
    let posted = laptop.post(path, &json!({"listing": 2})).await;
    assert_eq!(posted.status(), StatusCode::SERVICE_UNAVAILABLE);
    split.process(Target::Bookmarks).signal("CONT").await;
    comes_back(&phone, path).await;
    // The write may have been applied without a response. The repeated request clarifies this.
    let again = laptop.post(path, &json!({"listing": 2})).await;
    assert!(again.status().is_success());

    split.process(Target::Bookmarks).kill().await;
    is_unavailable(&laptop, path).await;
    phone.json("/api/v2/listings/").await;
    split.process(Target::Bookmarks).start_again().await;
    comes_back(&phone, path).await;
    assert_eq!(laptop.json(path).await["count"], 2);
    outbox::assert_drains(&split.database, "bookmarks").await;
}

/// Saves places one after the other while the database is stopped and started; returns the acknowledged places.
async fn write_through_outages(browser: Browser, mut ended: watch::Receiver<bool>) -> Vec<u64> {
    let mut acknowledged = Vec::new();
    for listing in 1..=crate::city::PLACES as u64 {
        loop {
            let posted = browser
                .post("/api/v2/favourites/", &json!({"listing": listing}))
                .await;
            match posted.status() {
                StatusCode::CREATED | StatusCode::OK => {
                    acknowledged.push(listing);
                    break;
                }
                status => {
                    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
                    assert!(posted.headers().contains_key("retry-after"));
                }
            }
            if *ended.borrow_and_update() {
                return acknowledged;
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_killed_and_restarted_loses_nothing_and_is_never_a_false_success() {
    let checkout = Checkout::here();
    let nothing = Contents::default();
    let mut postgres = Cluster::private(&checkout, nothing, Durability::Kept).expect("PostgreSQL");
    let servers = Servers {
        database: postgres.url("postgres"),
        ..Servers::of_the_run()
    };
    let split = Split::start_on(&servers).await;
    let (phone, laptop) = reader(&split, 0).await;
    let (ended, end) = watch::channel(false);
    let writer = tokio::spawn(write_through_outages(phone.clone(), end));
    for (round, is_crash) in [true, false, true].into_iter().enumerate() {
        // A list that has not been requested before: cached responses would be served during the outage.
        let list = format!("/api/v2/listings/?limit={}", round + 1);
        let paths = ["/api/v2/favourites/", &list];
        tokio::time::sleep(Duration::from_millis(700)).await;
        block_in_place(|| {
            if is_crash {
                postgres.kill();
            } else {
                postgres.stop_for_a_while();
            }
        });
        for path in paths {
            is_unavailable(&laptop, path).await;
        }
        block_in_place(|| postgres.start_again()).expect("it recovers");
        for path in paths {
            comes_back(&laptop, path).await;
        }
    }
    ended.send_replace(true);
    let acknowledged = writer.await.expect("only 503 while it was away");
    let map = laptop.json("/api/v2/favourites/listing_ids/").await;
    let kept: Vec<_> = map["results"]
        .as_array()
        .expect("a map")
        .iter()
        .filter_map(|entry| entry["listing_id"].as_u64())
        .collect();
    assert!(acknowledged.len() > 3, "{acknowledged:?}");
    for listing in &acknowledged {
        assert!(
            kept.contains(listing),
            "{listing} was acknowledged: {kept:?}"
        );
    }
    identity_catches_up(&split).await;
    outbox::assert_drains(&split.database, "bookmarks").await;
}

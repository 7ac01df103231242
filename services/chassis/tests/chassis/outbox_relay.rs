//! The outbox and its relay: committed events are published in order, at least once; rolled-back events are never
//! published.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use chassis::{
    bus::{Bus, Durability, Handler, Message, Subscription},
    entropy::OsEntropy,
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{Outbox, Relay, Unsent},
};
use chrono::TimeDelta;
use sqlx::PgPool;
use testkit::{
    bus::Recorder,
    outbox::{assert_drains, waiting},
    parts::{TestParts, parts},
    until,
};

const SCHEMA: &str = "probe";

struct Fixture {
    parts: TestParts,
    pool: PgPool,
    outbox: Outbox,
}

impl Fixture {
    async fn new() -> Self {
        let parts = parts().await;
        let pool = parts.database.schema(SCHEMA).await;
        let outbox = Outbox::new(parts.clock.clone(), Arc::new(OsEntropy));
        Self {
            parts,
            pool,
            outbox,
        }
    }

    fn relay(&self) -> Relay {
        Relay::new(
            SCHEMA,
            self.pool.clone(),
            self.parts.bus.clone(),
            &self.outbox,
        )
    }

    fn start_relay(&self) -> Lifecycle {
        let life = Lifecycle::new();
        self.relay().start(&life);
        life
    }

    async fn recorder(&self) -> Arc<Recorder> {
        Recorder::on(
            self.parts.bus.as_ref(),
            "recorder",
            "x",
            "#",
            Durability::Durable,
        )
        .await
    }

    /// Writes events in one transaction, without waking the relay.
    async fn write(&self, numbers: std::ops::Range<u32>) {
        let mut transaction = self.pool.begin().await.expect("begins");
        for number in numbers {
            self.append(&mut transaction, number).await;
        }
        transaction.commit().await.expect("commits");
    }

    /// Waits until this many attempts to publish have failed.
    async fn was_tried(&self, attempts: i64) {
        let tried = "SELECT sum(attempts)::bigint FROM probe.outbox";
        until("the event is tried again", async || {
            (self.parts.database.number(tried).await == attempts).then_some(())
        })
        .await;
    }

    async fn append(&self, transaction: &mut sqlx::PgConnection, number: u32) {
        self.outbox
            .append(transaction, "x", "k", &number)
            .await
            .expect("appends");
    }
}

fn numbers(recorder: &Recorder) -> Vec<u32> {
    let read = |payload: Vec<u8>| prost::Message::decode(payload.as_slice()).expect("a number");
    recorder.payloads().into_iter().map(read).collect()
}

#[tokio::test]
async fn what_is_rolled_back_is_never_published_and_what_is_committed_is_in_order() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    let mut undone = fixture.pool.begin().await.expect("begins");
    fixture.append(&mut undone, 1000).await;
    undone.rollback().await.expect("rolls back");
    // More than one batch.
    fixture.write(0..150).await;
    fixture.write(150..230).await;
    let life = fixture.start_relay();
    assert_drains(&fixture.parts.database, SCHEMA).await;
    assert_eq!(numbers(&recorder), (0..230).collect::<Vec<_>>());
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_commit_through_the_outbox_wakes_the_relay_of_this_process() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    let life = fixture.start_relay();
    // Continues past the first poll, so that most of these events are published because of the wake-up.
    for number in 0..20 {
        let mut transaction = fixture.pool.begin().await.expect("begins");
        fixture.append(&mut transaction, number).await;
        fixture.outbox.commit(transaction).await.expect("commits");
        until("the event is published", async || {
            numbers(&recorder).contains(&number).then_some(())
        })
        .await;
    }
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn an_event_that_is_not_taken_stays_and_is_delivered_once_later() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    recorder.refuse_next(2);
    fixture.write(0..1).await;
    let written_at = chassis::clock::Clock::now(fixture.parts.clock.as_ref());
    let life = fixture.start_relay();
    fixture.was_tried(1).await;
    let unsent = fixture.relay().unsent().await.expect("answers");
    assert_eq!(
        unsent,
        Unsent {
            events: 1,
            oldest: Some(written_at)
        }
    );
    fixture.parts.clock.advance(TimeDelta::milliseconds(250));
    fixture.was_tried(2).await;
    assert_eq!(recorder.heard(), []);
    fixture.parts.clock.advance(TimeDelta::milliseconds(500));
    assert_drains(&fixture.parts.database, SCHEMA).await;
    assert_eq!(numbers(&recorder), [0]);
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn after_a_long_outage_an_event_waits_ten_seconds_at_most() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    recorder.refuse_next(12);
    fixture.write(0..1).await;
    let life = fixture.start_relay();
    for attempt in 1..=12 {
        fixture.was_tried(attempt).await;
        assert_eq!(recorder.heard(), []);
        fixture.parts.clock.advance(TimeDelta::seconds(10));
    }
    assert_drains(&fixture.parts.database, SCHEMA).await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn an_event_that_fails_holds_up_no_other() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    recorder.refuse_next(1);
    fixture.write(0..3).await;
    let life = fixture.start_relay();
    until("the others arrive", async || {
        (numbers(&recorder) == [1, 2]).then_some(())
    })
    .await;
    until("they are forgotten", async || {
        (waiting(&fixture.parts.database, SCHEMA).await.len() == 1).then_some(())
    })
    .await;
    life.finish(Duration::from_secs(5)).await;
}

/// More events than a batch has, all refused: no other topic waits for them, and each waits longer every time.
#[tokio::test]
async fn a_topic_whose_events_are_refused_delays_no_other() {
    let fixture = Fixture::new().await;
    let bus = fixture.parts.bus.as_ref();
    let durability = Durability::Durable;
    let failing = Recorder::on(bus, "failing", "x", "k", durability).await;
    let other = Recorder::on(bus, "other", "x", "other", durability).await;
    failing.fail_next(usize::MAX);
    fixture.write(0..250).await;
    let mut transaction = fixture.pool.begin().await.expect("begins");
    let event = 250u32;
    let appended = fixture
        .outbox
        .append(&mut transaction, "x", "other", &event);
    appended.await.expect("appends");
    transaction.commit().await.expect("commits");

    let attempts =
        "SELECT max(attempts)::bigint FROM probe.outbox HAVING min(attempts) = max(attempts)";
    let relay = fixture.relay();
    let mut pause = TimeDelta::milliseconds(250);
    for attempt in 1..=10 {
        relay.drain().await;
        assert_eq!(numbers(&other), [250]);
        assert_eq!(fixture.parts.database.number(attempts).await, attempt);
        fixture
            .parts
            .clock
            .advance(pause - TimeDelta::milliseconds(1));
        relay.drain().await;
        assert_eq!(fixture.parts.database.number(attempts).await, attempt);
        fixture.parts.clock.advance(TimeDelta::milliseconds(1));
        pause = (pause * 2).min(TimeDelta::seconds(60));
    }
    failing.fail_next(0);
    relay.drain().await;
    assert_eq!(numbers(&failing), (0..250).collect::<Vec<_>>());
}

/// More events than a batch has, whose consumer's server is unavailable.
#[tokio::test]
async fn a_topic_in_an_outage_delays_no_other() {
    let fixture = Fixture::new().await;
    let bus = fixture.parts.bus.as_ref();
    let durability = Durability::Durable;
    let refusing = Recorder::on(bus, "refusing", "x", "k", durability).await;
    let other = Recorder::on(bus, "other", "x", "other", durability).await;
    refusing.refuse_next(usize::MAX);
    fixture.write(0..250).await;
    let others: Vec<u32> = (0..250).collect();
    let mut transaction = fixture.pool.begin().await.expect("begins");
    let appended = fixture
        .outbox
        .append_all(&mut transaction, "x", "other", &others);
    appended.await.expect("appends");
    transaction.commit().await.expect("commits");
    let life = fixture.start_relay();
    until("the other topic is published", async || {
        (numbers(&other) == others).then_some(())
    })
    .await;
    refusing.refuse_next(0);
    fixture.parts.clock.advance(TimeDelta::seconds(10));
    assert_drains(&fixture.parts.database, SCHEMA).await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_relays_publish_each_event_once() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    fixture.write(0..500).await;
    let lives = [fixture.start_relay(), fixture.start_relay()];
    assert_drains(&fixture.parts.database, SCHEMA).await;
    let mut published = numbers(&recorder);
    published.sort_unstable();
    assert_eq!(published, (0..500).collect::<Vec<_>>());
    for life in lives {
        life.finish(Duration::from_secs(5)).await;
    }
}

/// Accepts one message and then hangs forever, as if the process were killed in between.
#[derive(Default)]
struct Hanging(AtomicUsize);

#[async_trait]
impl Handler for Hanging {
    async fn handle(&self, _: &Message) -> Result<(), Fault> {
        if self.0.fetch_add(1, Ordering::SeqCst) == 1 {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

#[tokio::test]
async fn nothing_is_lost_where_a_relay_ends_in_the_middle() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    let hanging = Arc::new(Hanging::default());
    let durability = Durability::Durable;
    let subscription = Subscription {
        queue: "hanging",
        exchange: "x",
        key: "#",
        durability,
    };
    fixture
        .parts
        .bus
        .subscribe(subscription, hanging.clone())
        .await
        .expect("subscribes");
    fixture.write(0..3).await;
    let first = fixture.start_relay();
    until("the relay is in the middle", async || {
        (hanging.0.load(Ordering::SeqCst) == 2).then_some(())
    })
    .await;
    // The relay does not finish by itself: the hard stop drops it in the middle of its work.
    first.finish(Duration::from_millis(10)).await;
    assert_eq!(waiting(&fixture.parts.database, SCHEMA).await.len(), 3);

    let second = fixture.start_relay();
    assert_drains(&fixture.parts.database, SCHEMA).await;
    let published: BTreeSet<u32> = numbers(&recorder).into_iter().collect();
    assert_eq!(published, BTreeSet::from([0, 1, 2]));
    second.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_relay_that_is_asked_to_stop_first_publishes_what_is_there() {
    let fixture = Fixture::new().await;
    let recorder = fixture.recorder().await;
    let life = fixture.start_relay();
    fixture.write(0..5).await;
    life.finish(Duration::from_secs(5)).await;
    assert_eq!(numbers(&recorder), [0, 1, 2, 3, 4]);
}

//! A suite for every bus.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use chassis::{
    bus::{Bus, Durability, Handler, InProcessBus, Message, RabbitMqBus, Subscription},
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
    lifecycle::Lifecycle,
};
use cityguide_proto::{exchange, key};
use testkit::{bus::Recorder, proxy::FaultProxy, until};

fn message(exchange: &str, key: &str, payload: &'static str) -> Message {
    Message {
        id: uuid(&OsEntropy),
        exchange: exchange.to_owned(),
        key: key.to_owned(),
        payload: Bytes::from_static(payload.as_bytes()),
        traceparent: Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned()),
    }
}

async fn hears(recorder: &Recorder, messages: &[Message]) {
    until("the messages arrive", async || {
        (recorder.heard().len() >= messages.len()).then_some(())
    })
    .await;
    assert_eq!(recorder.heard(), messages);
}

async fn a_message_arrives_whole_wherever_its_exchange_and_key_are_bound(bus: &dyn Bus) {
    let durable = Durability::Durable;
    let one = Recorder::on(
        bus,
        "a.one",
        exchange::CATALOG,
        key::LISTINGS_CHANGED,
        durable,
    )
    .await;
    let all = Recorder::on(bus, "a.all", exchange::CATALOG, "#", durable).await;
    let elsewhere = Recorder::on(bus, "a.elsewhere", exchange::LAST_UPDATES, "#", durable).await;
    let fits = message(exchange::CATALOG, key::LISTINGS_CHANGED, "fits");
    let other_key = message(exchange::CATALOG, "article.changed", "other key");
    bus.publish(fits.clone()).await.expect("published");
    bus.publish(other_key.clone()).await.expect("published");
    hears(&all, &[fits.clone(), other_key]).await;
    hears(&one, &[fits]).await;
    hears(&elsewhere, &[]).await;
}

async fn what_nobody_listens_to_is_published_all_the_same(bus: &dyn Bus) {
    bus.publish(message("nobody", "listens", ""))
        .await
        .expect("published");
}

async fn a_durable_consumer_that_fails_gets_the_message_again(bus: &dyn Bus) {
    let failing = Recorder::on(bus, "b.failing", "b", "#", Durability::Durable).await;
    failing.refuse_next(1);
    let event = message("b", "x", "event");
    // Either the bus stores the message and retries, or the publisher receives an error and must retry.
    if bus.publish(event.clone()).await.is_err() {
        assert_eq!(failing.heard(), []);
        bus.publish(event.clone()).await.expect("published");
    }
    hears(&failing, &[event]).await;
}

async fn an_ephemeral_consumer_that_fails_is_its_own_loss(bus: &dyn Bus) {
    let failing = Recorder::on(bus, "c.failing", "c", "#", Durability::Ephemeral).await;
    let beside = Recorder::on(bus, "c.beside", "c", "#", Durability::Durable).await;
    failing.refuse_next(1);
    let event = message("c", "x", "event");
    bus.publish(event.clone()).await.expect("published");
    hears(&beside, &[event]).await;
}

async fn a_failing_consumer_keeps_nothing_from_the_others(bus: &dyn Bus) {
    let failing = Recorder::on(bus, "d.failing", "d", "#", Durability::Durable).await;
    let beside = Recorder::on(bus, "d.beside", "d", "#", Durability::Durable).await;
    failing.refuse_next(1);
    let event = message("d", "x", "event");
    let _ = bus.publish(event.clone()).await;
    until("the other consumer hears", async || {
        beside.heard().first().cloned()
    })
    .await;
}

async fn several_messages_arrive_in_order_and_each_is_tried_again_by_itself(bus: &dyn Bus) {
    let failing = Recorder::on(bus, "f.failing", "f", "#", Durability::Durable).await;
    let listening = Recorder::on(bus, "f.listening", "f", "#", Durability::Ephemeral).await;
    failing.refuse_next(1);
    let messages = ["one", "two", "three"].map(|payload| message("f", "x", payload));
    let outcomes = bus.publish_all(messages.to_vec()).await;
    for (message, outcome) in messages.iter().zip(outcomes) {
        if outcome.is_err() {
            bus.publish(message.clone()).await.expect("published");
        }
    }
    until("all have arrived", async || {
        (failing.heard().len() == 3).then_some(())
    })
    .await;
    assert_eq!(listening.heard()[..3], messages);
}

/// Handles batches of messages and fails batches with a certain message.
#[derive(Default)]
struct Together {
    alone: Recorder,
    together: Mutex<Vec<usize>>,
}

#[async_trait]
impl Handler for Together {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        self.alone.handle(message).await
    }

    fn can_handle_together(&self) -> bool {
        true
    }

    async fn handle_together(&self, messages: &[Message]) -> Result<(), Fault> {
        let mut together = self.together.lock().expect("no panic");
        together.push(messages.len());
        if messages.iter().any(|message| message.payload == "alone") {
            return Err(Fault::new(
                Code::Internal,
                "one of them cannot, as the test asked",
            ));
        }
        Ok(())
    }
}

/// RabbitMQ chooses its own batches, so this test uses the bus that delivers batches as published.
#[tokio::test]
async fn in_process_what_cannot_be_handled_together_is_handled_one_by_one() {
    let bus = InProcessBus::default();
    let handler = Arc::new(Together::default());
    let subscription = Subscription {
        queue: "together",
        exchange: "t",
        key: "#",
        durability: Durability::Durable,
    };
    bus.subscribe(subscription, handler.clone())
        .await
        .expect("subscribed");
    for payloads in [["a", "b"], ["c", "alone"]] {
        let messages = payloads.map(|payload| message("t", "x", payload));
        for outcome in bus.publish_all(messages.to_vec()).await {
            outcome.expect("published");
        }
    }
    assert_eq!(*handler.together.lock().expect("no panic"), [2, 2]);
    assert_eq!(handler.alone.payloads(), [b"c".to_vec(), b"alone".to_vec()]);
}

/// A handler of messages about an erased reader.
struct Gone;

#[async_trait]
impl Handler for Gone {
    async fn handle(&self, _: &Message) -> Result<(), Fault> {
        Err(Fault::new(
            Code::NotAuthenticated,
            "the account has been erased",
        ))
    }
}

#[tokio::test]
async fn in_process_a_message_about_an_erased_reader_is_handled() {
    let bus = InProcessBus::default();
    let subscription = Subscription::durable("gone", "t", "#");
    bus.subscribe(subscription, Arc::new(Gone))
        .await
        .expect("subscribed");
    bus.publish(message("t", "x", "late"))
        .await
        .expect("published");
}

/// A handler with a defect: it panics instead of returning an error.
struct Broken;

#[async_trait]
impl Handler for Broken {
    async fn handle(&self, _: &Message) -> Result<(), Fault> {
        panic!("a defect of a consumer, as the test asked");
    }
}

async fn a_consumer_that_panics_does_not_take_its_publisher_along(bus: &dyn Bus) {
    let durability = Durability::Ephemeral;
    let subscription = Subscription {
        queue: "e.broken",
        exchange: "e",
        key: "#",
        durability,
    };
    bus.subscribe(subscription, Arc::new(Broken))
        .await
        .expect("subscribed");
    let beside = Recorder::on(bus, "e.beside", "e", "#", Durability::Durable).await;
    let event = message("e", "x", "event");
    bus.publish(event.clone()).await.expect("published");
    hears(&beside, &[event]).await;
}

async fn conforms(bus: &dyn Bus) {
    a_message_arrives_whole_wherever_its_exchange_and_key_are_bound(bus).await;
    a_durable_consumer_that_fails_gets_the_message_again(bus).await;
    an_ephemeral_consumer_that_fails_is_its_own_loss(bus).await;
    a_failing_consumer_keeps_nothing_from_the_others(bus).await;
    a_consumer_that_panics_does_not_take_its_publisher_along(bus).await;
    several_messages_arrive_in_order_and_each_is_tried_again_by_itself(bus).await;
}

#[tokio::test]
async fn in_process() {
    conforms(&InProcessBus::default()).await;
    what_nobody_listens_to_is_published_all_the_same(&InProcessBus::default()).await;
}

/// A separate bus on the broker that `cargo xtask test` starts.
fn rabbitmq(life: &Lifecycle) -> RabbitMqBus {
    rabbitmq_named(&format!("test-{}", uuid(&OsEntropy)), life)
}

fn rabbitmq_named(namespace: &str, life: &Lifecycle) -> RabbitMqBus {
    let url = testkit::environment("CITYGUIDE_TEST_AMQP_URL");
    RabbitMqBus::new(&url, "", namespace, life).expect("an address")
}

#[tokio::test]
async fn rabbitmq_conforms() {
    let life = Lifecycle::new();
    conforms(&rabbitmq(&life)).await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_what_no_queue_takes_is_not_taken_from_the_outbox() {
    let life = Lifecycle::new();
    let bus = rabbitmq(&life);
    let event = message("early", "x", "event");
    bus.publish(event.clone())
        .await
        .expect_err("nobody keeps it");
    let late = Recorder::on(&bus, "late", "early", "#", Durability::Durable).await;
    bus.publish(event.clone()).await.expect("published");
    hears(&late, &[event]).await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_a_message_that_can_never_be_handled_becomes_a_dead_letter_until_it_is_replayed() {
    let life = Lifecycle::new();
    let bus = rabbitmq(&life);
    let poisoned = Recorder::on(&bus, "poisoned", "p", "#", Durability::Durable).await;
    poisoned.reject_next(1);
    let (poison, sound) = (message("p", "x", "poison"), message("p", "x", "sound"));
    bus.publish(poison.clone()).await.expect("published");
    bus.publish(sound.clone()).await.expect("published");
    hears(&poisoned, std::slice::from_ref(&sound)).await;
    let letters = until("it is a dead letter", async || {
        let letters = bus.dead_letters(10).await.expect("answers");
        (!letters.is_empty()).then_some(letters)
    })
    .await;
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].id, poison.id.to_string());
    assert!(letters[0].queue.ends_with(".poisoned"), "{letters:?}");
    assert_eq!(bus.replay_dead_letters(10).await.expect("answers"), 1);
    until("it is handled at last", async || {
        (poisoned.heard().len() == 2).then_some(())
    })
    .await;
    assert_eq!(poisoned.heard()[1].id, poison.id);
    assert_eq!(bus.dead_letters(10).await.expect("answers"), []);
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_a_message_without_a_queue_is_refused_alone_and_is_no_outage() {
    let life = Lifecycle::new();
    let bus = rabbitmq(&life);
    let bound = Recorder::on(&bus, "bound", "u", "bound", Durability::Durable).await;
    let messages = ["bound", "unbound", "bound"].map(|key| message("u", key, key));
    let outcomes = bus.publish_all(messages.to_vec()).await;
    let codes = outcomes
        .iter()
        .map(|outcome| outcome.as_ref().err().map(|error| error.code));
    assert_eq!(
        codes.collect::<Vec<_>>(),
        [None, Some(Code::NotFound), None]
    );
    let [first, _, last] = messages;
    hears(&bound, &[first, last]).await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_an_outage_makes_no_dead_letter_however_long_it_lasts() {
    let life = Lifecycle::new();
    let bus = rabbitmq(&life);
    let away = Recorder::on(&bus, "away", "o", "#", Durability::Durable).await;
    // More than the number of deliveries after which the broker dead-letters a message.
    away.refuse_next(22);
    let messages = ["one", "two"].map(|payload| message("o", "x", payload));
    for message in &messages {
        bus.publish(message.clone()).await.expect("published");
    }
    // The consumer pauses after each failure, which takes most of the time.
    until("the outage ends", async || {
        (away.heard().len() == messages.len()).then_some(())
    })
    .await;
    assert_eq!(away.heard(), messages);
    assert_eq!(bus.dead_letters(10).await.expect("answers"), []);
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_failures_of_a_message_are_counted_across_consumers_until_it_is_a_dead_letter() {
    let life = Lifecycle::new();
    let namespace = format!("test-{}", uuid(&OsEntropy));
    let bus = rabbitmq_named(&namespace, &life);
    let first = Recorder::on(&bus, "failing", "f", "#", Durability::Durable).await;
    // After its failures, the first consumer keeps the message during an outage, so all of them are stored.
    first.fail_next(8);
    first.refuse_next(usize::MAX);
    let (poison, sound) = (message("f", "a.key", "poison"), message("f", "x", "sound"));
    bus.publish(poison.clone()).await.expect("published");
    until("the first consumer has failed", async || {
        (first.refusals_left() < usize::MAX).then_some(())
    })
    .await;
    life.finish(Duration::from_secs(5)).await;

    let life = Lifecycle::new();
    let bus = rabbitmq_named(&namespace, &life);
    let second = Arc::new(Recorder::default());
    // Set before the subscription, which delivers the queued message immediately.
    second.fail_next(12);
    let subscription = Subscription::durable("failing", "f", "#");
    bus.subscribe(subscription, second.clone())
        .await
        .expect("subscribed");
    let letters = until("it is a dead letter", async || {
        let letters = bus.dead_letters(10).await.expect("answers");
        (!letters.is_empty()).then_some(letters)
    })
    .await;
    assert_eq!(letters.len(), 1);
    assert_eq!(letters[0].id, poison.id.to_string());
    assert_eq!(second.failures_left(), 0);
    bus.publish(sound.clone()).await.expect("published");
    hears(&second, &[sound]).await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_a_message_that_failed_comes_again_whole() {
    let life = Lifecycle::new();
    let bus = rabbitmq(&life);
    let failing = Recorder::on(&bus, "again", "g", "#", Durability::Durable).await;
    failing.fail_next(1);
    let (first, second) = (message("g", "a.key", "first"), message("g", "x", "second"));
    bus.publish(first.clone()).await.expect("published");
    until("it has failed", async || {
        (failing.failures_left() == 0).then_some(())
    })
    .await;
    bus.publish(second.clone()).await.expect("published");
    until("both have come", async || {
        (failing.heard().len() == 2).then_some(())
    })
    .await;
    assert!(failing.heard().contains(&first), "{:?}", failing.heard());
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_a_deleted_queue_is_noticed_told_of_and_declared_again() {
    let life = Lifecycle::new();
    let namespace = format!("test-{}", uuid(&OsEntropy));
    let bus = rabbitmq_named(&namespace, &life);
    let durable = Recorder::on(&bus, "deleted", "l", "#", Durability::Durable).await;
    let passing = Recorder::on(&bus, "passing", "l", "#", Durability::Ephemeral).await;
    assert_eq!(durable.lost(), 1, "at the first start");
    let url = testkit::environment("CITYGUIDE_TEST_AMQP_URL");
    testkit::bus::delete_queue(&url, &format!("{namespace}.deleted")).await;
    until("the loss is noticed", async || {
        (durable.lost() == 2).then_some(())
    })
    .await;
    let event = message("l", "x", "event");
    until("the queue is declared again", async || {
        bus.publish(event.clone()).await.expect("published");
        durable.heard().pop()
    })
    .await;
    assert_eq!(passing.lost(), 0, "a passing queue is no loss");
    life.finish(Duration::from_secs(5)).await;

    // A consumer that returns to its queue has lost no messages.
    let life = Lifecycle::new();
    let bus = rabbitmq_named(&namespace, &life);
    let again = Recorder::on(&bus, "deleted", "l", "#", Durability::Durable).await;
    assert_eq!(again.lost(), 0);
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn rabbitmq_that_is_away_is_no_reason_not_to_start() {
    let life = Lifecycle::new();
    let bus = RabbitMqBus::new("amqp://127.0.0.1:1", "", "away", &life).expect("an address");
    Recorder::on(&bus, "a", "a", "#", Durability::Durable).await;
    bus.publish(message("a", "x", "event"))
        .await
        .expect_err("nobody took it");
    life.finish(Duration::from_secs(5)).await;
}

/// Counts reported gaps.
#[derive(Default)]
struct Gaps(AtomicUsize);

#[async_trait]
impl Handler for Gaps {
    async fn handle(&self, _: &Message) -> Result<(), Fault> {
        Ok(())
    }

    async fn resumed(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn rabbitmq_tells_who_began_without_it_that_something_may_have_been_missed() {
    let life = Lifecycle::new();
    let url = testkit::environment("CITYGUIDE_TEST_AMQP_URL");
    let (proxy, url) = FaultProxy::before_url(&url).await;
    proxy.cut();
    let namespace = format!("test-{}", uuid(&OsEntropy));
    let bus = RabbitMqBus::new(&url, "", &namespace, &life).expect("an address");
    let gaps = Arc::new(Gaps::default());
    let subscription = Subscription {
        queue: "late",
        exchange: "m",
        key: "#",
        durability: Durability::Ephemeral,
    };
    let handler = Arc::clone(&gaps) as Arc<dyn Handler>;
    bus.subscribe(subscription, handler).await.expect("begins");
    assert_eq!(gaps.0.load(Ordering::Relaxed), 0);
    proxy.restore();
    until("the loss is reported", async || {
        (gaps.0.load(Ordering::Relaxed) == 1).then_some(())
    })
    .await;
    life.finish(Duration::from_secs(5)).await;
}

/// The in-process bus stores no messages: the publisher's outbox is its queue.
#[tokio::test]
async fn in_process_a_publication_fails_while_a_durable_consumer_fails() {
    let bus = InProcessBus::default();
    let failing = Recorder::on(&bus, "failing", "x", "#", Durability::Durable).await;
    failing.refuse_next(1);
    bus.publish(message("x", "x", "event"))
        .await
        .expect_err("told to try again");
    let subscription = Subscription {
        queue: "broken",
        exchange: "y",
        key: "#",
        durability: Durability::Durable,
    };
    bus.subscribe(subscription, Arc::new(Broken))
        .await
        .expect("subscribed");
    bus.publish(message("y", "x", "event"))
        .await
        .expect_err("told to try again");
}

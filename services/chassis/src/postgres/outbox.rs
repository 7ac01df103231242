//! The transactional outbox: a use case appends its events in its own transaction; after the commit the relay publishes
//! them and deletes each when the bus has stored it.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use tokio::sync::Notify;
use uuid::Uuid;

use super::under_way::UnderWay;
use crate::{
    bus::{Message, SharedBus},
    clock::SharedClock,
    entropy::{self, SharedEntropy},
    error::Fault,
    lifecycle::Lifecycle,
    trace,
};

/// The relay's polling interval, for events of other processes and missed wake-ups.
const POLL: Duration = Duration::from_millis(250);
/// The interval at which depth and age are measured.
const MEASURE: Duration = Duration::from_secs(5);
/// The maximum number of events of one topic (exchange and key) published in one transaction. Each topic has its own
/// share, so that a topic whose events are refused delays no other.
const BATCH: i64 = 100;
/// After a poll that found this many events, the relay pauses briefly, so that more events share one transaction and
/// one round trip to the bus. A single event is delayed only directly after such a burst.
const BURST: i64 = 4;
const BURST_PAUSE: Duration = Duration::from_millis(4);
/// The maximum delay between two attempts to publish an event during an outage of the bus. After a long outage, one
/// event may be delayed by this much, and the outbox must be empty 30 s after the outage.
const MAX_PAUSE_IN_OUTAGE: TimeDelta = TimeDelta::seconds(10);
/// The maximum delay between two attempts to publish an event that the bus refuses.
const MAX_PAUSE: TimeDelta = TimeDelta::seconds(60);

/// The outbox to which use cases append their events.
#[derive(Clone)]
pub struct Outbox {
    clock: SharedClock,
    entropy: SharedEntropy,
    wake: Arc<Notify>,
    publishing: UnderWay,
}

crate::opaque_debug!(Outbox);

/// An event that the statement of the change itself inserts into the outbox; see [`stamped!`](crate::stamped).
#[derive(Debug)]
pub struct Event {
    /// The event's id.
    pub id: Uuid,
    /// The exchange that the event is published to.
    pub exchange: &'static str,
    /// The routing key.
    pub key: &'static str,
    /// The protobuf encoding, to which the statement may append fields.
    pub payload: Vec<u8>,
    /// The W3C trace context of the change, if it is traced.
    pub traceparent: Option<String>,
}

impl Outbox {
    /// The outbox of a service.
    #[must_use]
    pub fn new(clock: SharedClock, entropy: SharedEntropy) -> Self {
        Self {
            clock,
            entropy,
            wake: Arc::new(Notify::new()),
            publishing: UnderWay::default(),
        }
    }

    /// Appends an event to the transaction of its change.
    pub async fn append(
        &self,
        transaction: &mut PgConnection,
        exchange: &str,
        key: &str,
        event: &impl prost::Message,
    ) -> Result<(), sqlx::Error> {
        self.append_for_later(transaction, exchange, key, event, Duration::ZERO)
            .await
    }

    /// Appends an event that must not be published before some time has passed.
    pub async fn append_for_later(
        &self,
        transaction: &mut PgConnection,
        exchange: &str,
        key: &str,
        event: &impl prost::Message,
        delay: Duration,
    ) -> Result<(), sqlx::Error> {
        let now = self.clock.now();
        sqlx::query!(
            "INSERT INTO outbox (id, exchange, key, payload, traceparent, created_at, next_attempt_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            entropy::uuid(self.entropy.as_ref()),
            exchange,
            key,
            event.encode_to_vec(),
            trace::current(),
            now,
            now + delay,
        )
        .execute(transaction)
        .await?;
        Ok(())
    }

    /// Appends several events of one kind in one statement, in order.
    pub async fn append_all(
        &self,
        transaction: &mut PgConnection,
        exchange: &str,
        key: &str,
        events: &[impl prost::Message],
    ) -> Result<(), sqlx::Error> {
        let ids = events.iter().map(|_| entropy::uuid(self.entropy.as_ref()));
        let payloads = events.iter().map(prost::Message::encode_to_vec);
        sqlx::query!(
            "INSERT INTO outbox (id, exchange, key, payload, traceparent, created_at, next_attempt_at)
             SELECT id, $3, $4, payload, $5, $6, $6
             FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS event (id, payload, position)
             ORDER BY position",
            &ids.collect::<Vec<_>>(),
            &payloads.collect::<Vec<_>>(),
            exchange,
            key,
            trace::current(),
            self.clock.now(),
        )
        .execute(transaction)
        .await?;
        Ok(())
    }

    /// A new event, for a statement that inserts it itself.
    pub(super) fn event(
        &self,
        exchange: &'static str,
        key: &'static str,
        event: &impl prost::Message,
    ) -> Event {
        Event {
            id: entropy::uuid(self.entropy.as_ref()),
            exchange,
            key,
            payload: event.encode_to_vec(),
            traceparent: trace::current(),
        }
    }

    /// Commits the transaction, then wakes this process's relay.
    pub async fn commit(&self, transaction: Transaction<'_, Postgres>) -> Result<(), sqlx::Error> {
        transaction.commit().await?;
        self.wake();
        Ok(())
    }

    /// Wakes this process's relay, after a commit with events.
    pub fn wake(&self) {
        self.wake.notify_one();
    }
}

/// The pending events of an outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsent {
    /// The number of pending events.
    pub events: i64,
    /// When the oldest pending event was created.
    pub oldest: Option<DateTime<Utc>>,
}

/// Publishes the events of a service's outbox. Several relays may run concurrently.
#[derive(Clone)]
pub struct Relay {
    service: &'static str,
    pool: PgPool,
    bus: SharedBus,
    clock: SharedClock,
    wake: Arc<Notify>,
    publishing: UnderWay,
}

impl std::fmt::Debug for Relay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Relay")
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

impl Relay {
    /// The relay of a service.
    #[must_use]
    pub fn new(service: &'static str, pool: PgPool, bus: SharedBus, outbox: &Outbox) -> Self {
        let (clock, wake) = (Arc::clone(&outbox.clock), Arc::clone(&outbox.wake));
        Self {
            service,
            pool,
            bus,
            clock,
            wake,
            publishing: outbox.publishing.clone(),
        }
    }

    /// Runs in the background until the process stops.
    pub fn start(self, life: &Lifecycle) {
        let stopping = life.clone();
        life.supervise("outbox relay", move || self.clone().run(stopping.clone()));
    }

    async fn run(self, stopping: Lifecycle) {
        let mut measured = tokio::time::Instant::now();
        let mut is_busy = false;
        while !stopping.is_stopping() {
            let was_woken = tokio::select! {
                () = stopping.stopping() => true,
                () = self.wake.notified() => true,
                () = tokio::time::sleep(POLL) => false,
            };
            if is_busy {
                tokio::time::sleep(BURST_PAUSE).await;
            }
            // Most polls find nothing; the check needs no transaction.
            is_busy = (was_woken || self.is_due().await) && self.publish_due().await >= BURST;
            if measured.elapsed() >= MEASURE {
                measured = tokio::time::Instant::now();
                self.measure().await;
            }
        }
    }

    /// Whether events are due. A failed query counts as due, so that publishing logs the reason.
    async fn is_due(&self) -> bool {
        let due = sqlx::query_scalar!(
            r#"SELECT EXISTS (
                 SELECT FROM outbox_topic topic WHERE EXISTS (
                   SELECT FROM outbox
                   WHERE exchange = topic.exchange AND key = topic.key AND next_attempt_at <= $1)
               ) AS "is_due!""#,
            self.clock.now(),
        );
        due.fetch_one(&self.pool).await.unwrap_or(true)
    }

    /// Publishes events until none is due, and waits for concurrent relays; returns the number of publications so far.
    /// Tests call it instead of waiting.
    pub async fn drain(&self) -> usize {
        while self.is_due().await {
            self.publish_due().await;
            self.publishing.ended().await;
        }
        self.publishing.ended().await
    }

    /// Publishes due events; returns how many it found.
    async fn publish_due(&self) -> i64 {
        let _publishing = self.publishing.begin();
        let mut all = 0;
        loop {
            match self.publish_batch().await {
                Ok(seen) => {
                    all += seen;
                    if seen < BATCH {
                        return all;
                    }
                }
                Err(error) => {
                    tracing::warn!(service = self.service, %error, "the outbox cannot be read");
                    return all;
                }
            }
        }
    }

    /// Publishes a batch in insertion order; returns the number of events in it, or 0 if none could be published and
    /// the relay should pause.
    async fn publish_batch(&self) -> Result<i64, Fault> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        let due = sqlx::query!(
            "SELECT due.seq, due.id, due.exchange, due.key, due.payload, due.traceparent, due.attempts
             FROM outbox_topic topic CROSS JOIN LATERAL (
               SELECT * FROM outbox
               WHERE exchange = topic.exchange AND key = topic.key AND next_attempt_at <= $1
               ORDER BY next_attempt_at, seq LIMIT $2
               FOR UPDATE SKIP LOCKED
             ) due
             ORDER BY due.next_attempt_at, due.seq",
            now,
            BATCH,
        )
        .fetch_all(&mut *transaction)
        .await?;
        let seen = i64::try_from(due.len()).unwrap_or(BATCH);
        let (mut events, mut messages) = (Vec::new(), Vec::new());
        let mut spans = Vec::new();
        for row in due {
            let span = tracing::info_span!(
                "publish",
                otel.name = format!("publish {}", row.exchange),
                otel.kind = "producer",
                event = %row.id,
            );
            trace::continue_from(&span, row.traceparent.as_deref());
            messages.push(Message {
                id: row.id,
                exchange: row.exchange,
                key: row.key,
                payload: row.payload.into(),
                traceparent: span.in_scope(trace::current),
            });
            events.push((row.seq, row.id, row.attempts));
            spans.push(span);
        }
        let outcomes = self.bus.publish_all(messages).await;
        drop(spans);

        let mut sent = Vec::with_capacity(events.len());
        let mut failed = Vec::new();
        for ((seq, id, attempts), outcome) in events.into_iter().zip(outcomes) {
            match outcome {
                Ok(()) => sent.push(seq),
                Err(error) => failed.push((seq, id, attempts, error)),
            }
        }
        // In an outage, only the first event's delay grows, and the others are retried at the next poll, so that all are
        // published soon after the outage.
        let mut is_outage = false;
        failed.retain(|(.., error)| {
            let is_next = error.code.is_outage() && std::mem::replace(&mut is_outage, true);
            !is_next
        });
        if let Some((_, id, attempts, error)) = failed.first() {
            tracing::warn!(
                service = self.service, event = %id, attempts, events = failed.len(), %error,
                "publishing events failed; they stay in the outbox"
            );
        }
        let refused = failed.iter().filter(|(.., error)| !error.code.is_outage());
        metrics::counter!("outbox_refused_total", "service" => self.service)
            .increment(refused.count() as u64);
        let (seqs, retries): (Vec<i64>, Vec<DateTime<Utc>>) = failed
            .iter()
            .map(|(seq, _, attempts, error)| {
                let max_pause = if error.code.is_outage() {
                    MAX_PAUSE_IN_OUTAGE
                } else {
                    MAX_PAUSE
                };
                let pause = TimeDelta::milliseconds(250 << (*attempts).clamp(0, 10)).min(max_pause);
                (*seq, now + pause)
            })
            .unzip();
        // One statement: a batch of refused events must not delay the next batch.
        if !seqs.is_empty() {
            sqlx::query!(
                "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = retry.at
                 FROM unnest($1::bigint[], $2::timestamptz[]) AS retry (seq, at) WHERE outbox.seq = retry.seq",
                &seqs,
                &retries,
            )
            .execute(&mut *transaction)
            .await?;
        }
        if !sent.is_empty() {
            sqlx::query!("DELETE FROM outbox WHERE seq = ANY($1)", &sent)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        metrics::counter!("outbox_published_total", "service" => self.service)
            .increment(sent.len() as u64);
        Ok(if sent.is_empty() { 0 } else { seen })
    }

    async fn measure(&self) {
        let Ok(unsent) = self.unsent().await else {
            return;
        };
        let age = unsent.oldest.map_or(0.0, |oldest| {
            (self.clock.now() - oldest)
                .to_std()
                .map_or(0.0, |age| age.as_secs_f64())
        });
        metrics::gauge!("outbox_events", "service" => self.service)
            .set(u32::try_from(unsent.events).map_or(f64::from(u32::MAX), f64::from));
        metrics::gauge!("outbox_oldest_age_seconds", "service" => self.service).set(age);
    }

    /// The pending events.
    pub async fn unsent(&self) -> Result<Unsent, Fault> {
        let row =
            sqlx::query!(r#"SELECT count(*) AS "events!", min(created_at) AS oldest FROM outbox"#)
                .fetch_one(&self.pool)
                .await?;
        Ok(Unsent {
            events: row.events,
            oldest: row.oldest,
        })
    }
}

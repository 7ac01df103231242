//! Hands queued mail over, one after another: however many relays there are, a mail is in the hands of
//! one at a time.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;
use tokio::sync::Notify;
use tracing::Instrument;
use uuid::Uuid;

use super::MailQueue;
use crate::{
    clock::SharedClock,
    error::Fault,
    lifecycle::Lifecycle,
    mail::{Letter, Mail, Mailbox, PostOffice, Reply, Undelivered},
    postgres::jobs::{HOUR, PeriodicJobs},
    trace,
};

/// The relay polls this often, for mail that another process queued and for retries.
const POLL: Duration = Duration::from_millis(500);
/// The period of the queue's metrics.
const MEASURE: Duration = Duration::from_secs(5);
/// The lease of a mail that a relay is sending. It is longer than a mailer may take, so that a mail goes
/// out twice only when its relay has died, and then under the same `Message-ID`.
const LEASE: TimeDelta = TimeDelta::seconds(90);
/// The longest pause between two tries while no mail server takes mail.
const LONGEST_ABSENCE: TimeDelta = TimeDelta::seconds(30);
/// The first pause after a server has asked for a mail again later …
const FIRST_DELAY: TimeDelta = TimeDelta::minutes(1);
/// … and the longest (RFC 5321, 4.5.4.1).
const LONGEST_DELAY: TimeDelta = TimeDelta::minutes(30);
/// A refused mail is kept this long for an operator.
const REFUSED_KEPT: TimeDelta = TimeDelta::days(30);

/// Sends what stands in one service's queue. Any number may run at once.
#[derive(Clone)]
pub struct MailRelay {
    service: &'static str,
    pool: PgPool,
    office: PostOffice,
    clock: SharedClock,
    wake: Arc<Notify>,
}

impl std::fmt::Debug for MailRelay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailRelay")
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

/// A mail that is in this relay's hands.
struct Held {
    id: Uuid,
    kind: String,
    recipient: String,
    reply_name: Option<String>,
    reply_address: Option<String>,
    subject: String,
    body: String,
    traceparent: Option<String>,
    created_at: DateTime<Utc>,
    /// This one included.
    attempts: i32,
}

impl MailRelay {
    /// The relay of a service.
    #[must_use]
    pub fn new(service: &'static str, pool: PgPool, office: PostOffice, queue: &MailQueue) -> Self {
        let (clock, wake) = (Arc::clone(&queue.clock), Arc::clone(&queue.wake));
        Self {
            service,
            pool,
            office,
            clock,
            wake,
        }
    }

    /// Runs in the background until the process stops.
    pub fn start(self, life: &Lifecycle, jobs: &PeriodicJobs) {
        let (pool, clock) = (self.pool.clone(), Arc::clone(&self.clock));
        jobs.every(life, "forget refused mail", HOUR, move || {
            let (pool, now) = (pool.clone(), clock.now());
            async move { forget_refused(&pool, now).await }
        });
        let stopping = life.clone();
        life.spawn("mail relay", async move {
            let mut measured = tokio::time::Instant::now();
            let mut not_before = DateTime::UNIX_EPOCH;
            while !stopping.is_stopping() {
                tokio::select! {
                    () = stopping.stopping() => {}
                    () = self.wake.notified() => {}
                    () = tokio::time::sleep(POLL) => {}
                }
                if self.clock.now() >= not_before {
                    not_before = self.drain(&stopping).await;
                }
                if measured.elapsed() >= MEASURE {
                    measured = tokio::time::Instant::now();
                    self.measure().await;
                }
            }
        });
    }

    /// Sends what is due; answers when it is worth to look again.
    async fn drain(&self, stopping: &Lifecycle) -> DateTime<Utc> {
        while !stopping.is_stopping() {
            match self.send_next().await {
                Ok(Round::Sent) => {}
                Ok(Round::NothingDue) => break,
                Ok(Round::Away(until)) => return until,
                Err(error) => {
                    tracing::warn!(service = self.service, %error, "the mail queue cannot be read");
                    break;
                }
            }
        }
        DateTime::UNIX_EPOCH
    }

    async fn send_next(&self) -> Result<Round, Fault> {
        let Some(held) = self.take().await? else {
            return Ok(Round::NothingDue);
        };
        let span = tracing::info_span!(
            "send mail", otel.kind = "producer", mail = %held.id, kind = held.kind
        );
        trace::continue_from(&span, held.traceparent.as_deref());
        async {
            let outcome = match letter(&self.office.from, &held) {
                Ok(letter) => self.office.mailer.send(&letter).await,
                Err(words) => Err(Undelivered::Refused(Reply { code: 0, words })),
            };
            self.settle(&held, outcome).await
        }
        .instrument(span)
        .await
    }

    /// Takes the mail that has been due for longest into this relay's hands.
    async fn take(&self) -> Result<Option<Held>, sqlx::Error> {
        let now = self.clock.now();
        sqlx::query_as!(
            Held,
            "UPDATE mails SET attempts = attempts + 1, next_attempt_at = $2
             WHERE id = (SELECT id FROM mails WHERE refused_at IS NULL AND next_attempt_at <= $1
                         ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
             RETURNING id, kind, recipient, reply_name, reply_address, subject, body, traceparent,
                created_at, attempts",
            now,
            now + LEASE,
        )
        .fetch_optional(&self.pool)
        .await
    }

    async fn settle(&self, held: &Held, outcome: Result<(), Undelivered>) -> Result<Round, Fault> {
        let (id, attempts) = (held.id, held.attempts);
        let now = self.clock.now();
        let (round, told) = match outcome {
            Ok(()) => {
                sqlx::query!("DELETE FROM mails WHERE id = $1", id)
                    .execute(&self.pool)
                    .await?;
                (Round::Sent, "sent")
            }
            Err(Undelivered::Away(why)) => {
                let until = now + growing(TimeDelta::seconds(1), attempts, LONGEST_ABSENCE);
                self.postpone(id, until).await?;
                let service = self.service;
                tracing::warn!(service, mail = %id, attempts, why, "no mail can be sent; it stays");
                (Round::Away(until), "away")
            }
            Err(Undelivered::Later(Reply { code, .. })) => {
                let until = now + growing(FIRST_DELAY, attempts, LONGEST_DELAY);
                self.postpone(id, until).await?;
                let service = self.service;
                tracing::info!(service, mail = %id, attempts, code, "a mail is to be sent again later");
                (Round::Sent, "later")
            }
            Err(Undelivered::Refused(Reply { code, words })) => {
                sqlx::query!(
                    "UPDATE mails SET refused_at = $2, refusal = $3 WHERE id = $1",
                    id,
                    now,
                    words,
                )
                .execute(&self.pool)
                .await?;
                let service = self.service;
                tracing::error!(service, mail = %id, code, "a mail was refused for good; it is kept");
                (Round::Sent, "refused")
            }
        };
        metrics::counter!("mail_attempts_total", "service" => self.service, "outcome" => told)
            .increment(1);
        Ok(round)
    }

    async fn postpone(&self, id: Uuid, until: DateTime<Utc>) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "UPDATE mails SET next_attempt_at = $2 WHERE id = $1",
            id,
            until
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    async fn measure(&self) {
        let counted = sqlx::query!(
            r#"SELECT count(*) FILTER (WHERE refused_at IS NULL) AS "waiting!",
                count(refused_at) AS "refused!",
                min(created_at) FILTER (WHERE refused_at IS NULL) AS oldest
               FROM mails"#
        )
        .fetch_one(&self.pool)
        .await;
        let Ok(counted) = counted else { return };
        let told = |count| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
        let age = counted
            .oldest
            .and_then(|oldest| (self.clock.now() - oldest).to_std().ok());
        let age = age.map_or(0.0, |age| age.as_secs_f64());
        metrics::gauge!("mail_waiting", "service" => self.service).set(told(counted.waiting));
        metrics::gauge!("mail_refused", "service" => self.service).set(told(counted.refused));
        metrics::gauge!("mail_oldest_age_seconds", "service" => self.service).set(age);
    }
}

/// The outcome of one look at the queue.
enum Round {
    Sent,
    NothingDue,
    /// Nobody takes mail; another look is worth it then.
    Away(DateTime<Utc>),
}

/// A pause that doubles with each try, from the first one's on.
fn growing(first: TimeDelta, attempts: i32, longest: TimeDelta) -> TimeDelta {
    let doubled = first * (1 << (attempts - 1).clamp(0, 10));
    doubled.min(longest)
}

fn letter(from: &Mailbox, held: &Held) -> Result<Letter, String> {
    let address = |text: &str| text.parse().map_err(|error| format!("no address: {error}"));
    let reply_to = match &held.reply_address {
        None => None,
        Some(reply) => Some(Mailbox::new(held.reply_name.clone(), address(reply)?)),
    };
    let mail = Mail {
        kind: "",
        to: address(&held.recipient)?,
        reply_to,
        subject: held.subject.clone(),
        text: held.body.clone(),
    };
    Letter::write(held.id, from, &mail, held.created_at).map_err(|fault| fault.message)
}

/// Forgets mail that was refused long ago; answers how much.
pub async fn forget_refused(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let done = sqlx::query!(
        "DELETE FROM mails WHERE refused_at <= $1",
        now - REFUSED_KEPT
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected())
}

//! Replays: a consumer whose queue was lost requests that the owner of its events publish them again.

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{events::v1::ReplayRequest, exchange::REPLAY};
use futures::future::BoxFuture;
use sqlx::PgPool;
use uuid::Uuid;

use super::Outbox;
use crate::{
    bus::{Handler, Message, decode},
    error::Fault,
    instant,
};

/// The delay of a replay. Its events must find the queue, which is declared after the request, so the delay exceeds the
/// time that the bus may take for that.
const AFTER: Duration = Duration::from_secs(10);
/// Events arrive slightly out of order, because of the relay's pauses and clock differences.
const OVERLAP: TimeDelta = TimeDelta::hours(1);

/// Requests, through the consumer's outbox, a replay of the changes since the last handled event. `exchange` is the
/// exchange that `queue` is bound to.
pub async fn request_replay(
    pool: &PgPool,
    outbox: &Outbox,
    queue: &str,
    exchange: &str,
) -> Result<(), Fault> {
    let mut transaction = pool.begin().await?;
    let last = sqlx::query_scalar!("SELECT max(handled_at) FROM inbox WHERE queue = $1", queue)
        .fetch_one(&mut *transaction)
        .await?;
    let request = ReplayRequest {
        since: last.map(|last| instant::to_proto(last - OVERLAP)),
    };
    outbox
        .append_for_later(&mut transaction, REPLAY, exchange, &request, AFTER)
        .await?;
    outbox.commit(transaction).await?;
    Ok(())
}

/// A delivered event: the queue and the event's id, for [`super::first_time`].
pub type Delivered = (&'static str, Uuid);

type Handle<E> = dyn Fn(Delivered, E) -> BoxFuture<'static, Result<(), Fault>> + Send + Sync;

/// The consumer's side: handles the events of one kind, and requests a replay from their owner if its queue was lost.
pub struct EventConsumer<E> {
    queue: &'static str,
    exchange: &'static str,
    pool: PgPool,
    outbox: Outbox,
    handle: Box<Handle<E>>,
}

impl<E> std::fmt::Debug for EventConsumer<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EventConsumer")
            .field("queue", &self.queue)
            .finish_non_exhaustive()
    }
}

impl<E> EventConsumer<E> {
    /// Creates a consumer of a queue bound to an exchange; `handle` receives each event at least once.
    pub fn new<F>(
        (queue, exchange): (&'static str, &'static str),
        pool: &PgPool,
        outbox: &Outbox,
        handle: impl Fn(Delivered, E) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), Fault>> + Send + 'static,
    {
        Self {
            queue,
            exchange,
            pool: pool.clone(),
            outbox: outbox.clone(),
            handle: Box::new(move |delivered, event| Box::pin(handle(delivered, event))),
        }
    }
}

#[async_trait]
impl<E: prost::Message + Default + 'static> Handler for EventConsumer<E> {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        (self.handle)((self.queue, message.id), decode(message)?).await
    }

    async fn lost(&self) -> Result<(), Fault> {
        request_replay(&self.pool, &self.outbox, self.queue, self.exchange).await
    }
}

type Replay = dyn Fn(Option<DateTime<Utc>>) -> BoxFuture<'static, Result<u64, Fault>> + Send + Sync;

/// The owner's side: publishes the owner's events again when a consumer requests it.
pub struct ReplayConsumer {
    replay: Box<Replay>,
}

crate::opaque_debug!(ReplayConsumer);

impl ReplayConsumer {
    /// `replay` appends the events since an instant, or all events, to the owner's outbox and returns how many. An
    /// owner that does not store the times of its changes replays all.
    pub fn new<F>(replay: impl Fn(Option<DateTime<Utc>>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<u64, Fault>> + Send + 'static,
    {
        Self {
            replay: Box::new(move |since| Box::pin(replay(since))),
        }
    }
}

#[async_trait]
impl Handler for ReplayConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let request: ReplayRequest = decode(message)?;
        let since = request.since.as_ref().and_then(instant::from_proto);
        let replayed = (self.replay)(since).await?;
        tracing::info!(exchange = message.key, replayed, "events replayed");
        Ok(())
    }
}

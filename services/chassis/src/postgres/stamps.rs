//! Stamps: when a reader's saved things of one kind last changed, and how many there are (`last_updates` of
//! the HTTP API). The service that owns the things writes the stamp and its event in the transaction of the
//! change, so `hi/` is right whatever the broker does.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{
    events::v1::LastUpdated,
    exchange, key,
    readers::v1::ExportResponse,
    saved::v1::{self as proto, GetStampsResponse},
};
use sqlx::{PgConnection, PgPool};

use super::{Event, Outbox, erased};
use crate::{
    batcher::Batcher,
    clock::SharedClock,
    error::Fault,
    instant,
    readers::{self, Erasure},
    sql,
};

/// A change that is older than this has been committed or given up, because calls end by their deadline
/// long before. A map read now therefore holds every change stamped earlier than this.
const SETTLED_AFTER: TimeDelta = TimeDelta::seconds(30);
/// Stamps replayed in one transaction.
const REPLAY_BATCH: i64 = 500;

/// A change that has been stamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touched {
    /// The instant of the change.
    pub at: DateTime<Utc>,
    /// The change before it; `None` for the first of all.
    pub previous: Option<DateTime<Utc>>,
}

/// The last change of one kind, and the number of things after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The name of the kind.
    pub kind: String,
    /// The last change.
    pub at: DateTime<Utc>,
    /// The number of saved things.
    pub count: i64,
}

/// One service's `stamps` table.
#[derive(Clone)]
pub struct Stamps {
    pool: PgPool,
    outbox: Outbox,
    clock: SharedClock,
    readers: Batcher<i64, Vec<Stamp>>,
}

/// A change of one of a reader's things, with the event that announces it.
#[derive(Debug)]
pub struct Change {
    /// The reader.
    pub profile_id: i64,
    /// The name of the thing's kind.
    pub kind: &'static str,
    /// The instant of the change; its stamp is later where the last stamp is.
    pub now: DateTime<Utc>,
    /// By how much the number of things changes.
    pub delta: i64,
    /// The event without its instant, which the statement of the change adds.
    pub event: Event,
}

/// The thing that changed, and the stamp of the change.
#[derive(Debug)]
pub struct Stamped {
    /// The thing's id.
    pub id: i64,
    /// When the thing was made.
    pub created_at: DateTime<Utc>,
    /// The stamp.
    pub at: DateTime<Utc>,
    /// The stamp before it; `None` for the first of all.
    pub previous: Option<DateTime<Utc>>,
}

impl Stamped {
    /// The stamp alone.
    #[must_use]
    pub const fn touched(&self) -> Touched {
        Touched {
            at: self.at,
            previous: self.previous,
        }
    }
}

/// The query of a [`Stamped`] thing: a statement that changes at most one of a reader's things and returns its `id` and
/// `created_at`; and, if it changed one, the stamp and the event in the outbox. All are one statement, because a write's
/// time goes into round trips. After its commit, [`Outbox::wake`](crate::postgres::Outbox::wake) has the event
/// published at once.
///
/// The statement's first parameters are those of the [`Change`](crate::postgres::stamps::Change): `$1` the reader, `$2`
/// the kind, `$3` the instant; `$4` to `$9` are for the stamp and the event. Its own begin with `$10`. The field `at` of
/// the event, [`LastUpdated`](cityguide_proto::events::v1::LastUpdated), has the number 3 and twelve bytes.
///
/// Stamps of one reader and kind strictly increase, even if two changes share a millisecond or clocks differ: the
/// stamp's row is locked until the transaction ends, which orders the reader's changes.
#[macro_export]
macro_rules! stamped {
    ($statement:literal, $change:expr $(, $argument:expr)* $(,)?) => {
        ::sqlx::query_as!(
            $crate::postgres::stamps::Stamped,
            "WITH changed AS ("
            + $statement
            + "), stamped AS (
                 INSERT INTO stamps AS s (profile_id, kind, at, count)
                 SELECT $1, $2, $3, greatest($4::bigint, 0) FROM changed
                 ON CONFLICT (profile_id, kind) DO UPDATE
                 SET at = greatest(excluded.at, s.at + interval '1 millisecond'), previous_at = s.at,
                     count = s.count + $4
                 RETURNING at, previous_at
             ), announced AS (
                 INSERT INTO outbox (id, exchange, key, payload, traceparent, created_at, next_attempt_at)
                 SELECT $5, $6, $7, $8 || '\\x1a0c'::bytea || protobuf_timestamp(at), $9, $3, $3 FROM stamped
             )
             SELECT id AS \"id!\", created_at AS \"created_at!\", at AS \"at!\", previous_at AS previous
             FROM changed, stamped",
            $change.profile_id,
            $change.kind,
            $change.now,
            $change.delta,
            $change.event.id,
            $change.event.exchange,
            $change.event.key,
            $change.event.payload,
            $change.event.traceparent,
            $($argument),*
        )
    };
}

impl std::fmt::Debug for Stamps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stamps").finish_non_exhaustive()
    }
}

impl Stamps {
    /// The stamps of a service that has chosen [`super::Part::Stamps`].
    #[must_use]
    pub fn new(pool: PgPool, outbox: Outbox, clock: SharedClock) -> Self {
        let reading = pool.clone();
        let readers = Batcher::new(move |profile_ids: Vec<i64>| {
            let pool = reading.clone();
            async move { Ok(by_reader(&pool, &profile_ids).await?) }
        });
        Self {
            pool,
            outbox,
            clock,
            readers,
        }
    }

    /// A change that is made now, for [`stamped!`](crate::stamped): it moves the number of things by `delta`.
    #[must_use]
    pub fn change(&self, profile_id: i64, kind: impl Into<&'static str>, delta: i64) -> Change {
        let kind = kind.into();
        let event = LastUpdated {
            profile_id,
            kind: kind.to_owned(),
            at: None,
        };
        Change {
            profile_id,
            kind,
            now: self.clock.now(),
            delta,
            event: self
                .outbox
                .event(exchange::LAST_UPDATES, key::LAST_UPDATED, &event),
        }
    }

    /// The stamp of one kind; `None` if there never was a change.
    pub async fn find(
        &self,
        profile_id: i64,
        kind: impl Into<&'static str>,
    ) -> Result<Option<Stamp>, sqlx::Error> {
        find(&self.pool, profile_id, kind.into()).await
    }

    /// The stamp of a call that changed nothing: the kind's last, twice. `unless` is the instant for a kind that never
    /// changed.
    pub async fn unchanged(
        &self,
        profile_id: i64,
        kind: impl Into<&'static str>,
        unless: DateTime<Utc>,
    ) -> Result<Touched, sqlx::Error> {
        let stamp = self.find(profile_id, kind).await?;
        let at = stamp.map_or(unless, |stamp| stamp.at);
        let previous = Some(at);
        Ok(Touched { at, previous })
    }

    /// A reader's stamps, of every kind that ever changed. Parallel calls share a query.
    pub async fn by_reader(&self, profile_id: i64) -> Result<Vec<Stamp>, Fault> {
        self.readers.get(profile_id).await
    }

    /// The answer to an owner's `GetStamps`: a reader's stamps, of every kind that ever changed.
    pub async fn answer(&self, profile_id: i64) -> Result<GetStampsResponse, Fault> {
        let stamps = self.by_reader(profile_id).await?;
        let stamps = stamps.into_iter().map(|stamp| proto::Stamp {
            kind: stamp.kind,
            at: Some(instant::to_proto(stamp.at)),
            count: stamp.count,
        });
        Ok(GetStampsResponse {
            stamps: stamps.collect(),
        })
    }

    /// The instant up to which a map that is read after this call holds every change. A change that comes in
    /// between is in the map and its stamp is later: the client makes one request more than needed, and never
    /// keeps a map that lacks a change.
    pub async fn settled(
        &self,
        profile_id: i64,
        kind: impl Into<&'static str>,
    ) -> Result<DateTime<Utc>, sqlx::Error> {
        let settled = self.settled_already();
        let stamp = self.find(profile_id, kind).await?;
        Ok(stamp.map_or(settled, |stamp| stamp.at.max(settled)))
    }

    /// The same without the stamp, for a map that is read with it in one statement after this call: the later of both.
    #[must_use]
    pub fn settled_already(&self) -> DateTime<Utc> {
        self.clock.now() - SETTLED_AFTER
    }

    /// Adds the reader's stamps to the last page of an export.
    pub async fn export_at_end(
        &self,
        profile_id: i64,
        mut page: ExportResponse,
    ) -> Result<ExportResponse, Fault> {
        if page.next.is_none() {
            for stamp in self.by_reader(profile_id).await? {
                let record = readers::last_update(&stamp.kind, stamp.at)?;
                page.records.push(record);
            }
        }
        Ok(page)
    }

    /// Deletes a reader's stamps, and counts them.
    pub async fn erase(&self, erasure: &Erasure) -> Result<(), Fault> {
        let mut transaction = self.pool.begin().await?;
        let deleted = delete(&mut transaction, erasure.profile_id).await?;
        let (id, now) = (erasure.id, self.clock.now());
        erased::add(&mut transaction, id, readers::LAST_UPDATES, deleted, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Appends an event for every stamp since an instant, or for all; returns how many. Consumers keep the
    /// greater instant, so a repeat does no harm.
    pub async fn replay(&self, since: Option<DateTime<Utc>>) -> Result<u64, Fault> {
        let since = since.unwrap_or(DateTime::UNIX_EPOCH);
        let mut after = (0, String::new());
        let mut replayed = 0;
        loop {
            let page = changed_since(&self.pool, since, &after, REPLAY_BATCH).await?;
            let Some(last) = page.last() else {
                return Ok(replayed);
            };
            after = (last.profile_id, last.kind.clone());
            let mut transaction = self.pool.begin().await?;
            let events = page.iter().map(|stamp| LastUpdated {
                profile_id: stamp.profile_id,
                kind: stamp.kind.clone(),
                at: Some(instant::to_proto(stamp.at)),
            });
            let events: Vec<_> = events.collect();
            let (exchange, key) = (exchange::LAST_UPDATES, key::LAST_UPDATED);
            self.outbox
                .append_all(&mut transaction, exchange, key, &events)
                .await?;
            self.outbox.commit(transaction).await?;
            replayed += page.len() as u64;
        }
    }
}

#[sql("stamps.find")]
async fn find(pool: &PgPool, profile_id: i64, kind: &str) -> Result<Option<Stamp>, sqlx::Error> {
    sqlx::query_as!(
        Stamp,
        "SELECT kind, at, count FROM stamps WHERE profile_id = $1 AND kind = $2",
        profile_id,
        kind,
    )
    .fetch_optional(pool)
    .await
}

#[sql("stamps.by_reader")]
async fn by_reader(
    pool: &PgPool,
    profile_ids: &[i64],
) -> Result<HashMap<i64, Vec<Stamp>>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT profile_id, kind, at, count FROM stamps WHERE profile_id = ANY($1)",
        profile_ids,
    )
    .fetch_all(pool)
    .await?;
    let mut stamps = HashMap::<_, Vec<_>>::with_capacity(profile_ids.len());
    for row in rows {
        stamps.entry(row.profile_id).or_default().push(Stamp {
            kind: row.kind,
            at: row.at,
            count: row.count,
        });
    }
    Ok(stamps)
}

/// A stamp with its reader, for a replay.
struct ReadersStamp {
    profile_id: i64,
    kind: String,
    at: DateTime<Utc>,
}

/// A page of all readers' stamps since an instant, ordered by reader and kind.
#[sql("stamps.changed_since")]
async fn changed_since(
    pool: &PgPool,
    since: DateTime<Utc>,
    after: &(i64, String),
    limit: i64,
) -> Result<Vec<ReadersStamp>, sqlx::Error> {
    sqlx::query_as!(
        ReadersStamp,
        "SELECT profile_id, kind, at FROM stamps
         WHERE (profile_id, kind) > ($1, $2) AND at >= $3
         ORDER BY profile_id, kind LIMIT $4",
        after.0,
        after.1,
        since,
        limit,
    )
    .fetch_all(pool)
    .await
}

#[sql("stamps.delete")]
async fn delete(connection: &mut PgConnection, profile_id: i64) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM stamps WHERE profile_id = $1", profile_id);
    Ok(done.execute(connection).await?.rows_affected())
}

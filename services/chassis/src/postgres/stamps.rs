//! Stamps: when a reader's saved items of a kind last changed, and how many there are. The service that owns the items
//! writes the stamp and its event in the transaction of the change, so the stamps are correct even if the broker fails.

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

/// A change older than this has been committed or abandoned, because calls end at their deadline long before. A map
/// read now therefore includes every change stamped earlier than this.
const SETTLED_AFTER: TimeDelta = TimeDelta::seconds(30);
/// The number of stamps replayed in one transaction.
const REPLAY_BATCH: i64 = 500;

/// A stamped change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touched {
    /// When the change was made.
    pub at: DateTime<Utc>,
    /// The previous change; `None` for the first.
    pub previous: Option<DateTime<Utc>>,
}

/// The last change of a kind, and the number of items after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The kind's name.
    pub kind: String,
    /// When the last change was made.
    pub at: DateTime<Utc>,
    /// The number of saved items.
    pub count: i64,
}

/// A service's `stamps` table.
#[derive(Clone)]
pub struct Stamps {
    pool: PgPool,
    outbox: Outbox,
    clock: SharedClock,
    readers: Batcher<i64, Vec<Stamp>>,
}

/// A change to one of a reader's items, with the event that announces it.
#[derive(Debug)]
pub struct Change {
    /// The profile of the reader whose item is changed.
    pub profile_id: i64,
    /// The name of the item's kind.
    pub kind: &'static str,
    /// The time of the change. The stamp is later than this time if the previous stamp is not earlier.
    pub now: DateTime<Utc>,
    /// The difference in the number of items.
    pub delta: i64,
    /// The event without its time, which the statement of the change adds.
    pub event: Event,
}

/// The changed item, and the stamp of the change.
#[derive(Debug)]
pub struct Stamped {
    /// The item's id.
    pub id: i64,
    /// When the item was created.
    pub created_at: DateTime<Utc>,
    /// The stamp of the change.
    pub at: DateTime<Utc>,
    /// The previous stamp; `None` for the first change.
    pub previous: Option<DateTime<Utc>>,
}

impl Stamped {
    /// The stamp without the item.
    #[must_use]
    pub const fn touched(&self) -> Touched {
        Touched {
            at: self.at,
            previous: self.previous,
        }
    }
}

/// The query of a [`Stamped`] item: a statement that changes at most one of a reader's items and returns its `id` and
/// `created_at`, and, if it changed an item, the stamp and the event in the outbox. All are one statement, because a
/// write's time is spent on round trips. After the commit, call [`Outbox::wake`](crate::postgres::Outbox::wake) to
/// publish the event immediately.
///
/// The statement's first parameters are the fields of [`Change`]: `$1` the reader,
/// `$2` the kind, `$3` the time; `$4` to `$9` are for the stamp and the event. The statement's own parameters start
/// with `$10`. The field `at` of the event, [`LastUpdated`], has the number 3
/// and a length of twelve bytes.
///
/// Stamps of a reader and kind strictly increase, even if two changes occur in the same millisecond or clocks differ:
/// the stamp's row is locked until the transaction ends, which orders the reader's changes.
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

crate::opaque_debug!(Stamps);

impl Stamps {
    /// The stamps of a service that has selected [`super::Part::Stamps`].
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

    /// A change made now, for [`stamped!`](crate::stamped); it changes the number of items by `delta`.
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

    /// The stamp of a kind; `None` if nothing of the kind ever changed.
    pub async fn find(
        &self,
        profile_id: i64,
        kind: impl Into<&'static str>,
    ) -> Result<Option<Stamp>, sqlx::Error> {
        find(&self.pool, profile_id, kind.into()).await
    }

    /// The stamp of a call that changed nothing: the kind's last stamp, as both current and previous. `unless` is the
    /// time for a kind that never changed.
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

    /// A reader's stamps of all kinds that ever changed. Concurrent calls share a query.
    pub async fn by_reader(&self, profile_id: i64) -> Result<Vec<Stamp>, Fault> {
        self.readers.get(profile_id).await
    }

    /// The response to `GetStamps`: a reader's stamps of all kinds that ever changed.
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

    /// The time up to which a map that is read after this call includes every change. A change made in between is in
    /// the map and its stamp is later: the client then makes one unnecessary request, but never keeps a map that lacks
    /// a change.
    pub async fn settled(
        &self,
        profile_id: i64,
        kind: impl Into<&'static str>,
    ) -> Result<DateTime<Utc>, sqlx::Error> {
        let settled = self.settled_already();
        let stamp = self.find(profile_id, kind).await?;
        Ok(stamp.map_or(settled, |stamp| stamp.at.max(settled)))
    }

    /// [`Self::settled`] without reading the stamp, for a map that is read together with its stamp in one statement
    /// after this call: the map includes every change up to the later of this time and the stamp.
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

    /// Deletes a reader's stamps and counts them for the erasure.
    pub async fn erase(&self, erasure: &Erasure) -> Result<(), Fault> {
        let mut transaction = self.pool.begin().await?;
        let deleted = delete(&mut transaction, erasure.profile_id).await?;
        let (id, now) = (erasure.id, self.clock.now());
        erased::add(&mut transaction, id, readers::LAST_UPDATES, deleted, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Appends an event for every stamp since an instant, or for all stamps; returns how many. Consumers keep the later
    /// time, so a repetition does no harm.
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

/// A stamp with its reader, for replays.
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

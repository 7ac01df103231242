//! `stamps`: last change and count of each kind, per reader.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Kind, Stamp, Touched};

/// Stamps a change and moves the count. Instants of one reader and kind grow strictly, also where two
/// changes share a millisecond or clocks differ. The row's lock orders the reader's changes.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "stamps.touch", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn touch(
    connection: &mut PgConnection,
    profile_id: i64,
    kind: Kind,
    now: DateTime<Utc>,
    delta: i64,
) -> Result<Touched, sqlx::Error> {
    sqlx::query_as!(
        Touched,
        "INSERT INTO stamps AS s (profile_id, kind, at, count) VALUES ($1, $2, $3, greatest($4::bigint, 0))
         ON CONFLICT (profile_id, kind) DO UPDATE
         SET at = greatest(excluded.at, s.at + interval '1 millisecond'), previous_at = s.at,
             count = s.count + $4
         RETURNING at, previous_at AS previous",
        profile_id,
        kind.as_str(),
        now,
        delta,
    )
    .fetch_one(connection)
    .await
}

/// The stamp of one kind; `None` where there never was a change.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "stamps.find", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn find(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
) -> Result<Option<Stamp>, sqlx::Error> {
    sqlx::query_as!(
        Stamp,
        "SELECT kind, at, count FROM stamps WHERE profile_id = $1 AND kind = $2",
        profile_id,
        kind.as_str(),
    )
    .fetch_optional(pool)
    .await
}

/// Every stamp of these readers.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "stamps.of_readers", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn of_readers(
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

/// One reader's stamp of one kind, wherever it is asked for without the reader.
#[derive(Debug)]
pub(crate) struct ReadersStamp {
    pub(crate) profile_id: i64,
    pub(crate) kind: String,
    pub(crate) at: DateTime<Utc>,
}

/// Stamps of all readers since an instant, from a place in the order of readers and kinds on.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "stamps.changed_since", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn changed_since(
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

//! `stamps`: last change and count of each kind, per reader.

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

/// Every stamp of a reader.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "stamps.all", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn all(pool: &PgPool, profile_id: i64) -> Result<Vec<Stamp>, sqlx::Error> {
    sqlx::query_as!(
        Stamp,
        "SELECT kind, at, count FROM stamps WHERE profile_id = $1",
        profile_id
    )
    .fetch_all(pool)
    .await
}

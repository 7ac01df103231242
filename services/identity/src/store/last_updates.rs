//! `last_updates`: this service's copy, from the bus.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::LastUpdate;

/// Keeps an instant, unless a greater one has come: order and repeats do not matter.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "last_updates.keep", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    profile_id: i64,
    kind: &str,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO last_updates AS l (profile_id, kind, at) VALUES ($1, $2, $3)
         ON CONFLICT (profile_id, kind) DO UPDATE SET at = greatest(l.at, excluded.at)",
        profile_id,
        kind,
        at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// What has been heard of a reader.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "last_updates.all", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn all(pool: &PgPool, profile_id: i64) -> Result<Vec<LastUpdate>, sqlx::Error> {
    sqlx::query_as!(
        LastUpdate,
        "SELECT kind, at FROM last_updates WHERE profile_id = $1",
        profile_id
    )
    .fetch_all(pool)
    .await
}

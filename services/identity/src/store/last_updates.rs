//! The table `last_updates`: this service's copy, updated from the bus.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::domain::LastUpdate;

/// An event about a change to a reader's saved items of one kind.
pub(crate) struct Changed<'a> {
    pub(crate) event: Uuid,
    pub(crate) profile_id: i64,
    pub(crate) kind: &'a str,
    pub(crate) at: DateTime<Utc>,
}

/// Records the events in the inbox and, for new events of existing accounts, stores the times unless later times are
/// already stored: order and duplicates do not matter. This is one statement, because every write by a reader causes
/// it; rows are always processed in the same order, so that two consumers never deadlock.
#[sql("last_updates.keep")]
pub(crate) async fn keep(
    pool: &PgPool,
    queue: &str,
    now: DateTime<Utc>,
    changes: &[Changed<'_>],
) -> Result<(), sqlx::Error> {
    let events: Vec<Uuid> = changes.iter().map(|change| change.event).collect();
    let profiles: Vec<i64> = changes.iter().map(|change| change.profile_id).collect();
    let kinds: Vec<String> = changes
        .iter()
        .map(|change| change.kind.to_owned())
        .collect();
    let instants: Vec<DateTime<Utc>> = changes.iter().map(|change| change.at).collect();
    sqlx::query!(
        "WITH new AS (
             INSERT INTO inbox (queue, event_id, handled_at)
             SELECT $1, id, $2 FROM unnest($3::uuid[]) AS id ORDER BY id
             ON CONFLICT DO NOTHING RETURNING event_id
         )
         INSERT INTO last_updates AS l (profile_id, kind, at)
         SELECT c.profile_id, c.kind, max(c.at)
         FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::timestamptz[])
             AS c (event_id, profile_id, kind, at)
         JOIN new USING (event_id)
         -- Nothing is kept of a reader who has left.
         WHERE EXISTS (SELECT FROM profiles p WHERE p.id = c.profile_id)
         GROUP BY c.profile_id, c.kind ORDER BY c.profile_id, c.kind
         ON CONFLICT (profile_id, kind) DO UPDATE SET at = greatest(l.at, excluded.at)",
        queue,
        now,
        &events,
        &profiles,
        &kinds,
        &instants,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// The times of a reader's last changes, as received in events.
#[sql("last_updates.all")]
pub(crate) async fn all(pool: &PgPool, profile_id: i64) -> Result<Vec<LastUpdate>, sqlx::Error> {
    sqlx::query_as!(
        LastUpdate,
        "SELECT kind, at FROM last_updates WHERE profile_id = $1",
        profile_id
    )
    .fetch_all(pool)
    .await
}

/// Deletes a reader's times.
#[sql("last_updates.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM last_updates WHERE profile_id = $1", profile_id)
        .execute(connection)
        .await?;
    Ok(())
}

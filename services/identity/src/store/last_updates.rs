//! `last_updates`: this service's copy, from the bus.

use std::collections::BTreeMap;

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::LastUpdate;

/// Stores an instant, unless a greater one is stored: order and repeats do not matter.
#[sql("last_updates.keep")]
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

/// The same for several readers and kinds, always in the same order, so that two consumers never deadlock.
#[sql("last_updates.keep_all")]
pub(crate) async fn keep_all(
    connection: &mut PgConnection,
    latest: &BTreeMap<(i64, &str), DateTime<Utc>>,
) -> Result<(), sqlx::Error> {
    let profiles: Vec<i64> = latest.keys().map(|(profile_id, _)| *profile_id).collect();
    let kinds: Vec<String> = latest.keys().map(|(_, kind)| (*kind).to_owned()).collect();
    let instants: Vec<DateTime<Utc>> = latest.values().copied().collect();
    sqlx::query!(
        "INSERT INTO last_updates AS l (profile_id, kind, at)
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::timestamptz[])
         ON CONFLICT (profile_id, kind) DO UPDATE SET at = greatest(l.at, excluded.at)",
        &profiles,
        &kinds,
        &instants,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A reader's instants, as received in events.
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

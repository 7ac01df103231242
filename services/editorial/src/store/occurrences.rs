//! `occurrences` of events.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, types::Json};

use crate::domain::{Detail, Occurrence};

/// Replaces the stored occurrences of an event.
#[sql("occurrences.replace")]
pub(crate) async fn replace(
    connection: &mut PgConnection,
    item_id: i64,
    occurrences: &[Occurrence],
) -> Result<(), sqlx::Error> {
    let (starts, ends): (Vec<_>, Vec<_>) = occurrences
        .iter()
        .map(|one| (one.starts_at, one.ends_at))
        .unzip();
    sqlx::query!("DELETE FROM occurrences WHERE item_id = $1", item_id)
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "INSERT INTO occurrences (item_id, starts_at, ends_at)
         SELECT $1, starts_at, ends_at
         FROM unnest($2::timestamptz[], $3::timestamptz[]) AS o (starts_at, ends_at)
         ON CONFLICT DO NOTHING",
        item_id,
        &starts,
        &ends,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the occurrences of an event that end after this time, next first.
#[sql("occurrences.after")]
pub(crate) async fn after(
    pool: &PgPool,
    item_id: i64,
    from: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<Occurrence>, sqlx::Error> {
    sqlx::query_as!(
        Occurrence,
        "SELECT starts_at, ends_at FROM occurrences WHERE item_id = $1 AND ends_at > $2
         ORDER BY starts_at LIMIT $3",
        item_id,
        from,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// Returns the last stored occurrence of an event.
#[sql("occurrences.last")]
pub(crate) async fn last(pool: &PgPool, item_id: i64) -> Result<Option<Occurrence>, sqlx::Error> {
    sqlx::query_as!(
        Occurrence,
        "SELECT starts_at, ends_at FROM occurrences WHERE item_id = $1
         ORDER BY starts_at DESC LIMIT 1",
        item_id,
    )
    .fetch_optional(pool)
    .await
}

pub(crate) struct Recurring {
    pub(crate) id: i64,
    pub(crate) detail: Json<Detail>,
}

#[sql("occurrences.recurring")]
pub(crate) async fn recurring(
    connection: &mut PgConnection,
) -> Result<Vec<Recurring>, sqlx::Error> {
    sqlx::query_as!(
        Recurring,
        r#"SELECT id, detail AS "detail: Json<Detail>" FROM items
           WHERE kind = 'event' AND (detail #>> '{event,schedule,rule}' <> ''
               OR jsonb_array_length(detail #> '{event,schedule,additions}') > 0)
           ORDER BY id FOR UPDATE"#
    )
    .fetch_all(connection)
    .await
}

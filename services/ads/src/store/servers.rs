//! The table `servers`: the processes that serve pages.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// Updates the moving average of the pages that a process serves per second; returns the process's share, from 0 to 1,
/// of the pages of all processes seen since an instant.
#[sql("servers.share")]
pub(crate) async fn share(
    connection: &mut PgConnection,
    (id, pages_per_second): (Uuid, f64),
    (now, since): (DateTime<Utc>, DateTime<Utc>),
) -> Result<f64, sqlx::Error> {
    sqlx::query!(
        "INSERT INTO servers AS s (id, pages_per_second, seen_at) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at,
           pages_per_second = s.pages_per_second * 0.7 + excluded.pages_per_second * 0.3",
        id,
        pages_per_second,
        now,
    )
    .execute(&mut *connection)
    .await?;
    // A process that has not served any page yet gets a small initial share.
    sqlx::query_scalar!(
        r#"SELECT (max(pages_per_second) FILTER (WHERE id = $1) + 0.01)
             / (sum(pages_per_second) + 0.01 * count(*)) AS "share!"
         FROM servers WHERE seen_at >= $2"#,
        id,
        since,
    )
    .fetch_one(connection)
    .await
}

/// When a process was last seen.
#[sql("servers.seen_at")]
pub(crate) async fn seen_at(
    connection: &mut PgConnection,
    id: Uuid,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!("SELECT seen_at FROM servers WHERE id = $1", id)
        .fetch_optional(connection)
        .await
}

/// Deletes processes that have not been seen since an instant.
#[sql("servers.delete_before")]
pub(crate) async fn delete_before(
    pool: &PgPool,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM servers WHERE seen_at < $1", before)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}

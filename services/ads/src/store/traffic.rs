//! The table `traffic`: the number of pages per hour for which ads were requested.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

/// Adds pages to an hour's count.
#[sql("traffic.add")]
pub(crate) async fn add(
    connection: &mut PgConnection,
    hour: DateTime<Utc>,
    pages: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO traffic AS t (hour, pages) VALUES ($1, $2)
         ON CONFLICT (hour) DO UPDATE SET pages = t.pages + excluded.pages",
        hour,
        pages,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The number of pages in each hour between two instants.
#[sql("traffic.between")]
pub(crate) async fn between(
    pool: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Vec<(DateTime<Utc>, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT hour, pages FROM traffic WHERE hour >= $1 AND hour < $2",
        from,
        until,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|row| (row.hour, row.pages)).collect())
}

/// Deletes the hours before an instant.
#[sql("traffic.delete_before")]
pub(crate) async fn delete_before(
    pool: &PgPool,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM traffic WHERE hour < $1", before)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}

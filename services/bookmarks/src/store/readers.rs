//! All of a reader's rows in `bookmarks`, for export and erasure.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

/// A record in an export.
pub(crate) struct Exported {
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) target_id: i64,
    /// The name of the saved item.
    pub(crate) name: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) is_done: Option<bool>,
    pub(crate) add_to_calendar: Option<bool>,
}

/// A reader's records of all kinds after a given record, ordered by kind and target.
#[sql("bookmarks.export")]
pub(crate) async fn export(
    pool: &PgPool,
    profile_id: i64,
    (kind, target_id): (&str, i64),
    most: i64,
) -> Result<Vec<Exported>, sqlx::Error> {
    // A place is the same target for favourites and to-dos.
    sqlx::query_as!(
        Exported,
        "SELECT b.id, b.kind, b.target_id, t.name, b.created_at, b.is_done, b.add_to_calendar
         FROM bookmarks b JOIN targets t ON t.id = b.target_id AND t.kind = CASE b.kind
             WHEN 'article-bookmarks' THEN 'article' WHEN 'event-bookmarks' THEN 'event'
             WHEN 'video-bookmarks' THEN 'video' ELSE 'listing' END
         WHERE b.profile_id = $1 AND (b.kind, b.target_id) > ($2, $3)
         ORDER BY b.kind, b.target_id LIMIT $4",
        profile_id,
        kind,
        target_id,
        most,
    )
    .fetch_all(pool)
    .await
}

/// Deletes at most `most` of a reader's records; returns the number deleted of each kind.
#[sql("bookmarks.erase")]
pub(crate) async fn erase(
    connection: &mut PgConnection,
    profile_id: i64,
    most: i64,
) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"WITH erased AS (
               DELETE FROM bookmarks WHERE ctid = ANY(ARRAY(
                   SELECT ctid FROM bookmarks WHERE profile_id = $1 LIMIT $2))
               RETURNING kind
           )
           SELECT kind AS "kind!", count(*) AS "count!" FROM erased GROUP BY kind"#,
        profile_id,
        most,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kind, row.count)).collect())
}

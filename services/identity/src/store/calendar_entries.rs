//! The table `calendar_entries`: bookmarks that readers saved with the calendar, and whether their events are in the
//! calendar.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Entry, REMOVAL_KEPT};

/// Stores a bookmark, if the reader's account exists. A bookmark that was already removed stays removed.
#[sql("calendar_entries.want")]
pub(crate) async fn want(connection: &mut PgConnection, entry: &Entry) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_entries (profile_id, bookmark_id, event_id, google_id)
         SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT FROM profiles WHERE id = $1)
         ON CONFLICT DO NOTHING",
        entry.profile_id,
        entry.bookmark_id,
        entry.event_id,
        entry.google_id,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Records the removal of a bookmark, if the reader's account exists.
#[sql("calendar_entries.unwant")]
pub(crate) async fn unwant(
    connection: &mut PgConnection,
    entry: &Entry,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_entries AS e (profile_id, bookmark_id, event_id, google_id, unwanted_at)
         SELECT $1, $2, $3, $4, $5 WHERE EXISTS (SELECT FROM profiles WHERE id = $1)
         ON CONFLICT (profile_id, bookmark_id) DO UPDATE SET unwanted_at = coalesce(e.unwanted_at, $5)",
        entry.profile_id,
        entry.bookmark_id,
        entry.event_id,
        entry.google_id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

#[sql("calendar_entries.find")]
pub(crate) async fn find(
    pool: &PgPool,
    profile_id: i64,
    bookmark_id: i64,
) -> Result<Option<Entry>, sqlx::Error> {
    sqlx::query_as!(
        Entry,
        "SELECT profile_id, bookmark_id, event_id, google_id, written_at, unwanted_at FROM calendar_entries
         WHERE profile_id = $1 AND bookmark_id = $2",
        profile_id,
        bookmark_id,
    )
    .fetch_optional(pool)
    .await
}

/// Records when an entry was written to the calendar, or that it is not in the calendar. Returns whether its bookmark
/// still exists.
#[sql("calendar_entries.set_written")]
pub(crate) async fn set_written(
    pool: &PgPool,
    entry: &Entry,
    written_at: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    let is_wanted = sqlx::query_scalar!(
        r#"UPDATE calendar_entries SET written_at = $3 WHERE profile_id = $1 AND bookmark_id = $2
           RETURNING unwanted_at IS NULL AS "is_wanted!""#,
        entry.profile_id,
        entry.bookmark_id,
        written_at,
    )
    .fetch_optional(pool)
    .await?;
    Ok(is_wanted.unwrap_or(false))
}

/// Marks a reader's most recently saved entries to be written again; returns their bookmarks.
#[sql("calendar_entries.restart")]
pub(crate) async fn restart(
    connection: &mut PgConnection,
    profile_id: i64,
    most: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE calendar_entries SET written_at = NULL
         WHERE profile_id = $1 AND bookmark_id IN (
             SELECT bookmark_id FROM calendar_entries WHERE profile_id = $1 AND unwanted_at IS NULL
             ORDER BY bookmark_id DESC LIMIT $2)
         RETURNING bookmark_id",
        profile_id,
        most,
    )
    .fetch_all(connection)
    .await
}

/// A page of a reader's entries, ordered by bookmark.
#[sql("calendar_entries.of_profile")]
pub(crate) async fn of_profile(
    pool: &PgPool,
    profile_id: i64,
    after: i64,
    most: i64,
) -> Result<Vec<Entry>, sqlx::Error> {
    sqlx::query_as!(
        Entry,
        "SELECT profile_id, bookmark_id, event_id, google_id, written_at, unwanted_at FROM calendar_entries
         WHERE profile_id = $1 AND bookmark_id > $2 ORDER BY bookmark_id LIMIT $3",
        profile_id,
        after,
        most,
    )
    .fetch_all(pool)
    .await
}

/// Deletes a reader's entries; returns how many.
#[sql("calendar_entries.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM calendar_entries WHERE profile_id = $1",
        profile_id
    );
    Ok(done.execute(connection).await?.rows_affected())
}

/// Deletes entries whose bookmarks were removed long ago; returns how many.
#[sql("calendar_entries.delete_old")]
pub(crate) async fn delete_old(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM calendar_entries WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM calendar_entries WHERE unwanted_at <= $1 LIMIT $2))",
            now - REMOVAL_KEPT,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

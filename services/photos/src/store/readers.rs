//! All of a reader's data, for erasure and export.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// A photo in its uploader's export.
#[derive(Debug)]
pub(crate) struct ExportedPhoto {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) status: String,
    pub(crate) reason: String,
    pub(crate) description: String,
    pub(crate) credit: String,
    pub(crate) licence: String,
    pub(crate) name: Uuid,
    pub(crate) is_made: bool,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) published_at: Option<DateTime<Utc>>,
}

/// A reader's photos after an id.
#[sql("readers.photos")]
pub(crate) async fn photos(
    pool: &PgPool,
    profile_id: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<ExportedPhoto>, sqlx::Error> {
    sqlx::query_as!(
        ExportedPhoto,
        r#"SELECT id, listing_id, status, reason, description, credit, licence, name, width IS NOT NULL AS "is_made!",
             created_at, published_at
         FROM photos WHERE profile_id = $1 AND id > $2 ORDER BY id LIMIT $3"#,
        profile_id,
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// A report in its author's export.
#[derive(Debug)]
pub(crate) struct ExportedReport {
    pub(crate) photo_id: i64,
    pub(crate) reason: String,
    pub(crate) comment: String,
    pub(crate) at: DateTime<Utc>,
}

/// Returns a page of a reader's reports, for photos with ids above `after`, ordered by photo id.
#[sql("readers.reports")]
pub(crate) async fn reports(
    pool: &PgPool,
    profile_id: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<ExportedReport>, sqlx::Error> {
    sqlx::query_as!(
        ExportedReport,
        "SELECT photo_id, reason, comment, at FROM reports WHERE profile_id = $1 AND photo_id > $2 ORDER BY photo_id
         LIMIT $3",
        profile_id,
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// A decision about a reader, in an export.
#[derive(Debug)]
pub(crate) struct ExportedDecision {
    pub(crate) id: i64,
    pub(crate) photo_id: Option<i64>,
    pub(crate) act: String,
    pub(crate) reason: String,
    pub(crate) at: DateTime<Utc>,
}

/// The decisions about a reader, after an id.
#[sql("readers.decisions")]
pub(crate) async fn decisions(
    pool: &PgPool,
    profile_id: i64,
    after: i64,
    limit: i64,
) -> Result<Vec<ExportedDecision>, sqlx::Error> {
    sqlx::query_as!(
        ExportedDecision,
        "SELECT id, photo_id, act, reason, at FROM decisions WHERE profile_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        profile_id,
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// A reader's data as an uploader, in an export.
#[derive(Debug)]
pub(crate) struct ExportedUploader {
    pub(crate) full_name: String,
    pub(crate) accepted: i32,
    pub(crate) banned_at: Option<DateTime<Utc>>,
    pub(crate) avatar: Option<Uuid>,
}

/// The reader's data as an uploader; `None` before the first upload.
#[sql("readers.uploader")]
pub(crate) async fn uploader(
    pool: &PgPool,
    profile_id: i64,
) -> Result<Option<ExportedUploader>, sqlx::Error> {
    sqlx::query_as!(
        ExportedUploader,
        "SELECT full_name, accepted, banned_at, avatar FROM uploaders WHERE profile_id = $1",
        profile_id,
    )
    .fetch_optional(pool)
    .await
}

/// Deletes a reader's reports; returns how many.
#[sql("readers.delete_reports")]
pub(crate) async fn delete_reports(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM reports WHERE profile_id = $1", profile_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// Deletes the decisions about a reader; returns how many.
#[sql("readers.delete_decisions")]
pub(crate) async fn delete_decisions(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM decisions WHERE profile_id = $1", profile_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// Deletes an uploader without photos; returns the number deleted: 0 or 1.
#[sql("readers.delete_uploader")]
pub(crate) async fn delete_uploader(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM uploaders WHERE profile_id = $1", profile_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

//! The table `uploaders`: readers who have uploaded photos, with their counts and trust.

use chassis::sql;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::Uploader;

/// Ensures that a reader is an uploader with this name, and locks the row. Returns whether the reader may upload.
#[sql("uploaders.enter")]
pub(crate) async fn enter(
    connection: &mut PgConnection,
    profile_id: i64,
    full_name: &str,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let banned_at = sqlx::query_scalar!(
        "INSERT INTO uploaders AS u (profile_id, full_name, named_at) VALUES ($1, $2, $3)
         ON CONFLICT (profile_id) DO UPDATE SET full_name = excluded.full_name, named_at = excluded.named_at
         RETURNING banned_at",
        profile_id,
        full_name,
        now,
    )
    .fetch_one(connection)
    .await?;
    Ok(banned_at.is_none())
}

/// Whether an operator has forbidden a reader to upload.
#[sql("uploaders.is_banned")]
pub(crate) async fn is_banned(pool: &PgPool, profile_id: i64) -> Result<bool, sqlx::Error> {
    let banned = sqlx::query_scalar!(
        r#"SELECT banned_at IS NOT NULL AS "banned!" FROM uploaders WHERE profile_id = $1"#,
        profile_id,
    )
    .fetch_optional(pool)
    .await?;
    Ok(banned.unwrap_or(false))
}

/// The upload history of an uploader, whose row is locked until the transaction ends.
#[sql("uploaders.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    profile_id: i64,
    now: DateTime<Utc>,
) -> Result<Uploader, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT accepted, banned_at IS NOT NULL AS "is_banned!",
             (SELECT count(*) FROM photos WHERE profile_id = $1 AND created_at > $2) AS "within_hour!"
         FROM uploaders WHERE profile_id = $1 FOR UPDATE"#,
        profile_id,
        now - TimeDelta::hours(1),
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map_or_else(Uploader::default, |row| Uploader {
        accepted: row.accepted,
        is_banned: row.is_banned,
        within_hour: row.within_hour,
    }))
}

/// The number of a reader's photos.
#[sql("uploaders.count")]
pub(crate) async fn count(pool: &PgPool, profile_id: i64) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar!(
        "SELECT photos FROM uploaders WHERE profile_id = $1",
        profile_id
    )
    .fetch_optional(pool)
    .await?;
    Ok(count.unwrap_or(0))
}

/// Adds `photos` to the number of a reader's photos; negative after a deletion.
#[sql("uploaders.add")]
pub(crate) async fn add(
    connection: &mut PgConnection,
    profile_id: i64,
    photos: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE uploaders SET photos = photos + $2 WHERE profile_id = $1",
        profile_id,
        photos,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Updates an uploader's trust: it increases with each accepted photo and is reset by a refusal.
#[sql("uploaders.judge")]
pub(crate) async fn judge(
    connection: &mut PgConnection,
    profile_id: i64,
    is_accepted: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE uploaders SET accepted = CASE WHEN $2 THEN least(accepted, 1000000) + 1 ELSE 0 END WHERE profile_id = $1",
        profile_id,
        is_accepted,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Bans or unbans a reader; returns whether that changed anything.
#[sql("uploaders.set_ban")]
pub(crate) async fn set_ban(
    connection: &mut PgConnection,
    profile_id: i64,
    banned_at: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE uploaders SET banned_at = $2, accepted = 0
         WHERE profile_id = $1 AND (banned_at IS NULL) <> ($2::timestamptz IS NULL)",
        profile_id,
        banned_at,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Changes an uploader's name, unless a later change is stored; returns whether anything changed.
#[sql("uploaders.rename")]
pub(crate) async fn rename(
    connection: &mut PgConnection,
    profile_id: i64,
    full_name: &str,
    at: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE uploaders SET full_name = $2, named_at = $3 WHERE profile_id = $1 AND named_at < $3 AND full_name <> $2",
        profile_id,
        full_name,
        at,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a reader has ever uploaded a photo.
#[sql("uploaders.exists")]
pub(crate) async fn exists(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM uploaders WHERE profile_id = $1) AS "exists!""#,
        profile_id,
    )
    .fetch_one(connection)
    .await
}

//! Photos by Instagram users, and these users as uploaders.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Ensures that an Instagram user is an uploader; returns the uploader's id.
#[sql("imported.enter")]
pub(crate) async fn enter(
    connection: &mut PgConnection,
    instagram_user: &str,
    full_name: &str,
    now: DateTime<Utc>,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO uploaders AS u (profile_id, instagram_user, full_name, named_at)
         VALUES (nextval('instagram_users'), $1, $2, $3)
         ON CONFLICT (instagram_user) DO UPDATE SET full_name = excluded.full_name
         RETURNING profile_id",
        instagram_user,
        full_name,
        now,
    )
    .fetch_one(connection)
    .await
}

/// An already imported photo, with its texts.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) status: String,
    pub(crate) description: String,
    pub(crate) licence: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// An Instagram user's photo of a place with this file digest; locked until the transaction ends.
#[sql("imported.find")]
pub(crate) async fn find(
    connection: &mut PgConnection,
    instagram_user: &str,
    listing_id: i64,
    digest: &[u8],
) -> Result<Option<Known>, sqlx::Error> {
    sqlx::query_as!(
        Known,
        "SELECT id, listing_id, status, description, licence, created_at FROM photos
         WHERE profile_id = (SELECT profile_id FROM uploaders WHERE instagram_user = $1) AND listing_id = $2 AND digest = $3
         FOR UPDATE",
        instagram_user,
        listing_id,
        digest,
    )
    .fetch_optional(connection)
    .await
}

/// Updates the description, licence and creation time of a photo.
#[sql("imported.change")]
pub(crate) async fn change(
    connection: &mut PgConnection,
    id: i64,
    [description, licence]: [&str; 2],
    created_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE photos SET description = $2, licence = $3, created_at = $4 WHERE id = $1",
        id,
        description,
        licence,
        created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

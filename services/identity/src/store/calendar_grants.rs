//! The table `calendar_grants`: readers' grants of access to their calendars.

use chassis::sql;
use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::domain::Grant;

/// Stores a grant, replacing the reader's earlier grant.
#[sql("calendar_grants.put")]
pub(crate) async fn put(connection: &mut PgConnection, grant: &Grant) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_grants
             (profile_id, key_id, refresh_token, access_token, access_expires_at, checked_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (profile_id) DO UPDATE SET key_id = $2, refresh_token = $3, access_token = $4,
             access_expires_at = $5, checked_at = $6, created_at = $7",
        grant.profile_id,
        grant.key_id,
        grant.refresh_token,
        grant.access_token,
        grant.access_expires_at,
        grant.checked_at,
        grant.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A reader's grant.
#[sql("calendar_grants.find")]
pub(crate) async fn find(
    database: impl PgExecutor<'_>,
    profile_id: i64,
) -> Result<Option<Grant>, sqlx::Error> {
    sqlx::query_as!(
        Grant,
        "SELECT profile_id, key_id, refresh_token, access_token, access_expires_at, checked_at, created_at
         FROM calendar_grants WHERE profile_id = $1",
        profile_id,
    )
    .fetch_optional(database)
    .await
}

/// Replaces the tokens of a grant, unless the grant has been replaced since it was read as `before`.
#[sql("calendar_grants.replace_tokens")]
pub(crate) async fn replace_tokens(
    pool: &PgPool,
    before: &Grant,
    grant: &Grant,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE calendar_grants SET key_id = $3, refresh_token = $4, access_token = $5, access_expires_at = $6,
             checked_at = $7
         WHERE profile_id = $1 AND refresh_token = $2",
        before.profile_id,
        before.refresh_token,
        grant.key_id,
        grant.refresh_token,
        grant.access_token,
        grant.access_expires_at,
        grant.checked_at,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes a revoked grant, unless it has been replaced since it was read.
#[sql("calendar_grants.delete_revoked")]
pub(crate) async fn delete_revoked(pool: &PgPool, grant: &Grant) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM calendar_grants WHERE profile_id = $1 AND refresh_token = $2",
        grant.profile_id,
        grant.refresh_token,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Deletes a reader's grant and returns it.
#[sql("calendar_grants.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<Option<Grant>, sqlx::Error> {
    sqlx::query_as!(
        Grant,
        "DELETE FROM calendar_grants WHERE profile_id = $1
         RETURNING profile_id, key_id, refresh_token, access_token, access_expires_at, checked_at, created_at",
        profile_id,
    )
    .fetch_optional(connection)
    .await
}

/// Grants whose tokens are encrypted with another key, ordered by reader, starting after reader `after`.
#[sql("calendar_grants.under_other_keys")]
pub(crate) async fn under_other_keys(
    pool: &PgPool,
    key_id: &str,
    after: i64,
    most: i64,
) -> Result<Vec<Grant>, sqlx::Error> {
    sqlx::query_as!(
        Grant,
        "SELECT profile_id, key_id, refresh_token, access_token, access_expires_at, checked_at, created_at
         FROM calendar_grants WHERE key_id <> $1 AND profile_id > $2 ORDER BY profile_id LIMIT $3",
        key_id,
        after,
        most,
    )
    .fetch_all(pool)
    .await
}

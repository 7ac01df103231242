//! The table `calendar_feeds`, indexed by the digest of the secret.

use chassis::sql;
use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::domain::{CalendarFeed, LinkToken};

/// Stores a feed, replacing the reader's earlier feed.
#[sql("calendar_feeds.put")]
pub(crate) async fn put(
    connection: &mut PgConnection,
    profile_id: i64,
    feed: &CalendarFeed,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO calendar_feeds (profile_id, nonce, token_digest, created_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (profile_id) DO UPDATE SET nonce = $2, token_digest = $3, created_at = $4",
        profile_id,
        feed.nonce,
        feed.token_digest,
        feed.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A reader's feed.
#[sql("calendar_feeds.find")]
pub(crate) async fn find(
    database: impl PgExecutor<'_>,
    profile_id: i64,
) -> Result<Option<CalendarFeed>, sqlx::Error> {
    sqlx::query_as!(
        CalendarFeed,
        "SELECT nonce, token_digest, created_at FROM calendar_feeds WHERE profile_id = $1",
        profile_id,
    )
    .fetch_optional(database)
    .await
}

/// The reader of a feed, unless the account is disabled.
#[sql("calendar_feeds.reader")]
pub(crate) async fn reader(pool: &PgPool, token: &LinkToken) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT f.profile_id FROM calendar_feeds f JOIN profiles p ON p.id = f.profile_id
         WHERE f.token_digest = $1 AND p.disabled_at IS NULL",
        token.digest(),
    )
    .fetch_optional(pool)
    .await
}

/// Deletes a reader's feed; returns the number deleted: 0 or 1.
#[sql("calendar_feeds.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM calendar_feeds WHERE profile_id = $1",
        profile_id
    );
    Ok(done.execute(connection).await?.rows_affected())
}

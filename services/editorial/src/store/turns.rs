//! Items that are due to be published or unpublished.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool};

/// The summary of an item in events.
#[derive(Debug, FromRow)]
pub(crate) struct Announced {
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) is_live: bool,
    pub(crate) published_at: DateTime<Utc>,
    pub(crate) version: i64,
}

/// Publishes or unpublishes due items; returns their new state.
#[sql("turns.turn")]
pub(crate) async fn turn(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
) -> Result<Vec<Announced>, sqlx::Error> {
    sqlx::query_as!(
        Announced,
        "UPDATE items SET
            is_live = published_at <= $1 AND (unpublished_at IS NULL OR unpublished_at > $1),
            next_turn_at = CASE WHEN published_at > $1 THEN published_at
                                WHEN unpublished_at > $1 THEN unpublished_at END,
            version = version + 1
         WHERE next_turn_at <= $1
         RETURNING id, kind, name, is_live, published_at, version",
        now,
    )
    .fetch_all(connection)
    .await
}

/// Returns items after this id, ordered by id.
#[sql("turns.all")]
pub(crate) async fn all(
    pool: &PgPool,
    after: i64,
    limit: i64,
) -> Result<Vec<Announced>, sqlx::Error> {
    sqlx::query_as!(
        Announced,
        "SELECT id, kind, name, is_live, published_at, version FROM items
         WHERE id > $1 ORDER BY id LIMIT $2",
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

//! `subscriptions`: newsletters that are switched on.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};
use vocabulary::newsletters::Kind;

/// Switches a newsletter on; returns whether it was off.
#[sql("subscriptions.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    subscriber_id: i64,
    kind: Kind,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO subscriptions (subscriber_id, kind, since) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        subscriber_id,
        kind.name(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Switches a newsletter off; returns whether it was on.
#[sql("subscriptions.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    subscriber_id: i64,
    kind: Kind,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM subscriptions WHERE subscriber_id = $1 AND kind = $2",
        subscriber_id,
        kind.name(),
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the subscribed newsletters in display order. Kinds of a later release are omitted.
#[sql("subscriptions.of")]
pub(crate) async fn of(
    executor: impl PgExecutor<'_>,
    subscriber_id: i64,
) -> Result<Vec<Kind>, sqlx::Error> {
    let names = sqlx::query_scalar!(
        "SELECT kind FROM subscriptions WHERE subscriber_id = $1",
        subscriber_id
    )
    .fetch_all(executor)
    .await?;
    let mut kinds: Vec<_> = names.iter().filter_map(|name| Kind::named(name)).collect();
    kinds.sort_unstable();
    Ok(kinds)
}

/// Returns the newsletters for which the subscriber has not been welcomed yet, and marks them as welcomed.
#[sql("subscriptions.welcome")]
pub(crate) async fn welcome(
    connection: &mut PgConnection,
    subscriber_id: i64,
) -> Result<Vec<Kind>, sqlx::Error> {
    let names = sqlx::query_scalar!(
        "UPDATE subscriptions SET is_welcomed = true WHERE subscriber_id = $1 AND NOT is_welcomed RETURNING kind",
        subscriber_id
    )
    .fetch_all(connection)
    .await?;
    let mut kinds: Vec<_> = names.iter().filter_map(|name| Kind::named(name)).collect();
    kinds.sort_unstable();
    Ok(kinds)
}

/// Transfers a subscriber's newsletters to another subscriber, who may already have them.
#[sql("subscriptions.move_to")]
pub(crate) async fn move_to(
    connection: &mut PgConnection,
    from: i64,
    to: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO subscriptions (subscriber_id, kind, since, is_welcomed)
         SELECT $2, kind, since, is_welcomed FROM subscriptions WHERE subscriber_id = $1
         ON CONFLICT DO NOTHING",
        from,
        to,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A subscribed newsletter in an export.
#[derive(Debug)]
pub(crate) struct Exported {
    pub(crate) kind: String,
    pub(crate) since: DateTime<Utc>,
}

/// Returns a subscriber's newsletters for an export.
#[sql("subscriptions.export")]
pub(crate) async fn export(
    executor: impl PgExecutor<'_>,
    subscriber_id: i64,
) -> Result<Vec<Exported>, sqlx::Error> {
    sqlx::query_as!(
        Exported,
        "SELECT kind, since FROM subscriptions WHERE subscriber_id = $1 ORDER BY kind",
        subscriber_id,
    )
    .fetch_all(executor)
    .await
}

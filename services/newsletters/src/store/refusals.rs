//! `refusals`: mailboxes whose owners refuse further requests, as keyed hashes.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};

/// Records that a mailbox's owner refuses further requests.
#[sql("refusals.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    mailbox: &[u8],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO refusals (mailbox, at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        mailbox,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether a mailbox's owner refuses requests.
#[sql("refusals.has")]
pub(crate) async fn has(
    executor: impl PgExecutor<'_>,
    mailbox: &[u8],
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM refusals WHERE mailbox = $1) AS "exists!""#,
        mailbox,
    )
    .fetch_one(executor)
    .await
}

/// Deletes a refusal; returns whether it existed.
#[sql("refusals.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    mailbox: &[u8],
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM refusals WHERE mailbox = $1", mailbox)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

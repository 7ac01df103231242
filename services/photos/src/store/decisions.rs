//! The table `decisions`: the audit trail of photo reviews.

use chassis::{actor::Actor, error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Act, Decision};

/// Records the current operator's decision about a reader, or about one of the reader's photos.
#[sql("decisions.record")]
pub(crate) async fn record(
    connection: &mut PgConnection,
    (profile_id, photo_id): (i64, Option<i64>),
    act: Act,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let operator = Actor::current().operator;
    sqlx::query!(
        "INSERT INTO decisions (profile_id, photo_id, act, reason, operator, at) VALUES ($1, $2, $3, $4, $5, $6)",
        profile_id,
        photo_id,
        act.as_str(),
        reason,
        operator.as_deref().unwrap_or_default(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The decisions about a photo and its uploader, oldest first: at most the last 100.
#[sql("decisions.about")]
pub(crate) async fn about(
    pool: &PgPool,
    profile_id: i64,
    photo_id: i64,
) -> Result<Vec<Decision>, sqlx::Error> {
    let mut last = sqlx::query_as!(
        Decision,
        "SELECT act, reason, operator, at FROM decisions
         WHERE profile_id = $1 AND (photo_id = $2 OR photo_id IS NULL) ORDER BY id DESC LIMIT 100",
        profile_id,
        photo_id,
    )
    .fetch_all(pool)
    .await?;
    last.reverse();
    Ok(last)
}

/// Deletes entries from before an instant; returns how many.
pub(crate) async fn delete_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| delete_some(pool, before, most)).await
}

#[sql("decisions.delete_some")]
async fn delete_some(pool: &PgPool, before: DateTime<Utc>, most: i64) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM decisions WHERE ctid = ANY(ARRAY(SELECT ctid FROM decisions WHERE at < $1 LIMIT $2))",
        before,
        most,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected())
}

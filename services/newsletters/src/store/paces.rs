//! `paces`: recent emails per domain.

use std::collections::BTreeMap;

use chassis::{
    error::Fault,
    limits::{Rate, take_up_to},
    postgres::in_batches,
    sql,
};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

/// Takes the requested number of tokens for each domain, or the remaining number; returns the numbers taken. Concurrent
/// calls are serialised.
pub(crate) async fn take(
    pool: &PgPool,
    wanted: &BTreeMap<String, (Rate, u32)>,
    now: DateTime<Utc>,
) -> Result<BTreeMap<String, u32>, sqlx::Error> {
    let mut transaction = pool.begin().await?;
    let mut taken = BTreeMap::new();
    // All transactions lock domains in the same order, to prevent deadlocks.
    for (domain, (rate, wanted)) in wanted {
        let full_at = lock(&mut transaction, domain, now).await?;
        let (some, full_at) = take_up_to(*rate, Some(full_at), now, *wanted);
        update(&mut transaction, domain, full_at).await?;
        taken.insert(domain.clone(), some);
    }
    transaction.commit().await?;
    Ok(taken)
}

/// Locks a domain's bucket; a new bucket is full.
#[sql("paces.lock")]
async fn lock(
    connection: &mut PgConnection,
    domain: &str,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO paces (domain, full_at) VALUES ($1, $2)
         ON CONFLICT (domain) DO UPDATE SET full_at = paces.full_at RETURNING full_at",
        domain,
        now,
    )
    .fetch_one(connection)
    .await
}

#[sql("paces.update")]
async fn update(
    connection: &mut PgConnection,
    domain: &str,
    full_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE paces SET full_at = $2 WHERE domain = $1",
        domain,
        full_at
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes buckets that have been full since before this time, as they have no effect; returns their number.
#[sql("paces.delete_before")]
pub(crate) async fn delete_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM paces WHERE ctid = ANY(ARRAY(SELECT ctid FROM paces WHERE full_at < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

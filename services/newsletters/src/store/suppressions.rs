//! `suppressions`: undeliverable addresses, as keyed hashes.

use std::collections::HashSet;

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};

/// Records that addresses are undeliverable, unless already recorded.
#[sql("suppressions.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    addresses: &[Vec<u8>],
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO suppressions (address, reason, at) SELECT address, $2, $3 FROM unnest($1::bytea[]) AS address
         ON CONFLICT DO NOTHING",
        addresses,
        reason,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the undeliverable addresses among these.
#[sql("suppressions.among")]
pub(crate) async fn among(
    executor: impl PgExecutor<'_>,
    addresses: &[Vec<u8>],
) -> Result<HashSet<Vec<u8>>, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "SELECT address FROM suppressions WHERE address = ANY($1)",
        addresses,
    )
    .fetch_all(executor)
    .await?;
    Ok(found.into_iter().collect())
}

/// Returns why an address is undeliverable; `None` if it is not.
#[sql("suppressions.reason")]
pub(crate) async fn reason(
    executor: impl PgExecutor<'_>,
    address: &[u8],
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT reason FROM suppressions WHERE address = $1",
        address
    )
    .fetch_optional(executor)
    .await
}

/// Allows an address to receive mail again. Returns whether it was suppressed.
#[sql("suppressions.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    address: &[u8],
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM suppressions WHERE address = $1", address)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

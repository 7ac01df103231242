//! The table `log_keys`: the public keys that have signed the log.

use ad_delivery::LogKey;
use chassis::sql;
use sqlx::PgExecutor;

/// The keys, in the order of their positions.
#[sql("log_keys.all")]
pub(crate) async fn all(executor: impl PgExecutor<'_>) -> Result<Vec<LogKey>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT position, public_key, first_used_at, handover, acceptance FROM log_keys ORDER BY position",
    )
    .fetch_all(executor)
    .await?;
    let keys = rows.into_iter().map(|row| {
        let length = row.public_key.len();
        let public_key = row.public_key.try_into().map_err(|_| {
            sqlx::Error::Decode(format!("a public key of {length} bytes in place of 32").into())
        })?;
        Ok(LogKey {
            position: row.position,
            public_key,
            first_used_at: row.first_used_at,
            handover: row.handover,
            acceptance: row.acceptance,
        })
    });
    keys.collect()
}

/// Stores a key.
#[sql("log_keys.insert")]
pub(crate) async fn insert(executor: impl PgExecutor<'_>, key: &LogKey) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO log_keys (position, public_key, first_used_at, handover, acceptance) VALUES ($1, $2, $3, $4, $5)",
        key.position,
        key.public_key.as_slice(),
        key.first_used_at,
        key.handover,
        key.acceptance,
    )
    .execute(executor)
    .await?;
    Ok(())
}

//! The table `used_ceremonies`: successful passkey ceremonies and Facebook log-ins, recorded to prevent their reuse.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::Used;

/// Records the use of a ceremony. Returns whether it was the first use.
#[sql("used_ceremonies.insert")]
pub(crate) async fn use_up(
    connection: &mut PgConnection,
    used: &Used,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO used_ceremonies (digest, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        used.digest,
        used.expires_at,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a ceremony was already used.
#[sql("used_ceremonies.find")]
pub(crate) async fn is_used(pool: &PgPool, used: &Used) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM used_ceremonies WHERE digest = $1) AS "used!""#,
        used.digest,
    )
    .fetch_one(pool)
    .await
}

/// Deletes records of ceremonies that have expired; returns how many.
#[sql("used_ceremonies.delete_expired")]
pub(crate) async fn delete_expired(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM used_ceremonies WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM used_ceremonies WHERE expires_at <= $1 LIMIT $2))",
            now,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

//! The tables `erasures` and `receipt_keys`.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::domain::{Erasure, LinkToken, RECEIPT_KEPT};

#[sql("erasures.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    erasure: &Erasure,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO erasures (id, profile_id, requested_at, email, pending_email, email_verified, sessions)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        erasure.id,
        erasure.profile_id,
        erasure.requested_at,
        erasure.email,
        erasure.pending_email,
        erasure.email_verified,
        &erasure.sessions,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// An erasure in progress.
#[sql("erasures.find")]
pub(crate) async fn find(pool: &PgPool, id: Uuid) -> Result<Option<Erasure>, sqlx::Error> {
    sqlx::query_as!(
        Erasure,
        r#"SELECT id, profile_id, requested_at, email AS "email!", pending_email, email_verified,
               coalesce(sessions, '{}') AS "sessions!"
           FROM erasures WHERE id = $1 AND completed_at IS NULL"#,
        id,
    )
    .fetch_optional(pool)
    .await
}

/// Completes an erasure with its receipt, and deletes the data that was needed for it. Returns false if it was already
/// completed.
#[sql("erasures.complete")]
pub(crate) async fn complete(
    connection: &mut PgConnection,
    id: Uuid,
    receipt: &str,
    token: &LinkToken,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE erasures SET completed_at = $2, receipt = $3, token_digest = $4,
             email = NULL, pending_email = NULL, sessions = NULL
         WHERE id = $1 AND completed_at IS NULL",
        id,
        now,
        receipt,
        token.digest(),
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The receipt for a link, unless it has expired.
#[sql("erasures.receipt")]
pub(crate) async fn receipt(
    pool: &PgPool,
    token: &LinkToken,
    now: DateTime<Utc>,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT receipt AS "receipt!" FROM erasures WHERE token_digest = $1 AND completed_at > $2"#,
        token.digest(),
        now - RECEIPT_KEPT,
    )
    .fetch_optional(pool)
    .await
}

/// Deletes receipts that are too old; returns how many.
#[sql("erasures.delete_old")]
pub(crate) async fn delete_old(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM erasures WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM erasures WHERE completed_at <= $1 LIMIT $2))",
            now - RECEIPT_KEPT,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Stores a public key, unless it already exists.
#[sql("receipt_keys.keep")]
pub(crate) async fn keep_key(
    connection: &mut PgConnection,
    id: &str,
    public_key: &[u8],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO receipt_keys (id, public_key, first_used_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        id,
        public_key,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A public key with which receipts were signed.
#[sql("receipt_keys.find")]
pub(crate) async fn find_key(
    database: impl PgExecutor<'_>,
    id: &str,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!("SELECT public_key FROM receipt_keys WHERE id = $1", id)
        .fetch_optional(database)
        .await
}

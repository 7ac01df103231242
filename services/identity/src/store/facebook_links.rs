//! The tables `facebook_links` and `facebook_deletions`.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::domain::{Connection, DELETION_KEPT, DeletionOutcome, FacebookId};

/// The account connected to a Facebook user.
pub(crate) struct Owner {
    pub(crate) profile_id: i64,
    pub(crate) email: String,
    /// When the account was created.
    pub(crate) account_created_at: DateTime<Utc>,
    /// When an operator disabled the account.
    pub(crate) disabled_at: Option<DateTime<Utc>>,
}

/// The account connected to this Facebook user.
#[sql("facebook_links.owner")]
pub(crate) async fn owner(
    database: impl PgExecutor<'_>,
    person: &FacebookId,
) -> Result<Option<Owner>, sqlx::Error> {
    sqlx::query_as!(
        Owner,
        "SELECT f.profile_id, p.email, p.created_at AS account_created_at, p.disabled_at
         FROM facebook_links f JOIN profiles p ON p.id = f.profile_id
         WHERE f.facebook_id = $1",
        person.as_str(),
    )
    .fetch_optional(database)
    .await
}

/// An account's connection.
#[sql("facebook_links.of_profile")]
pub(crate) async fn of_profile(
    database: impl PgExecutor<'_>,
    profile_id: i64,
) -> Result<Option<Connection>, sqlx::Error> {
    sqlx::query_as!(
        Connection,
        "SELECT facebook_id, created_at, last_used_at FROM facebook_links WHERE profile_id = $1",
        profile_id,
    )
    .fetch_optional(database)
    .await
}

/// Connects an account to a Facebook user. The account must not have a connection. Returns false if the user is already
/// connected to an account.
#[sql("facebook_links.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile_id: i64,
    person: &FacebookId,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO facebook_links (profile_id, facebook_id, created_at, last_used_at)
         VALUES ($1, $2, $3, $3)
         ON CONFLICT (facebook_id) DO NOTHING",
        profile_id,
        person.as_str(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Records that a connection was used. Returns whether it still exists.
#[sql("facebook_links.touch")]
pub(crate) async fn touch(
    connection: &mut PgConnection,
    profile_id: i64,
    person: &FacebookId,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE facebook_links SET last_used_at = $3 WHERE profile_id = $1 AND facebook_id = $2",
        profile_id,
        person.as_str(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Ends an account's connection; returns the Facebook user's id, if there was one.
#[sql("facebook_links.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "DELETE FROM facebook_links WHERE profile_id = $1 RETURNING facebook_id",
        profile_id
    )
    .fetch_optional(connection)
    .await
}

/// Records the outcome of a deletion request from Facebook.
#[sql("facebook_deletions.insert")]
pub(crate) async fn insert_deletion(
    connection: &mut PgConnection,
    code_digest: &[u8],
    outcome: DeletionOutcome,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO facebook_deletions (code_digest, outcome, requested_at) VALUES ($1, $2, $3)",
        code_digest,
        outcome.as_str(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The outcome of a deletion request, and when the request was made.
#[sql("facebook_deletions.find")]
pub(crate) async fn deletion(
    pool: &PgPool,
    code_digest: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<(String, DateTime<Utc>)>, sqlx::Error> {
    let found = sqlx::query!(
        "SELECT outcome, requested_at FROM facebook_deletions
         WHERE code_digest = $1 AND requested_at > $2",
        code_digest,
        now - DELETION_KEPT,
    )
    .fetch_optional(pool)
    .await?;
    Ok(found.map(|row| (row.outcome, row.requested_at)))
}

/// Deletes outcomes that can no longer be read; returns how many.
#[sql("facebook_deletions.delete_old")]
pub(crate) async fn delete_old_deletions(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM facebook_deletions WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM facebook_deletions WHERE requested_at <= $1 LIMIT $2))",
            now - DELETION_KEPT,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

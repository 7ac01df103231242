//! The table `audit_entries`: the audit log.

use chassis::{actor::Actor, error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Act, AuditCursor, AuditEntry, MAX_ENTRIES, MAX_NETWORKS, hour};

/// Records an action on an account, if the account exists, and deletes the account's oldest entries of that action
/// beyond [`MAX_ENTRIES`].
#[sql("audit_entries.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile_id: i64,
    act: Act,
    actor: &Actor,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        // The account is locked first, as in an erasure, so that this statement and an erasure cannot deadlock.
        "WITH account AS (SELECT id FROM profiles WHERE id = $1 FOR KEY SHARE),
         oldest AS (
             DELETE FROM audit_entries WHERE id IN (
                 SELECT id FROM audit_entries WHERE profile_id = (SELECT id FROM account) AND act = $2
                 ORDER BY id DESC OFFSET $6)
         )
         INSERT INTO audit_entries (profile_id, act, network, operator, first_at, last_at)
         SELECT id, $2, $3, $4, $5, $5 FROM account",
        profile_id,
        act.as_str(),
        actor.network.as_deref(),
        actor.operator.as_deref(),
        now,
        MAX_ENTRIES - 1,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Counts a failed attempt, with or without an account: attempts within an hour from the same network share an entry.
/// Networks beyond [`MAX_NETWORKS`] are counted together, and the oldest entries beyond [`MAX_ENTRIES`] are deleted.
///
/// The statement is the same with and without an account: it writes one row and takes the same time.
#[sql("audit_entries.count_failure")]
pub(crate) async fn count_failure(
    pool: &PgPool,
    profile_id: Option<i64>,
    act: Act,
    actor: &Actor,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH account AS (SELECT id FROM profiles WHERE id = $1 FOR KEY SHARE),
         oldest AS (
             DELETE FROM audit_entries WHERE id IN (
                 SELECT id FROM audit_entries
                 WHERE coalesce(profile_id, 0) = coalesce((SELECT id FROM account), 0) AND act = $2 AND hour IS NOT NULL
                 ORDER BY hour DESC OFFSET $6)
         ),
         networks AS (
             SELECT network FROM audit_entries
             WHERE coalesce(profile_id, 0) = coalesce($1, 0) AND act = $2 AND hour = $4 AND network IS NOT NULL
         )
         INSERT INTO audit_entries AS e (profile_id, act, network, hour, first_at, last_at)
         SELECT $1, $2,
             CASE WHEN (SELECT count(*) FROM networks) < $7 OR $3 IN (SELECT network FROM networks) THEN $3 END,
             $4, $5, $5
         WHERE $1::bigint IS NULL OR EXISTS (SELECT FROM account)
         ON CONFLICT (coalesce(profile_id, 0), act, hour, coalesce(network, '')) WHERE hour IS NOT NULL
         DO UPDATE SET times = e.times + 1, last_at = greatest(e.last_at, excluded.last_at)",
        profile_id,
        act.as_str(),
        actor.network.as_deref(),
        hour(now),
        now,
        MAX_ENTRIES - 1,
        MAX_NETWORKS,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Replaces an account by its pseudonym in all its entries; returns the number of entries.
#[sql("audit_entries.pseudonymise")]
pub(crate) async fn pseudonymise(
    connection: &mut PgConnection,
    profile_id: i64,
    pseudonym: &[u8],
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE audit_entries SET profile_id = NULL, pseudonym = $2, hour = NULL WHERE profile_id = $1",
        profile_id,
        pseudonym,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// An account's entries after an id, ordered by id.
#[sql("audit_entries.of_profile")]
pub(crate) async fn of_profile(
    pool: &PgPool,
    profile_id: i64,
    after_id: i64,
    most: i64,
) -> Result<Vec<AuditEntry>, sqlx::Error> {
    sqlx::query_as!(
        AuditEntry,
        "SELECT id, profile_id, pseudonym, act, network, operator, times, first_at, last_at
         FROM audit_entries WHERE profile_id = $1 AND id > $2 ORDER BY id LIMIT $3",
        profile_id,
        after_id,
        most,
    )
    .fetch_all(pool)
    .await
}

/// Entries of all accounts, oldest first.
#[sql("audit_entries.since")]
pub(crate) async fn since(
    pool: &PgPool,
    after: AuditCursor,
    most: i64,
) -> Result<Vec<AuditEntry>, sqlx::Error> {
    sqlx::query_as!(
        AuditEntry,
        "SELECT id, profile_id, pseudonym, act, network, operator, times, first_at, last_at
         FROM audit_entries WHERE (last_at, id) > ($1, $2) ORDER BY last_at, id LIMIT $3",
        after.last_at,
        after.id,
        most,
    )
    .fetch_all(pool)
    .await
}

/// Entries of an account, including an erased account, oldest first.
#[sql("audit_entries.since_of_account")]
pub(crate) async fn since_of_account(
    pool: &PgPool,
    profile_id: i64,
    pseudonyms: &[Vec<u8>],
    after: AuditCursor,
    most: i64,
) -> Result<Vec<AuditEntry>, sqlx::Error> {
    sqlx::query_as!(
        AuditEntry,
        "SELECT id, profile_id, pseudonym, act, network, operator, times, first_at, last_at
         FROM audit_entries WHERE (profile_id = $1 OR pseudonym = ANY($2)) AND (last_at, id) > ($3, $4)
         ORDER BY last_at, id LIMIT $5",
        profile_id,
        pseudonyms,
        after.last_at,
        after.id,
        most,
    )
    .fetch_all(pool)
    .await
}

/// Deletes entries that are too old; returns how many.
#[sql("audit_entries.delete_old")]
pub(crate) async fn delete_old(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM audit_entries WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM audit_entries WHERE last_at <= $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

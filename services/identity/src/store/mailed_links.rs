//! The table `mailed_links`, indexed by the digest of the secret.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{LinkToken, MAX_LINKS, Purpose};

/// A link to store.
pub(crate) struct NewLink<'a> {
    pub(crate) profile_id: i64,
    pub(crate) purpose: Purpose,
    pub(crate) token: &'a LinkToken,
    /// The address to which the link is mailed.
    pub(crate) email: &'a str,
    /// The key of that address, if the link restores it.
    pub(crate) restores: Option<String>,
}

/// Stores a link of a locked account, unless a link with the same purpose was created after `unless_since`. Earlier links
/// remain valid, but only the latest [`MAX_LINKS`] are kept, or the first that restore an address. Returns whether the
/// link was stored.
#[sql("mailed_links.put")]
pub(crate) async fn put(
    connection: &mut PgConnection,
    link: &NewLink<'_>,
    now: DateTime<Utc>,
    unless_since: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    if link.restores.is_none() {
        sqlx::query!(
            "DELETE FROM mailed_links WHERE token_digest IN (
                 SELECT token_digest FROM mailed_links WHERE profile_id = $1 AND purpose = $2
                 ORDER BY created_at DESC OFFSET $3)",
            link.profile_id,
            link.purpose.as_str(),
            MAX_LINKS - 1,
        )
        .execute(&mut *connection)
        .await?;
    }
    let done = sqlx::query!(
        "INSERT INTO mailed_links (profile_id, purpose, token_digest, email, created_at, expires_at, restores)
         SELECT $1, $2, $3, $4, $5, $6, $8
         WHERE NOT EXISTS (
             SELECT FROM mailed_links WHERE profile_id = $1 AND purpose = $2 AND created_at > $7::timestamptz)
         AND (SELECT count(*) FROM mailed_links WHERE profile_id = $1 AND purpose = $2) < $9",
        link.profile_id,
        link.purpose.as_str(),
        link.token.digest(),
        link.email,
        now,
        now + link.purpose.lifetime(),
        unless_since,
        link.restores.as_deref(),
        MAX_LINKS,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A valid link.
pub(crate) struct Link {
    pub(crate) profile_id: i64,
    /// The address to which the link was mailed.
    pub(crate) email: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// The link with this token, if it is valid.
#[sql("mailed_links.find")]
pub(crate) async fn find(
    pool: &PgPool,
    token: &LinkToken,
    purpose: Purpose,
    now: DateTime<Utc>,
) -> Result<Option<Link>, sqlx::Error> {
    sqlx::query_as!(
        Link,
        "SELECT profile_id, email, created_at FROM mailed_links
         WHERE token_digest = $1 AND purpose = $2 AND expires_at > $3",
        token.digest(),
        purpose.as_str(),
        now,
    )
    .fetch_optional(pool)
    .await
}

/// Finds and deletes the valid link with this token: of two concurrent calls, only one succeeds.
#[sql("mailed_links.take")]
pub(crate) async fn take(
    connection: &mut PgConnection,
    token: &LinkToken,
    purpose: Purpose,
    now: DateTime<Utc>,
) -> Result<Option<Link>, sqlx::Error> {
    sqlx::query_as!(
        Link,
        "DELETE FROM mailed_links WHERE token_digest = $1 AND purpose = $2 AND expires_at > $3
         RETURNING profile_id, email, created_at",
        token.digest(),
        purpose.as_str(),
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Revokes the links of an account with one purpose, or with every purpose except undoing a change of address; returns
/// how many.
#[sql("mailed_links.revoke")]
pub(crate) async fn revoke(
    connection: &mut PgConnection,
    profile_id: i64,
    purpose: Option<Purpose>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM mailed_links WHERE profile_id = $1
         AND (purpose = $2 OR $2::text IS NULL AND restores IS NULL)",
        profile_id,
        purpose.map(Purpose::as_str),
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Revokes an account's links that restore an address and were created since an instant: they would restore an address
/// that the account got after the address of the link in use.
#[sql("mailed_links.revoke_restoring")]
pub(crate) async fn revoke_restoring(
    connection: &mut PgConnection,
    profile_id: i64,
    since: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM mailed_links WHERE profile_id = $1 AND restores IS NOT NULL AND created_at >= $2",
        profile_id,
        since,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A stored link, for an export.
pub(crate) struct StoredLink {
    pub(crate) purpose: String,
    pub(crate) email: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) expires_at: DateTime<Utc>,
}

/// All links of an account, including expired links.
#[sql("mailed_links.of_profile")]
pub(crate) async fn of_profile(
    pool: &PgPool,
    profile_id: i64,
) -> Result<Vec<StoredLink>, sqlx::Error> {
    sqlx::query_as!(
        StoredLink,
        "SELECT purpose, email, created_at, expires_at FROM mailed_links
         WHERE profile_id = $1 ORDER BY purpose, created_at",
        profile_id,
    )
    .fetch_all(pool)
    .await
}

/// Deletes expired links; returns how many.
#[sql("mailed_links.delete_expired")]
pub(crate) async fn delete_expired(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM mailed_links WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM mailed_links WHERE expires_at <= $1 LIMIT $2))",
            now,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

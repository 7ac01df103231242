//! `confirmation_links`, by digest of their secrets.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::LinkToken;

/// A link to store.
pub(crate) struct NewLink<'a> {
    pub(crate) token: &'a LinkToken,
    pub(crate) email_key: &'a str,
    pub(crate) mailbox: &'a str,
    pub(crate) kinds: &'a [String],
    pub(crate) expires_at: DateTime<Utc>,
}

/// Stores a link, unless the mailbox has reached its maximum number of links since a time. Calls for the same mailbox
/// are serialised.
#[sql("confirmation_links.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    link: &NewLink<'_>,
    now: DateTime<Utc>,
    (most, since): (i64, DateTime<Utc>),
) -> Result<bool, sqlx::Error> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended('newsletters.' || $1, 0))",
        link.mailbox
    )
    .fetch_one(&mut *connection)
    .await?;
    let done = sqlx::query!(
        "INSERT INTO confirmation_links (token_digest, email_key, mailbox, kinds, created_at, expires_at)
         SELECT $1, $2, $3, $4, $5, $6
         WHERE (SELECT count(*) FROM confirmation_links WHERE mailbox = $3 AND created_at > $8) < $7",
        link.token.digest(),
        link.email_key,
        link.mailbox,
        link.kinds,
        now,
        link.expires_at,
        most,
        since,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A valid link.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) email_key: String,
    pub(crate) mailbox: String,
    pub(crate) kinds: Vec<String>,
}

/// Returns the link with this token, if it is valid.
#[sql("confirmation_links.find")]
pub(crate) async fn find(
    pool: &PgPool,
    token: &LinkToken,
    now: DateTime<Utc>,
) -> Result<Option<Link>, sqlx::Error> {
    sqlx::query_as!(
        Link,
        "SELECT email_key, mailbox, kinds FROM confirmation_links WHERE token_digest = $1 AND expires_at > $2",
        token.digest(),
        now,
    )
    .fetch_optional(pool)
    .await
}

/// Uses a link: of concurrent calls, only one receives it. The row remains for the mailbox's limit.
#[sql("confirmation_links.take")]
pub(crate) async fn take(
    connection: &mut PgConnection,
    token: &LinkToken,
    now: DateTime<Utc>,
) -> Result<Option<Link>, sqlx::Error> {
    sqlx::query_as!(
        Link,
        "UPDATE confirmation_links SET expires_at = $2 WHERE token_digest = $1 AND expires_at > $2
         RETURNING email_key, mailbox, kinds",
        token.digest(),
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Deletes the links for this address that were created until this time; returns their number.
#[sql("confirmation_links.delete_until")]
pub(crate) async fn delete_until(
    connection: &mut PgConnection,
    email_key: &str,
    until: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM confirmation_links WHERE email_key = $1 AND created_at <= $2",
        email_key,
        until,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes links created before this time; returns their number.
#[sql("confirmation_links.delete_before")]
pub(crate) async fn delete_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM confirmation_links WHERE token_digest = ANY(ARRAY(
                SELECT token_digest FROM confirmation_links WHERE created_at < $1 AND expires_at < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

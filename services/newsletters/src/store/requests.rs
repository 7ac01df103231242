//! `requests`: requested newsletters that the owner of the address has not confirmed yet.

use chassis::{email::Email, error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use vocabulary::newsletters::Kind;

/// A requested newsletter and its evidence.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) kind: String,
    pub(crate) wording: Vec<u8>,
    pub(crate) page: String,
    pub(crate) way: String,
    pub(crate) network: String,
}

/// Stores a request and replaces an earlier request for the same newsletter.
#[sql("requests.put")]
pub(crate) async fn put(
    connection: &mut PgConnection,
    email: &Email,
    request: &Request,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO requests (email_key, kind, email, wording, page, way, network, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (email_key, kind) DO UPDATE
         SET email = $3, wording = $4, page = $5, way = $6, network = $7, at = $8",
        email.key(),
        request.kind,
        email.as_str(),
        request.wording,
        request.page,
        request.way,
        request.network,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the newsletters requested for this address.
#[sql("requests.kinds")]
pub(crate) async fn kinds(
    connection: &mut PgConnection,
    email_key: &str,
) -> Result<Vec<Kind>, sqlx::Error> {
    let names = sqlx::query_scalar!("SELECT kind FROM requests WHERE email_key = $1", email_key)
        .fetch_all(connection)
        .await?;
    let mut kinds: Vec<_> = names.iter().filter_map(|name| Kind::named(name)).collect();
    kinds.sort_unstable();
    Ok(kinds)
}

/// Returns the requests for this address, with their evidence.
#[sql("requests.evidence")]
pub(crate) async fn evidence(
    executor: impl PgExecutor<'_>,
    email_key: &str,
) -> Result<Vec<Request>, sqlx::Error> {
    sqlx::query_as!(
        Request,
        "SELECT kind, wording, page, way, network FROM requests WHERE email_key = $1 ORDER BY kind",
        email_key,
    )
    .fetch_all(executor)
    .await
}

/// A pending request.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub(crate) kind: String,
    /// The address as entered.
    pub(crate) email: String,
}

/// Returns the pending requests of this address for these newsletters.
#[sql("requests.waiting")]
pub(crate) async fn waiting(
    pool: &PgPool,
    email_key: &str,
    kinds: &[String],
) -> Result<Vec<Waiting>, sqlx::Error> {
    sqlx::query_as!(
        Waiting,
        "SELECT kind, email FROM requests WHERE email_key = $1 AND kind = ANY($2)",
        email_key,
        kinds,
    )
    .fetch_all(pool)
    .await
}

/// Removes and returns the requests of this address for these newsletters; of concurrent calls, only one receives them.
#[sql("requests.take")]
pub(crate) async fn take(
    connection: &mut PgConnection,
    email_key: &str,
    kinds: &[String],
) -> Result<Vec<(Request, String)>, sqlx::Error> {
    let rows = sqlx::query!(
        "DELETE FROM requests WHERE email_key = $1 AND kind = ANY($2)
         RETURNING kind, wording, page, way, network, email",
        email_key,
        kinds,
    )
    .fetch_all(connection)
    .await?;
    let taken = rows.into_iter().map(|row| {
        let request = Request {
            kind: row.kind,
            wording: row.wording,
            page: row.page,
            way: row.way,
            network: row.network,
        };
        (request, row.email)
    });
    Ok(taken.collect())
}

/// Deletes all requests of this address; returns their number.
#[sql("requests.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    email_key: &str,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM requests WHERE email_key = $1", email_key)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

/// Deletes the requests of this address made until this time; returns their number.
#[sql("requests.delete_until")]
pub(crate) async fn delete_until(
    connection: &mut PgConnection,
    email_key: &str,
    until: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM requests WHERE email_key = $1 AND at <= $2",
        email_key,
        until,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes expired requests; returns their number.
#[sql("requests.delete_before")]
pub(crate) async fn delete_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM requests WHERE ctid = ANY(ARRAY(SELECT ctid FROM requests WHERE at < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

//! `vote_bursts`. The votes of the place are locked while a burst starts or grows.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Burst, MAX_LISTED, SourceKind};

/// A burst that a vote may belong to.
pub(crate) struct Standing {
    pub(crate) id: i64,
    /// Whether the burst's votes count; `None` while they are held back.
    pub(crate) is_accepted: Option<bool>,
}

/// Returns the last burst for a place from one source that began after this time.
#[sql("vote_bursts.last")]
pub(crate) async fn last(
    connection: &mut PgConnection,
    listing_id: i64,
    (kind, source): (SourceKind, &str),
    since: DateTime<Utc>,
) -> Result<Option<Standing>, sqlx::Error> {
    sqlx::query_as!(
        Standing,
        "SELECT id, is_accepted FROM vote_bursts
         WHERE listing_id = $1 AND kind = $2 AND source = $3 AND begun_at > $4
         ORDER BY begun_at DESC LIMIT 1",
        listing_id,
        kind.as_str(),
        source,
        since,
    )
    .fetch_optional(connection)
    .await
}

/// Inserts a burst; returns its id.
#[sql("vote_bursts.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    listing_id: i64,
    (kind, source): (SourceKind, &str),
    now: DateTime<Utc>,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO vote_bursts (listing_id, kind, source, begun_at) VALUES ($1, $2, $3, $4) RETURNING id",
        listing_id,
        kind.as_str(),
        source,
        now,
    )
    .fetch_one(connection)
    .await
}

/// Returns the bursts whose votes are held back, oldest first.
#[sql("vote_bursts.waiting")]
pub(crate) async fn waiting(pool: &PgPool) -> Result<Vec<Burst>, sqlx::Error> {
    sqlx::query_as!(
        Burst,
        r#"SELECT b.id, b.listing_id, l.name AS listing_name, b.kind, b.source, b.begun_at,
               coalesce(r.votes, 0) AS "votes!", coalesce(r.average, 0) AS "average!"
           FROM vote_bursts b JOIN listings l ON l.id = b.listing_id, LATERAL (
               SELECT count(*) AS votes, avg(rating)::float8 AS average FROM ratings WHERE burst_id = b.id
           ) r
           WHERE b.is_accepted IS NULL ORDER BY b.begun_at, b.id LIMIT $1"#,
        MAX_LISTED,
    )
    .fetch_all(pool)
    .await
}

/// Accepts or rejects a burst whose votes are held back. Returns the number of its votes, or `None` if there is no such
/// burst.
#[sql("vote_bursts.decide")]
pub(crate) async fn decide(
    pool: &PgPool,
    id: i64,
    accept: bool,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"UPDATE vote_bursts SET is_accepted = $2 WHERE id = $1 AND is_accepted IS NULL
           RETURNING (SELECT count(*) FROM ratings WHERE burst_id = vote_bursts.id) AS "votes!""#,
        id,
        accept,
    )
    .fetch_optional(pool)
    .await
}

/// Accepts undecided bursts that began before this time; returns their number.
#[sql("vote_bursts.accept_waiting")]
pub(crate) async fn accept_waiting(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "UPDATE vote_bursts SET is_accepted = true WHERE id = ANY(ARRAY(
                 SELECT id FROM vote_bursts WHERE is_accepted IS NULL AND begun_at <= $1 LIMIT $2))
             AND is_accepted IS NULL",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// An accepted burst with uncounted votes.
pub(crate) struct Uncounted {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
}

/// Returns the next accepted burst with uncounted votes.
#[sql("vote_bursts.uncounted")]
pub(crate) async fn uncounted(pool: &PgPool) -> Result<Option<Uncounted>, sqlx::Error> {
    sqlx::query_as!(
        Uncounted,
        "SELECT b.id, b.listing_id FROM vote_bursts b
         WHERE b.is_accepted AND EXISTS (SELECT FROM ratings r WHERE r.burst_id = b.id)
         ORDER BY b.begun_at, b.id LIMIT 1",
    )
    .fetch_optional(pool)
    .await
}

/// Deletes decided bursts that began before this time; returns their number. Rejected votes remain rejected.
#[sql("vote_bursts.delete_old")]
pub(crate) async fn delete_old(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM vote_bursts b WHERE b.ctid = ANY(ARRAY(
                 SELECT ctid FROM vote_bursts WHERE begun_at <= $1 AND is_accepted IS NOT NULL LIMIT $2))
             AND NOT (b.is_accepted AND EXISTS (SELECT FROM ratings r WHERE r.burst_id = b.id))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

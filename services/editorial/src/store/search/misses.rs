//! `search_misses`: searches without results.

use chassis::sql;
use chrono::NaiveDate;
use sqlx::{FromRow, PgPool};

/// A search without results.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub(crate) struct Miss {
    pub(crate) query: String,
    /// Number of networks that have made the search, each counted once a week.
    pub(crate) networks: i64,
}

/// A search without results, and its origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Missed<'a> {
    /// Monday of the week of the search.
    pub(crate) week: NaiveDate,
    /// Folded query.
    pub(crate) query: &'a str,
    pub(crate) network: &'a str,
}

/// Counts a search. The words are revealed once `enough` networks have searched for them; at most `most` pairs of
/// search and network are counted per week. Returns whether the search was counted: each network counts once, and only
/// one of several concurrent first searches of a week counts.
#[sql("search_misses.note")]
pub(crate) async fn note(
    pool: &PgPool,
    missed: Missed<'_>,
    enough: i64,
    most: i64,
) -> Result<bool, sqlx::Error> {
    let noted = sqlx::query!(
        "WITH known AS (SELECT key FROM search_miss_weeks WHERE week = $1),
         made AS (
             INSERT INTO search_miss_weeks (week, key) SELECT $1, uuid_send(gen_random_uuid())
             WHERE NOT EXISTS (SELECT FROM known) ON CONFLICT DO NOTHING RETURNING key),
         week AS (SELECT key FROM known UNION ALL SELECT key FROM made),
         digests AS (
             SELECT sha256(key || convert_to('query ' || $2, 'UTF8')) AS digest,
                 sha256(key || convert_to('network ' || $3, 'UTF8')) AS network FROM week),
         seen AS (
             INSERT INTO search_miss_networks (week, digest, network) SELECT $1, digest, network FROM digests
             WHERE NOT EXISTS (SELECT FROM search_miss_networks WHERE week = $1 OFFSET $5::bigint)
             ON CONFLICT DO NOTHING RETURNING digest)
         INSERT INTO search_misses AS m (week, digest, networks, query)
         SELECT $1, digest, 1, CASE WHEN $4::bigint <= 1 THEN $2::text END FROM seen
         ON CONFLICT (week, digest) DO UPDATE SET networks = m.networks + 1,
             query = CASE WHEN m.networks + 1 >= $4 THEN $2::text END",
        missed.week,
        missed.query,
        missed.network,
        enough,
        most,
    )
    .execute(pool)
    .await?;
    Ok(noted.rows_affected() > 0)
}

/// Returns the searches whose words are revealed, most frequent first.
#[sql("search_misses.list")]
pub(crate) async fn list(pool: &PgPool, limit: i64) -> Result<Vec<Miss>, sqlx::Error> {
    sqlx::query_as!(
        Miss,
        r#"SELECT query AS "query!", sum(networks)::bigint AS "networks!" FROM search_misses
           WHERE query IS NOT NULL GROUP BY query ORDER BY sum(networks) DESC, query LIMIT $1"#,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// Deletes the keys, networks and unrevealed searches of weeks before `this_week`, and all searches of weeks before
/// `oldest`. Returns the number of deleted searches.
#[sql("search_misses.forget")]
pub(crate) async fn forget(
    pool: &PgPool,
    this_week: NaiveDate,
    oldest: NaiveDate,
) -> Result<u64, sqlx::Error> {
    let forgotten = sqlx::query!(
        "WITH weeks AS (DELETE FROM search_miss_weeks WHERE week < $1),
             networks AS (DELETE FROM search_miss_networks WHERE week < $1)
         DELETE FROM search_misses WHERE week < $2 OR (week < $1 AND query IS NULL)",
        this_week,
        oldest,
    )
    .execute(pool)
    .await?;
    Ok(forgotten.rows_affected())
}

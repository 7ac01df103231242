//! `ratings`, and their sums in `listing_votes`. A change of a vote first locks the sums of its place, so that
//! concurrent changes keep the sums and the detection of bursts exact.

use chassis::{
    error::Fault,
    postgres::{
        in_batches,
        stamps::{Change, Stamped},
    },
    sql, stamped,
};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::domain::{Origin, PlaceRating, Rating, SourceKind, Stars, Votes};

/// Locks the sums of a place until the transaction ends, and marks them as changed. Returns whether the place is
/// closed; `None` if it does not exist.
#[sql("ratings.hold")]
pub(crate) async fn hold(
    connection: &mut PgConnection,
    listing_id: i64,
) -> Result<Option<bool>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"INSERT INTO listing_votes AS v (listing_id) SELECT id FROM listings WHERE id = $1
           ON CONFLICT (listing_id) DO UPDATE SET is_ranked = false
           RETURNING (SELECT is_closed FROM listings WHERE id = v.listing_id) AS "is_closed!""#,
        listing_id,
    )
    .fetch_optional(connection)
    .await
}

/// Returns a reader's vote for a place.
#[sql("ratings.find")]
pub(crate) async fn find(
    database: impl PgExecutor<'_>,
    profile_id: i64,
    listing_id: i64,
) -> Result<Option<Rating>, sqlx::Error> {
    sqlx::query_as!(
        Rating,
        "SELECT id, listing_id, rating AS stars, date_created, is_counted FROM ratings
         WHERE profile_id = $1 AND listing_id = $2",
        profile_id,
        listing_id,
    )
    .fetch_optional(database)
    .await
}

/// Returns a reader's own vote by its id.
#[sql("ratings.own")]
pub(crate) async fn own(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<Option<Rating>, sqlx::Error> {
    sqlx::query_as!(
        Rating,
        "SELECT id, listing_id, rating AS stars, date_created, is_counted FROM ratings
         WHERE profile_id = $1 AND id = $2",
        profile_id,
        id,
    )
    .fetch_optional(connection)
    .await
}

/// Returns the votes for a place and a reader's own vote; `None` if the place does not exist. A guest is reader 0, who
/// has no votes.
#[sql("ratings.of_place")]
pub(crate) async fn of_place(
    pool: &PgPool,
    profile_id: i64,
    listing_id: i64,
) -> Result<Option<PlaceRating>, sqlx::Error> {
    let votes = sqlx::query_as!(
        Votes,
        r#"SELECT coalesce(v.sum, 0) AS "sum!", coalesce(v.count, 0) AS "count!"
           FROM listings l LEFT JOIN listing_votes v ON v.listing_id = l.id WHERE l.id = $1"#,
        listing_id,
    )
    .fetch_optional(pool)
    .await?;
    let Some(votes) = votes else { return Ok(None) };
    let own = find(pool, profile_id, listing_id).await?;
    Ok(Some(PlaceRating { votes, own }))
}

/// Inserts a reader's vote for a locked place. A vote that belongs to a burst is held back.
#[sql("ratings.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    change: &Change,
    (listing_id, stars): (i64, Stars),
    origin: &Origin,
    burst_id: Option<i64>,
) -> Result<Stamped, sqlx::Error> {
    stamped!(
        "INSERT INTO ratings (profile_id, listing_id, rating, date_created, is_counted, network, account_hour, burst_id)
         VALUES ($1, $10, $11, $3, $12::bigint IS NULL, $13, $14, $12)
         RETURNING id, date_created AS created_at",
        change,
        listing_id,
        stars.number(),
        burst_id,
        origin.network,
        origin.account_hour,
    )
    .fetch_one(connection)
    .await
}

/// Changes a reader's own vote for a locked place.
#[sql("ratings.change")]
pub(crate) async fn change(
    connection: &mut PgConnection,
    change: &Change,
    id: i64,
    stars: Stars,
) -> Result<Stamped, sqlx::Error> {
    stamped!(
        "UPDATE ratings SET rating = $11 WHERE profile_id = $1 AND id = $10
         RETURNING id, date_created AS created_at",
        change,
        id,
        stars.number(),
    )
    .fetch_one(connection)
    .await
}

/// Deletes a reader's own vote for a locked place.
#[sql("ratings.remove")]
pub(crate) async fn remove(
    connection: &mut PgConnection,
    change: &Change,
    id: i64,
) -> Result<Stamped, sqlx::Error> {
    stamped!(
        "DELETE FROM ratings WHERE profile_id = $1 AND id = $10
         RETURNING id, date_created AS created_at",
        change,
        id,
    )
    .fetch_one(connection)
    .await
}

/// Returns the first places with votes of a reader, ordered by id.
#[sql("ratings.places_of")]
pub(crate) async fn places_of(
    connection: &mut PgConnection,
    profile_id: i64,
    most: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT listing_id FROM ratings WHERE profile_id = $1 ORDER BY listing_id LIMIT $2",
        profile_id,
        most,
    )
    .fetch_all(connection)
    .await
}

/// Deletes a reader's votes for locked places; returns them.
#[sql("ratings.erase")]
pub(crate) async fn erase(
    connection: &mut PgConnection,
    profile_id: i64,
    listing_ids: &[i64],
) -> Result<Vec<Rating>, sqlx::Error> {
    sqlx::query_as!(
        Rating,
        "DELETE FROM ratings WHERE profile_id = $1 AND listing_id = ANY($2)
         RETURNING id, listing_id, rating AS stars, date_created, is_counted",
        profile_id,
        listing_ids,
    )
    .fetch_all(connection)
    .await
}

/// Changes the sums of a locked place from `before` to `after`.
#[sql("ratings.shift")]
pub(crate) async fn shift(
    connection: &mut PgConnection,
    listing_id: i64,
    before: Votes,
    after: Votes,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE listing_votes SET sum = sum + $2, count = count + $3 WHERE listing_id = $1",
        listing_id,
        after.sum - before.sum,
        after.count - before.count,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Counts the votes for a place from one source since a time, up to `most`.
#[sql("ratings.from_source")]
pub(crate) async fn from_source(
    connection: &mut PgConnection,
    listing_id: i64,
    (kind, source): (SourceKind, &str),
    since: DateTime<Utc>,
    most: i64,
) -> Result<i64, sqlx::Error> {
    match kind {
        SourceKind::Network => {
            sqlx::query_scalar!(
                r#"SELECT count(*) AS "count!" FROM (
                       SELECT FROM ratings WHERE listing_id = $1 AND network = $2 AND date_created > $3 LIMIT $4
                   ) r"#,
                listing_id,
                source,
                since,
                most,
            )
            .fetch_one(connection)
            .await
        }
        SourceKind::AccountHour => {
            sqlx::query_scalar!(
                r#"SELECT count(*) AS "count!" FROM (
                       SELECT FROM ratings WHERE listing_id = $1 AND account_hour = $2 AND date_created > $3 LIMIT $4
                   ) r"#,
                listing_id,
                source,
                since,
                most,
            )
            .fetch_one(connection)
            .await
        }
    }
}

/// Marks at most `most` votes of a burst for a locked place as counted, and removes them from the burst; returns their
/// sum and number.
#[sql("ratings.count_burst")]
pub(crate) async fn count_burst(
    connection: &mut PgConnection,
    burst_id: i64,
    most: i64,
) -> Result<Votes, sqlx::Error> {
    sqlx::query_as!(
        Votes,
        r#"WITH counted AS (
               UPDATE ratings SET is_counted = true, burst_id = NULL WHERE (profile_id, id) IN (
                   SELECT profile_id, id FROM ratings WHERE burst_id = $1 LIMIT $2)
               RETURNING rating
           )
           SELECT coalesce(sum(rating), 0) AS "sum!", count(*) AS "count!" FROM counted"#,
        burst_id,
        most,
    )
    .fetch_one(connection)
    .await
}

/// Deletes the origins of votes cast before this time; returns the number of votes.
#[sql("ratings.forget_sources")]
pub(crate) async fn forget_sources(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "UPDATE ratings SET network = NULL, account_hour = NULL WHERE ctid = ANY(ARRAY(
                 SELECT ctid FROM ratings
                 WHERE date_created <= $1 AND (network IS NOT NULL OR account_hour IS NOT NULL) LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Updates the ranks of places with changed sums; returns their number. Places locked by an import or a vote are
/// skipped until next time, so that neither side waits for the other.
#[sql("ratings.rank")]
pub(crate) async fn rank(pool: &PgPool) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "WITH due AS (
                SELECT v.listing_id, v.sum, v.count
                FROM listing_votes v JOIN listings l ON l.id = v.listing_id
                WHERE NOT v.is_ranked ORDER BY v.listing_id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
             ), ranked AS (
                UPDATE listings l SET rating_sum = due.sum, rating_count = due.count
                FROM due WHERE l.id = due.listing_id RETURNING l.id
             )
             UPDATE listing_votes v SET is_ranked = true FROM ranked WHERE v.listing_id = ranked.id",
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

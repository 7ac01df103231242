//! `ratings`, and their sums in `listing_votes`. A change of a vote locks the place's sums first, so that they stay exact
//! under concurrency.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Rating, Shift, Stars};

/// Locks a place's sums until the transaction ends, and marks them as changed; returns whether the place is closed.
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

/// A reader's vote on a locked place.
#[sql("ratings.find")]
pub(crate) async fn find(
    connection: &mut PgConnection,
    profile_id: i64,
    listing_id: i64,
) -> Result<Option<i16>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT rating FROM ratings WHERE profile_id = $1 AND listing_id = $2",
        profile_id,
        listing_id,
    )
    .fetch_optional(connection)
    .await
}

/// Makes or changes a reader's vote on a locked place.
#[sql("ratings.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    profile_id: i64,
    listing_id: i64,
    stars: Stars,
    now: DateTime<Utc>,
) -> Result<Rating, sqlx::Error> {
    let row = sqlx::query!(
        "INSERT INTO ratings (profile_id, listing_id, rating, date_created) VALUES ($1, $2, $3, $4)
         ON CONFLICT (profile_id, listing_id) DO UPDATE SET rating = excluded.rating
         RETURNING id, rating, date_created",
        profile_id,
        listing_id,
        stars.number(),
        now,
    )
    .fetch_one(connection)
    .await?;
    Ok(Rating {
        id: row.id,
        listing_id,
        stars: row.rating,
        date_created: row.date_created,
        is_new: false,
    })
}

/// The place of a reader's own vote.
#[sql("ratings.place_of")]
pub(crate) async fn place_of(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT listing_id FROM ratings WHERE id = $1 AND profile_id = $2",
        id,
        profile_id,
    )
    .fetch_optional(connection)
    .await
}

/// Removes a reader's own vote on a locked place; returns its value.
#[sql("ratings.remove")]
pub(crate) async fn remove(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<Option<i16>, sqlx::Error> {
    sqlx::query_scalar!(
        "DELETE FROM ratings WHERE id = $1 AND profile_id = $2 RETURNING rating",
        id,
        profile_id,
    )
    .fetch_optional(connection)
    .await
}

/// Changes the sums of a locked place.
#[sql("ratings.shift")]
pub(crate) async fn shift(
    connection: &mut PgConnection,
    listing_id: i64,
    shift: Shift,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE listing_votes SET sum = sum + $2, count = count + $3 WHERE listing_id = $1",
        listing_id,
        shift.sum,
        shift.count,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Orders lists by the sums that have changed; returns how many have. A place that an import or a vote holds is left
/// for the next time: neither waits here, and nobody waits for them here.
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

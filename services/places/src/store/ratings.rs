//! `ratings`, and their sums in places. A change of a vote locks its place first, so that sum and count stay
//! exact under concurrency.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::listings::Summary;
use crate::domain::{Rating, Shift, Stars};

/// Locks a place until the transaction ends; returns whether it is closed.
#[sql("ratings.hold")]
pub(crate) async fn hold(
    connection: &mut PgConnection,
    listing_id: i64,
) -> Result<Option<bool>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT is_closed FROM listings WHERE id = $1 FOR NO KEY UPDATE",
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

/// Changes a place's sum and count; returns its summary for other services.
#[sql("ratings.shift")]
pub(crate) async fn shift(
    connection: &mut PgConnection,
    listing_id: i64,
    shift: Shift,
) -> Result<Summary, sqlx::Error> {
    sqlx::query_as!(
        Summary,
        "UPDATE listings
         SET rating_sum = rating_sum + $2, rating_count = rating_count + $3, version = version + 1
         WHERE id = $1 RETURNING id, name, date_published, version",
        listing_id,
        shift.sum,
        shift.count,
    )
    .fetch_one(connection)
    .await
}

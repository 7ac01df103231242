//! The table `listing_counts`: the number of published photos of each place, updated incrementally.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

/// The number of listed photos of a place: 0 if the place is age-restricted.
#[sql("counts.of_listing")]
pub(crate) async fn of_listing(pool: &PgPool, listing_id: i64) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar!(
        "SELECT published FROM listing_counts c WHERE listing_id = $1
             AND NOT EXISTS (SELECT FROM restricted_listings r WHERE r.listing_id = c.listing_id)",
        listing_id,
    )
    .fetch_optional(pool)
    .await?;
    Ok(count.unwrap_or(0))
}

/// Adds `photos` to the number of published photos of a place; negative if photos are no longer published.
#[sql("counts.add")]
pub(crate) async fn add(
    connection: &mut PgConnection,
    listing_id: i64,
    photos: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO listing_counts AS c (listing_id, published) VALUES ($1, $2)
         ON CONFLICT (listing_id) DO UPDATE SET published = c.published + excluded.published",
        listing_id,
        photos,
    )
    .execute(connection)
    .await?;
    Ok(())
}

//! `listing_counts`: lengths of lists, updated with every change of places.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

use crate::domain::ListingFilter;

/// Recounts all lists in the transaction that changed places.
#[sql("counts.recount")]
pub(crate) async fn recount(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM listing_counts")
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "INSERT INTO listing_counts (type_id, neighbourhood_id, count)
         SELECT coalesce(type_id, 0), coalesce(neighbourhood_id, 0), count(*) FROM listings
         GROUP BY GROUPING SETS ((), (type_id), (neighbourhood_id))
         HAVING NOT (grouping(neighbourhood_id) = 0 AND neighbourhood_id IS NULL)",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the length of a list filtered by a type, a neighbourhood or neither.
#[sql("counts.find")]
pub(crate) async fn find(pool: &PgPool, filter: &ListingFilter) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar!(
        "SELECT count FROM listing_counts WHERE type_id = $1 AND neighbourhood_id = $2",
        filter.type_id.unwrap_or(0),
        filter.neighbourhood_id.unwrap_or(0),
    )
    .fetch_optional(pool)
    .await?;
    Ok(count.unwrap_or(0))
}

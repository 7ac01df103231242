//! The table `restricted_listings`: places of an age-restricted type.

use chassis::sql;
use sqlx::PgConnection;

/// Locks the table against other writers, so that the most recently read state is stored last.
#[sql("restricted.lock")]
pub(crate) async fn lock(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("LOCK TABLE restricted_listings IN SHARE ROW EXCLUSIVE MODE")
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores which of the places in `among` are restricted; an empty `among` means all places.
#[sql("restricted.put")]
pub(crate) async fn put(
    connection: &mut PgConnection,
    among: &[i64],
    restricted: &[i64],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM restricted_listings
         WHERE (listing_id = ANY($1) OR cardinality($1::bigint[]) = 0) AND NOT listing_id = ANY($2)",
        among,
        restricted,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO restricted_listings (listing_id) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING",
        restricted,
    )
    .execute(connection)
    .await?;
    Ok(())
}

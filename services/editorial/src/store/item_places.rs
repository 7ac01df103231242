//! `item_places`: the places that articles name and at which events happen.

use chassis::sql;
use sqlx::PgConnection;

/// Replaces the places of an item.
#[sql("item_places.replace")]
pub(crate) async fn replace(
    connection: &mut PgConnection,
    item_id: i64,
    listing_ids: &[i64],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH gone AS (DELETE FROM item_places WHERE item_id = $1 AND listing_id <> ALL($2))
         INSERT INTO item_places (listing_id, item_id) SELECT DISTINCT id, $1 FROM unnest($2::bigint[]) AS p (id)
         ON CONFLICT DO NOTHING",
        item_id,
        listing_ids,
    )
    .execute(connection)
    .await?;
    Ok(())
}

//! Data of places for matching with other lists.

use chassis::sql;
use sqlx::{PgExecutor, PgPool};
use vocabulary::position::Coordinates;

use crate::domain::{MatchPlace, MatchedPlace};

/// Returns all places or all food places.
#[sql("match_places.all")]
pub(crate) async fn all(
    database: impl PgExecutor<'_>,
    only_food: bool,
) -> Result<Vec<MatchPlace>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT l.id, l.source_id, l.name, l.address, l.latitude, l.longitude, l.dinesafe_establishment_id
         FROM listings l JOIN listing_types t ON t.id = l.type_id
         WHERE t.is_food OR NOT $1 ORDER BY l.id",
        only_food,
    )
    .fetch_all(database)
    .await?;
    let places = rows.into_iter().map(|row| MatchPlace {
        id: row.id,
        source_id: row.source_id,
        name: row.name,
        address: row.address,
        coordinates: row
            .latitude
            .zip(row.longitude)
            .map(|(latitude, longitude)| Coordinates {
                latitude,
                longitude,
            }),
        establishment_id: row.dinesafe_establishment_id,
    });
    Ok(places.collect())
}

/// Returns the public data of matched places.
#[sql("match_places.found")]
pub(crate) async fn found(pool: &PgPool, ids: &[i64]) -> Result<Vec<MatchedPlace>, sqlx::Error> {
    sqlx::query_as!(
        MatchedPlace,
        r#"SELECT l.id, l.slug, l.name, l.address, l.is_closed, t.slug AS type_slug,
               n.slug AS "neighbourhood_slug?", n.name AS "neighbourhood_name?"
           FROM listings l JOIN listing_types t ON t.id = l.type_id
           LEFT JOIN neighbourhoods n ON n.id = l.neighbourhood_id
           WHERE l.id = ANY($1) ORDER BY l.id"#,
        ids,
    )
    .fetch_all(pool)
    .await
}

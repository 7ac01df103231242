//! `basemap`: the map below the site's places.

use chassis::{intake::Outcome, sql};
use sqlx::{PgConnection, PgPool};

use crate::domain::Basemap;

/// Returns the map; `None` if none has been imported.
#[sql("basemap.find")]
pub(crate) async fn find(pool: &PgPool) -> Result<Option<Basemap>, sqlx::Error> {
    sqlx::query_as!(Basemap, "SELECT geojson, credit FROM basemap")
        .fetch_optional(pool)
        .await
}

/// Stores the map in place of the former one.
#[sql("basemap.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    map: &Basemap,
) -> Result<Outcome, sqlx::Error> {
    let stored = sqlx::query_as!(Basemap, "SELECT geojson, credit FROM basemap")
        .fetch_optional(&mut *connection)
        .await?;
    let outcome = match stored {
        None => Outcome::Created,
        Some(stored) => Outcome::of_difference(chassis::difference!(Basemap, stored, map, {
            geojson: "map",
            credit: "credit",
        })),
    };
    if outcome != Outcome::Unchanged {
        sqlx::query!(
            "INSERT INTO basemap (geojson, credit) VALUES ($1, $2)
             ON CONFLICT (id) DO UPDATE SET geojson = excluded.geojson, credit = excluded.credit",
            map.geojson,
            map.credit,
        )
        .execute(connection)
        .await?;
    }
    Ok(outcome)
}

//! `moved_listings`: former paths of places.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

/// The place that had a path.
pub(crate) struct Moved {
    pub(crate) id: i64,
    /// The slugs of its current path.
    pub(crate) type_slug: String,
    pub(crate) slug: String,
}

/// Redirects a former path to a place, replacing an existing redirect.
#[sql("moved.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    (type_id, slug): (i64, &str),
    listing_id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO moved_listings (type_id, slug, listing_id) VALUES ($1, $2, $3)
         ON CONFLICT (type_id, slug) DO UPDATE SET listing_id = $3",
        type_id,
        slug,
        listing_id,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the place that had this path.
#[sql("moved.find")]
pub(crate) async fn find(
    pool: &PgPool,
    type_slug: &str,
    slug: &str,
) -> Result<Option<Moved>, sqlx::Error> {
    sqlx::query_as!(
        Moved,
        "SELECT l.id, k.slug AS type_slug, l.slug FROM moved_listings m
         JOIN listing_types t ON t.id = m.type_id
         JOIN listings l ON l.id = m.listing_id
         JOIN listing_types k ON k.id = l.type_id
         WHERE t.slug = $1 AND m.slug = $2",
        type_slug,
        slug,
    )
    .fetch_optional(pool)
    .await
}

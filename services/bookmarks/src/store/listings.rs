//! `listings`: what is kept of places.

use sqlx::{PgConnection, PgPool};

use crate::domain::KnownListing;

/// What is known of a place.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.find", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn find(pool: &PgPool, id: i64) -> Result<Option<KnownListing>, sqlx::Error> {
    sqlx::query_as!(
        KnownListing,
        "SELECT id, name, is_available, version FROM listings WHERE id = $1",
        id
    )
    .fetch_optional(pool)
    .await
}

/// Keeps what was heard of a place, unless something newer has been heard.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.keep", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    listing: &KnownListing,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO listings AS l (id, name, is_available, version) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE
         SET name = excluded.name, is_available = excluded.is_available, version = excluded.version
         WHERE excluded.version > l.version",
        listing.id,
        listing.name,
        listing.is_available,
        listing.version,
    )
    .execute(connection)
    .await?;
    Ok(())
}

//! `items`: what is kept of articles, events, contests, videos and pages.

use sqlx::PgConnection;

use crate::domain::KnownItem;

/// Keeps what was heard of an item, unless something newer has been heard.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "items.keep", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    item: &KnownItem,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO items AS i (id, kind, name, is_available, date_published, version)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (id) DO UPDATE
         SET kind = excluded.kind, name = excluded.name, is_available = excluded.is_available,
             date_published = excluded.date_published, version = excluded.version
         WHERE excluded.version > i.version",
        item.id,
        item.kind,
        item.name,
        item.is_available,
        item.date_published,
        item.version,
    )
    .execute(connection)
    .await?;
    Ok(())
}

//! `moved_paths`: former paths of pages.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

/// Redirects former paths to an item, replacing existing redirects. If the item `yields`, redirects to a content
/// folder's items remain.
#[sql("moved.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    item_id: i64,
    paths: &[String],
    yields: bool,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO moved_paths AS m (path, item_id) SELECT path, $1 FROM unnest($2::text[]) AS p (path)
         ON CONFLICT (path) DO UPDATE SET item_id = $1 WHERE m.item_id <> $1 AND NOT ($3 AND EXISTS (
             SELECT 1 FROM items WHERE id = m.item_id AND source_id LIKE 'content:%'))",
        item_id,
        paths,
        yields,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes the redirect from a path that an item uses.
#[sql("moved.forget")]
pub(crate) async fn forget(connection: &mut PgConnection, path: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM moved_paths WHERE path = $1", path)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns the content folder's item that a former path redirects to.
#[sql("moved.to_a_file")]
pub(crate) async fn to_a_file(
    connection: &mut PgConnection,
    path: &str,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT m.item_id FROM moved_paths m JOIN items i ON i.id = m.item_id
         WHERE m.path = $1 AND i.source_id LIKE 'content:%'",
        path,
    )
    .fetch_optional(connection)
    .await
}

/// Returns the item that a former path redirects to.
#[sql("moved.find")]
pub(crate) async fn find(pool: &PgPool, path: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!("SELECT item_id FROM moved_paths WHERE path = $1", path)
        .fetch_optional(pool)
        .await
}

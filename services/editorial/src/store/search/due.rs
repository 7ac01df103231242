//! `search_due`: objects that have changed since they were indexed.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

/// An object to index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) kind: String,
    pub(crate) id: i64,
    pub(crate) turn: i64,
}

/// Makes PostgreSQL plan the statements of this transaction for the current tables. A plan cached when the tables were
/// empty would scan a complete table for each row of a batch, until PostgreSQL has analysed the tables again.
#[sql("search_due.plan_anew")]
pub(crate) async fn plan_anew(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT set_config('plan_cache_mode', 'force_custom_plan', true)")
        .fetch_one(connection)
        .await?;
    Ok(())
}

/// Marks objects as changed.
#[sql("search_due.mark")]
pub(crate) async fn mark(
    connection: &mut PgConnection,
    kind: &str,
    ids: &[i64],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO search_due (kind, id) SELECT $1, id FROM unnest($2::bigint[]) AS i (id) ORDER BY id
         ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('search_turns')",
        kind,
        ids,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks all indexed places.
#[sql("search_due.mark_listings")]
pub(crate) async fn mark_listings(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO search_due (kind, id)
         SELECT 'listing', id FROM search_documents WHERE kind = 'listing' ORDER BY id
         ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('search_turns')"
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks all visible or indexed items; returns their number.
#[sql("search_due.mark_items")]
pub(crate) async fn mark_items(connection: &mut PgConnection) -> Result<u64, sqlx::Error> {
    let marked = sqlx::query!(
        "INSERT INTO search_due (kind, id)
         SELECT 'item', id FROM (
             SELECT id FROM items WHERE is_live
             UNION SELECT id FROM search_documents WHERE kind IN ('article', 'event', 'video')) i
         ORDER BY id
         ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('search_turns')"
    )
    .execute(connection)
    .await?;
    Ok(marked.rows_affected())
}

/// Returns the objects that have waited longest.
#[sql("search_due.next")]
pub(crate) async fn next(pool: &PgPool, limit: i64) -> Result<Vec<Due>, sqlx::Error> {
    sqlx::query_as!(
        Due,
        "SELECT kind, id, turn FROM search_due ORDER BY turn LIMIT $1",
        limit
    )
    .fetch_all(pool)
    .await
}

/// Removes indexed objects. An object that has changed meanwhile has a new `turn` and remains. A row locked by another
/// transaction is being changed, so it is skipped.
#[sql("search_due.done")]
pub(crate) async fn done(connection: &mut PgConnection, done: &[Due]) -> Result<(), sqlx::Error> {
    let turns: Vec<i64> = done.iter().map(|due| due.turn).collect();
    sqlx::query!(
        "DELETE FROM search_due WHERE turn = ANY (ARRAY(
             SELECT turn FROM search_due WHERE turn = ANY ($1) FOR UPDATE SKIP LOCKED))",
        &turns,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the number of waiting objects.
#[sql("search_due.count")]
pub(crate) async fn count(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM search_due"#)
        .fetch_one(pool)
        .await
}

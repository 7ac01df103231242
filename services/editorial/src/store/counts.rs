//! `item_counts`: lengths of lists, updated with every change of items.

use chassis::{postgres::lock_until_commit, sql};
use sqlx::{PgConnection, PgPool};

use crate::domain::Kind;

/// Lock for deleting and rewriting counts, which concurrent transactions must not do.
const LOCK: &str = "editorial.counts";

/// Recounts the lists of a kind, in the transaction that changed its items. Other recounts wait for it to end.
#[sql("counts.recount")]
pub(crate) async fn recount(connection: &mut PgConnection, kind: Kind) -> Result<(), sqlx::Error> {
    lock_until_commit(&mut *connection, LOCK).await?;
    sqlx::query!("DELETE FROM item_counts WHERE kind = $1", kind.as_str())
        .execute(&mut *connection)
        .await?;
    sqlx::query!(
        "INSERT INTO item_counts (kind, section, count)
         SELECT $1, coalesce(section, ''), count(*) FROM items WHERE kind = $1 AND is_live
         GROUP BY GROUPING SETS ((), (section))
         HAVING grouping(section) = 1 OR section <> ''",
        kind.as_str(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the length of a list of a kind, or of a section.
#[sql("counts.find")]
pub(crate) async fn find(
    pool: &PgPool,
    kind: Kind,
    section: Option<&str>,
) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar!(
        "SELECT count FROM item_counts WHERE kind = $1 AND section = $2",
        kind.as_str(),
        section.unwrap_or_default(),
    )
    .fetch_optional(pool)
    .await?;
    Ok(count.unwrap_or(0))
}

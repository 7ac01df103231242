//! Addresses of published items, in blocks of ids.

use std::ops::Range;

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

use crate::domain::Kind;

/// The parts of an item's path, and the time of its publication or last content change.
#[derive(Debug)]
pub(crate) struct AddressRow {
    pub(crate) section: String,
    pub(crate) slug: String,
    pub(crate) changed_at: DateTime<Utc>,
}

/// Returns the numbers of the blocks with live items of a kind. Each block needs one index look-up.
#[sql("items.blocks")]
pub(crate) async fn blocks(pool: &PgPool, kind: Kind, size: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT block AS "block!"
           FROM generate_series(0, (SELECT coalesce(max(id), 0) / $2::bigint FROM items)) AS block
           WHERE EXISTS (SELECT FROM items WHERE id >= block * $2 AND id < (block + 1) * $2
                         AND kind = $1 AND is_live)"#,
        kind.as_str(),
        size,
    )
    .fetch_all(pool)
    .await
}

/// Returns the live items of a kind with these ids.
#[sql("items.addresses")]
pub(crate) async fn within(
    pool: &PgPool,
    kind: Kind,
    ids: &Range<i64>,
) -> Result<Vec<AddressRow>, sqlx::Error> {
    sqlx::query_as!(
        AddressRow,
        r#"SELECT section, slug, greatest(published_at, changed_at) AS "changed_at!" FROM items
           WHERE id >= $2 AND id < $3 AND kind = $1 AND is_live ORDER BY id"#,
        kind.as_str(),
        ids.start,
        ids.end,
    )
    .fetch_all(pool)
    .await
}

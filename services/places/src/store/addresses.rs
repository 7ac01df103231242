//! Addresses of places, in blocks of ids.

use std::ops::Range;

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

/// The parts of a place's path, and its last change.
#[derive(Debug)]
pub(crate) struct AddressRow {
    pub(crate) type_slug: String,
    pub(crate) slug: String,
    pub(crate) changed_at: DateTime<Utc>,
}

/// Returns the numbers of the blocks with places. Each block needs one index look-up.
#[sql("listings.blocks")]
pub(crate) async fn blocks(pool: &PgPool, size: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT block AS "block!"
           FROM generate_series(0, (SELECT coalesce(max(id), 0) / $1::bigint FROM listings)) AS block
           WHERE EXISTS (SELECT FROM listings WHERE id >= block * $1 AND id < (block + 1) * $1)"#,
        size,
    )
    .fetch_all(pool)
    .await
}

/// Returns the places with these ids. A review's date counts as midnight UTC.
#[sql("listings.addresses")]
pub(crate) async fn within(
    pool: &PgPool,
    ids: &Range<i64>,
) -> Result<Vec<AddressRow>, sqlx::Error> {
    sqlx::query_as!(
        AddressRow,
        r#"SELECT t.slug AS type_slug, l.slug,
                  greatest(l.date_published, l.changed_at, l.review_date::timestamp AT TIME ZONE 'UTC')
                      AS "changed_at!"
           FROM listings l JOIN listing_types t ON t.id = l.type_id
           WHERE l.id >= $1 AND l.id < $2 ORDER BY l.id"#,
        ids.start,
        ids.end,
    )
    .fetch_all(pool)
    .await
}

//! The table `deliveries`: the opportunities given to line items, and their charged impressions.

use std::collections::BTreeMap;

use ad_delivery::Delivered;
use chassis::sql;
use sqlx::{PgConnection, PgExecutor};

/// The numbers of impressions that may still be charged, for line items with a goal. Locks the line items' counts until
/// the transaction ends.
#[sql("deliveries.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    line_item_ids: &[i64],
) -> Result<BTreeMap<i64, i64>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT d.line_item_id, l.goal - d.impressions AS "left!", l.goal > 0 AS "has_goal!"
         FROM deliveries d JOIN line_items l ON l.id = d.line_item_id WHERE d.line_item_id = ANY($1)
         ORDER BY d.line_item_id FOR UPDATE OF d"#,
        line_item_ids,
    )
    .fetch_all(connection)
    .await?;
    let with_goals = rows.into_iter().filter(|row| row.has_goal);
    Ok(with_goals.map(|row| (row.line_item_id, row.left)).collect())
}

/// Adds charged impressions of locked line items.
#[sql("deliveries.add_impressions")]
pub(crate) async fn add_impressions(
    connection: &mut PgConnection,
    charged: &BTreeMap<i64, i64>,
) -> Result<(), sqlx::Error> {
    let ids: Vec<_> = charged.keys().copied().collect();
    let counts: Vec<_> = charged.values().copied().collect();
    sqlx::query!(
        "UPDATE deliveries d SET impressions = impressions + n.count
         FROM unnest($1::bigint[], $2::bigint[]) AS n (id, count) WHERE d.line_item_id = n.id",
        &ids,
        &counts,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds opportunities given to pages.
#[sql("deliveries.add_served")]
pub(crate) async fn add_served(
    connection: &mut PgConnection,
    (line_item_ids, counts): (&[i64], &[i64]),
) -> Result<(), sqlx::Error> {
    // Rows are locked in order of id, as in every statement, to prevent deadlocks.
    sqlx::query!(
        "WITH locked AS (
           SELECT d.line_item_id, n.count
           FROM deliveries d JOIN unnest($1::bigint[], $2::bigint[]) AS n (id, count) ON d.line_item_id = n.id
           ORDER BY d.line_item_id FOR UPDATE OF d)
         UPDATE deliveries d SET served = served + l.count FROM locked l WHERE l.line_item_id = d.line_item_id",
        line_item_ids,
        counts,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The deliveries of line items.
#[sql("deliveries.of")]
pub(crate) async fn of(
    executor: impl PgExecutor<'_>,
    line_item_ids: &[i64],
) -> Result<BTreeMap<i64, Delivered>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT line_item_id, served, impressions FROM deliveries WHERE line_item_id = ANY($1)",
        line_item_ids,
    )
    .fetch_all(executor)
    .await?;
    let delivered = rows.into_iter().map(|row| {
        let delivered = Delivered {
            served: row.served.unsigned_abs(),
            impressions: row.impressions.unsigned_abs(),
        };
        (row.line_item_id, delivered)
    });
    Ok(delivered.collect())
}

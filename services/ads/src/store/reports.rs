//! The tables `hourly` and `refusals`: creatives' hourly counts, and refused events.

use std::collections::BTreeMap;

use ad_delivery::Counts;
use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::HourlyCount;

/// A campaign's hourly counts, including the counts of withdrawn creatives, and the log position up to which they
/// count; 0 if it has delivered nothing.
#[sql("hourly.of_campaign")]
pub(crate) async fn of_campaign(
    pool: &PgPool,
    campaign_id: i64,
) -> Result<(Vec<HourlyCount>, i64), sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT h.hour, l.source_id AS line_item, k.source_id AS creative, h.impressions, h.viewable, h.clicks,
           h.surplus, h.invalid, (SELECT coalesce(max(position), 0) FROM batches) AS "log_position!"
         FROM line_items l JOIN creatives k ON k.line_item_id = l.id JOIN hourly h ON h.creative_id = k.id
         WHERE l.campaign_id = $1 ORDER BY h.hour, l.rank, k.rank, k.id"#,
        campaign_id,
    )
    .fetch_all(pool)
    .await?;
    let log_position = rows.first().map_or(0, |row| row.log_position);
    let counts = rows.into_iter().map(|row| HourlyCount {
        hour: row.hour,
        line_item: row.line_item,
        creative: row.creative,
        counts: Counts {
            impressions: row.impressions,
            viewable: row.viewable,
            clicks: row.clicks,
            surplus: row.surplus,
            invalid: row.invalid,
        },
    });
    Ok((counts.collect(), log_position))
}

/// The total counts of line items, and their impressions since an instant.
#[sql("hourly.of_line_items")]
pub(crate) async fn of_line_items(
    pool: &PgPool,
    line_item_ids: &[i64],
    since: DateTime<Utc>,
) -> Result<BTreeMap<i64, (Counts, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT k.line_item_id, sum(h.impressions)::bigint AS "impressions!", sum(h.viewable)::bigint AS "viewable!",
             sum(h.clicks)::bigint AS "clicks!", sum(h.surplus)::bigint AS "surplus!",
             sum(h.invalid)::bigint AS "invalid!",
             coalesce(sum(h.impressions) FILTER (WHERE h.hour >= $2), 0)::bigint AS "lately!"
         FROM creatives k JOIN hourly h ON h.creative_id = k.id
         WHERE k.line_item_id = ANY($1) GROUP BY k.line_item_id"#,
        line_item_ids,
        since,
    )
    .fetch_all(pool)
    .await?;
    let counts = rows.into_iter().map(|row| {
        let counts = Counts {
            impressions: row.impressions,
            viewable: row.viewable,
            clicks: row.clicks,
            surplus: row.surplus,
            invalid: row.invalid,
        };
        (row.line_item_id, (counts, row.lately))
    });
    Ok(counts.collect())
}

/// Adds to the hourly counts of creatives.
#[sql("hourly.add")]
pub(crate) async fn add(
    connection: &mut PgConnection,
    hourly: &BTreeMap<(i64, DateTime<Utc>), Counts>,
) -> Result<(), sqlx::Error> {
    let creatives: Vec<_> = hourly.keys().map(|(creative, _)| *creative).collect();
    let hours: Vec<_> = hourly.keys().map(|(_, hour)| *hour).collect();
    let column = |of: fn(&Counts) -> i64| hourly.values().map(of).collect::<Vec<_>>();
    sqlx::query!(
        "INSERT INTO hourly AS h (creative_id, hour, impressions, viewable, clicks, surplus, invalid)
         SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
           $7::bigint[])
         ON CONFLICT (creative_id, hour) DO UPDATE SET impressions = h.impressions + excluded.impressions,
           viewable = h.viewable + excluded.viewable, clicks = h.clicks + excluded.clicks,
           surplus = h.surplus + excluded.surplus, invalid = h.invalid + excluded.invalid",
        &creatives,
        &hours,
        &column(|counts| counts.impressions),
        &column(|counts| counts.viewable),
        &column(|counts| counts.clicks),
        &column(|counts| counts.surplus),
        &column(|counts| counts.invalid),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds refused events to an hour's counts.
#[sql("refusals.add")]
pub(crate) async fn add_refusals(
    connection: &mut PgConnection,
    hour: DateTime<Utc>,
    (reasons, counts): (&[String], &[i64]),
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO refusals AS r (hour, reason, count)
         SELECT $1, reason, count FROM unnest($2::text[], $3::bigint[]) AS n (reason, count)
         ON CONFLICT (hour, reason) DO UPDATE SET count = r.count + excluded.count",
        hour,
        reasons,
        counts,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The number of events refused in an hour for a reason.
#[derive(Debug)]
pub(crate) struct Refusals {
    pub(crate) hour: DateTime<Utc>,
    pub(crate) reason: String,
    pub(crate) count: i64,
}

/// The refusals since an instant, latest first.
#[sql("refusals.since")]
pub(crate) async fn refusals_since(
    pool: &PgPool,
    since: DateTime<Utc>,
) -> Result<Vec<Refusals>, sqlx::Error> {
    sqlx::query_as!(
        Refusals,
        "SELECT hour, reason, count FROM refusals WHERE hour >= $1 ORDER BY hour DESC, reason",
        since,
    )
    .fetch_all(pool)
    .await
}

/// Deletes hourly counts and refusals from before an instant.
#[sql("hourly.delete_before")]
pub(crate) async fn delete_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    let counts = in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM hourly WHERE ctid = ANY(ARRAY(SELECT ctid FROM hourly WHERE hour < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await?;
    let refusals = sqlx::query!("DELETE FROM refusals WHERE hour < $1", before)
        .execute(pool)
        .await?;
    Ok(counts + refusals.rows_affected())
}

//! The log: a batch of events, and all that they add to.

use std::collections::BTreeMap;

use ad_delivery::Counts;
use chassis::sql;
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;

use super::events::{day_of, kind_number, verdict_number};
use crate::domain::Counted;

/// Events that are stored together.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    pub(crate) events: &'a [Counted],
    /// The days of the events.
    pub(crate) days: Vec<NaiveDate>,
    /// It covers the events.
    pub(crate) digest: [u8; 32],
    /// Impressions that are charged, by line item.
    pub(crate) charged: BTreeMap<i64, i64>,
    /// What they add to the reports, by creative and hour.
    pub(crate) hourly: BTreeMap<(i64, DateTime<Utc>), Counts>,
}

/// Appends a batch of events that the log does not have, and counts them; it is linked soon after. One statement, for other
/// batches of the same line items wait.
#[sql("log.append")]
pub(crate) async fn append(
    connection: &mut PgConnection,
    batch: &Batch<'_>,
) -> Result<(), sqlx::Error> {
    let events = batch.events.iter();
    let days: Vec<_> = events.clone().map(|one| day_of(&one.event)).collect();
    let opportunities: Vec<_> = events.clone().map(|one| one.event.opportunity).collect();
    let kinds: Vec<_> = events
        .clone()
        .map(|one| kind_number(one.event.kind))
        .collect();
    let instants: Vec<_> = events.clone().map(|one| one.event.at).collect();
    let creatives: Vec<_> = events.clone().map(|one| one.event.creative_id).collect();
    let positions: Vec<_> = events
        .clone()
        .map(|one| one.event.position.clone())
        .collect();
    let verdicts: Vec<_> = events.map(|one| verdict_number(one.verdict)).collect();
    let line_items: Vec<_> = batch.charged.keys().copied().collect();
    let charged: Vec<_> = batch.charged.values().copied().collect();
    let counted: Vec<_> = batch.hourly.keys().map(|(creative, _)| *creative).collect();
    let hours: Vec<_> = batch.hourly.keys().map(|(_, hour)| *hour).collect();
    let column = |of: fn(&Counts) -> i64| batch.hourly.values().map(of).collect::<Vec<_>>();
    sqlx::query!(
        "WITH batch AS (
           INSERT INTO batches (days, events, digest) VALUES ($1, $2, $3) RETURNING id),
         charged AS (
           UPDATE deliveries d SET impressions = impressions + n.count
           FROM unnest($4::bigint[], $5::bigint[]) AS n (id, count) WHERE d.line_item_id = n.id),
         hours AS (
           INSERT INTO hourly AS h (creative_id, hour, impressions, viewable, clicks, surplus, invalid)
           SELECT * FROM unnest($6::bigint[], $7::timestamptz[], $8::bigint[], $9::bigint[], $10::bigint[],
             $11::bigint[], $12::bigint[])
           ON CONFLICT (creative_id, hour) DO UPDATE SET impressions = h.impressions + excluded.impressions,
             viewable = h.viewable + excluded.viewable, clicks = h.clicks + excluded.clicks,
             surplus = h.surplus + excluded.surplus, invalid = h.invalid + excluded.invalid)
         INSERT INTO events (day, opportunity, kind, batch_id, at, creative_id, position, verdict)
         SELECT day, opportunity, kind, batch.id, at, creative_id, position, verdict
         FROM batch, unnest($13::date[], $14::uuid[], $15::smallint[], $16::timestamptz[], $17::bigint[], $18::text[],
             $19::smallint[])
           AS e (day, opportunity, kind, at, creative_id, position, verdict)",
        &batch.days,
        i32::try_from(batch.events.len()).unwrap_or(i32::MAX),
        &batch.digest,
        &line_items,
        &charged,
        &counted,
        &hours,
        &column(|counts| counts.impressions),
        &column(|counts| counts.viewable),
        &column(|counts| counts.clicks),
        &column(|counts| counts.surplus),
        &column(|counts| counts.invalid),
        &days,
        &opportunities,
        &kinds,
        &instants,
        &creatives,
        &positions,
        &verdicts,
    )
    .execute(connection)
    .await?;
    Ok(())
}

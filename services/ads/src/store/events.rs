//! `events`: the log, event by event, in partitions by day.

use std::collections::BTreeSet;

use ad_delivery::{EventKind, LoggedEvent, Verdict};
use chassis::sql;
use chrono::NaiveDate;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::domain::Event;

/// The number of a kind in the table.
pub(super) fn kind_number(kind: EventKind) -> i16 {
    match kind {
        EventKind::Impression => 1,
        EventKind::Viewable => 2,
        EventKind::Click => 3,
    }
}

fn kind_of(number: i16) -> EventKind {
    match number {
        1 => EventKind::Impression,
        2 => EventKind::Viewable,
        _ => EventKind::Click,
    }
}

pub(super) fn verdict_number(verdict: Verdict) -> i16 {
    match verdict {
        Verdict::Charged => 0,
        Verdict::Surplus => 1,
        Verdict::Bot => 2,
        Verdict::TooSoon => 3,
        Verdict::NoImpression => 4,
    }
}

fn verdict_of(number: i16) -> Verdict {
    match number {
        0 => Verdict::Charged,
        1 => Verdict::Surplus,
        2 => Verdict::Bot,
        3 => Verdict::TooSoon,
        _ => Verdict::NoImpression,
    }
}

/// The day in whose partition an event stands: that on which its page was answered (UTC).
pub(crate) fn day_of(event: &Event) -> NaiveDate {
    event.served_at.date_naive()
}

/// Makes the partition of a day.
#[sql("events.ensure_day")]
pub(crate) async fn ensure_day(pool: &PgPool, day: NaiveDate) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT ensure_day($1)", day)
        .fetch_one(pool)
        .await?;
    Ok(())
}

/// Those events of these opportunities that the log has already.
#[sql("events.there")]
pub(crate) async fn there(
    connection: &mut PgConnection,
    (days, opportunities): (&[NaiveDate], &[Uuid]),
) -> Result<BTreeSet<(Uuid, EventKind)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT opportunity, kind FROM events WHERE day = ANY($1) AND opportunity = ANY($2)",
        days,
        opportunities,
    )
    .fetch_all(connection)
    .await?;
    let there = rows
        .into_iter()
        .map(|row| (row.opportunity, kind_of(row.kind)));
    Ok(there.collect())
}

/// The events of some batches, with the number of their batch.
#[sql("events.of_batches")]
pub(crate) async fn of_batches(
    pool: &PgPool,
    (days, batch_ids): (&[NaiveDate], &[i64]),
) -> Result<Vec<(i64, LoggedEvent)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT e.batch_id, e.opportunity, e.kind, e.at, e.position, e.verdict,
           c.source_id AS campaign, l.source_id AS line_item, k.source_id AS creative
         FROM events e JOIN creatives k ON k.id = e.creative_id
           JOIN line_items l ON l.id = k.line_item_id JOIN campaigns c ON c.id = l.campaign_id
         WHERE e.day = ANY($1) AND e.batch_id = ANY($2)",
        days,
        batch_ids,
    )
    .fetch_all(pool)
    .await?;
    let events = rows.into_iter().map(|row| {
        let event = LoggedEvent {
            opportunity: row.opportunity,
            kind: kind_of(row.kind),
            at: row.at.timestamp_millis(),
            campaign: row.campaign,
            line_item: row.line_item,
            creative: row.creative,
            position: row.position,
            verdict: verdict_of(row.verdict),
        };
        (row.batch_id, event)
    });
    Ok(events.collect())
}

/// Deletes the events of the days before one; returns how many days had some.
#[sql("events.drop_days")]
pub(crate) async fn drop_days(pool: &PgPool, before: NaiveDate) -> Result<i64, sqlx::Error> {
    let dropped = sqlx::query_scalar!(r#"SELECT drop_days($1) AS "dropped!""#, before);
    dropped.fetch_one(pool).await
}

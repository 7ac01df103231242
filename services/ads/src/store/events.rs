//! The table `events`: the log of individual events, partitioned by day.

use ad_delivery::{EventKind, LoggedEvent, Verdict};
use chassis::sql;
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::domain::Event;

/// The number that represents a kind in the table.
pub(super) fn kind_number(kind: EventKind) -> i16 {
    match kind {
        EventKind::Impression => 1,
        EventKind::Viewable => 2,
        EventKind::Click => 3,
    }
}

pub(super) fn kind_of(number: i16) -> Result<EventKind, sqlx::Error> {
    match number {
        1 => Ok(EventKind::Impression),
        2 => Ok(EventKind::Viewable),
        3 => Ok(EventKind::Click),
        unknown => Err(sqlx::Error::Decode(
            format!("events.kind has the unknown value {unknown}").into(),
        )),
    }
}

pub(super) fn verdict_number(verdict: Verdict) -> i16 {
    match verdict {
        Verdict::Charged => 0,
        Verdict::Surplus => 1,
        Verdict::Bot => 2,
        Verdict::TooSoon => 3,
        Verdict::NoImpression => 4,
        Verdict::Excess => 5,
    }
}

fn verdict_of(number: i16) -> Result<Verdict, sqlx::Error> {
    match number {
        0 => Ok(Verdict::Charged),
        1 => Ok(Verdict::Surplus),
        2 => Ok(Verdict::Bot),
        3 => Ok(Verdict::TooSoon),
        4 => Ok(Verdict::NoImpression),
        5 => Ok(Verdict::Excess),
        unknown => Err(sqlx::Error::Decode(
            format!("events.verdict has the unknown value {unknown}").into(),
        )),
    }
}

/// The day of an event's partition: the day on which its page was served (UTC).
pub(crate) fn day_of(event: &Event) -> NaiveDate {
    event.served_at.date_naive()
}

/// Creates the partition of a day.
#[sql("events.ensure_day")]
pub(crate) async fn ensure_day(pool: &PgPool, day: NaiveDate) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT ensure_day($1)", day)
        .fetch_one(pool)
        .await?;
    Ok(())
}

/// A logged event that is not judged yet.
#[derive(Debug)]
pub(crate) struct Unjudged {
    pub(crate) batch_id: i64,
    pub(crate) day: NaiveDate,
    pub(crate) opportunity: Uuid,
    pub(crate) kind: EventKind,
    pub(crate) at: DateTime<Utc>,
    pub(crate) creative_id: i64,
    pub(crate) position: String,
    pub(crate) at_first_sight: Verdict,
    /// Whether the log contains a valid impression of the opportunity, which may be beyond the goal.
    pub(crate) has_impression: bool,
}

/// The events of batches that are not judged yet, in the order of judgement.
#[sql("events.unjudged")]
pub(crate) async fn unjudged(
    connection: &mut PgConnection,
    (days, batch_ids): (&[NaiveDate], &[i64]),
) -> Result<Vec<Unjudged>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT e.batch_id, e.day, e.opportunity, e.kind, e.at, e.creative_id, e.position, e.verdict,
           CASE WHEN e.kind = 1 THEN true ELSE coalesce((SELECT true FROM events i
             WHERE i.day = e.day AND i.opportunity = e.opportunity AND i.kind = 1 AND i.verdict < 2), false) END AS "has_impression!"
         FROM events e WHERE e.day = ANY($1) AND e.batch_id = ANY($2)
         ORDER BY e.batch_id, e.kind, e.at, e.opportunity"#,
        days,
        batch_ids,
    )
    .fetch_all(connection)
    .await?;
    let events = rows.into_iter().map(|row| {
        Ok(Unjudged {
            batch_id: row.batch_id,
            day: row.day,
            opportunity: row.opportunity,
            kind: kind_of(row.kind)?,
            at: row.at,
            creative_id: row.creative_id,
            position: row.position,
            at_first_sight: verdict_of(row.verdict)?,
            has_impression: row.has_impression,
        })
    });
    events.collect()
}

/// An event with its verdict.
pub(crate) type Judged = (Unjudged, Verdict);

/// Stores the verdicts that differ from the verdicts based on the events alone.
#[sql("events.set_verdicts")]
pub(crate) async fn set_verdicts(
    connection: &mut PgConnection,
    judged: &[&Judged],
) -> Result<(), sqlx::Error> {
    if judged.is_empty() {
        return Ok(());
    }
    let days: Vec<_> = judged.iter().map(|(event, _)| event.day).collect();
    let opportunities: Vec<_> = judged.iter().map(|(event, _)| event.opportunity).collect();
    let kinds = judged.iter().map(|(event, _)| kind_number(event.kind));
    let kinds: Vec<_> = kinds.collect();
    let verdicts = judged.iter().map(|(_, verdict)| verdict_number(*verdict));
    let verdicts: Vec<_> = verdicts.collect();
    sqlx::query!(
        "UPDATE events e SET verdict = n.verdict
         FROM unnest($1::date[], $2::uuid[], $3::smallint[], $4::smallint[]) AS n (day, opportunity, kind, verdict)
         WHERE e.day = n.day AND e.opportunity = n.opportunity AND e.kind = n.kind",
        &days,
        &opportunities,
        &kinds,
        &verdicts,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The events of batches, each with the id of its batch.
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
            kind: kind_of(row.kind)?,
            at: row.at.timestamp_millis(),
            campaign: row.campaign,
            line_item: row.line_item,
            creative: row.creative,
            position: row.position,
            verdict: verdict_of(row.verdict)?,
        };
        Ok((row.batch_id, event))
    });
    events.collect()
}

/// The earliest days that have a partition, at most `most`.
#[sql("events.days")]
pub(crate) async fn days(pool: &PgPool, most: i32) -> Result<Vec<NaiveDate>, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT days_with_events($1) AS "day!""#, most)
        .fetch_all(pool)
        .await
}

/// Deletes the events of a day. Fails if readers of the log lock the day's partition for longer than a second.
#[sql("events.drop_day")]
pub(crate) async fn drop_day(pool: &PgPool, day: NaiveDate) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT drop_day($1)", day)
        .fetch_one(pool)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_are_read_as_written_and_unknown_ones_are_errors() {
        for kind in [EventKind::Impression, EventKind::Viewable, EventKind::Click] {
            assert_eq!(kind_of(kind_number(kind)).unwrap(), kind);
        }
        for verdict in [
            Verdict::Charged,
            Verdict::Surplus,
            Verdict::Bot,
            Verdict::TooSoon,
            Verdict::NoImpression,
            Verdict::Excess,
        ] {
            assert_eq!(verdict_of(verdict_number(verdict)).unwrap(), verdict);
        }
        assert!(kind_of(4).unwrap_err().to_string().contains("events.kind"));
        assert!(
            verdict_of(6)
                .unwrap_err()
                .to_string()
                .contains("events.verdict")
        );
    }
}

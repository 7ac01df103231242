//! What the service has counted, held against what was sent, against the goals, and against its own log.

use std::collections::BTreeMap;

use anyhow::ensure;
use serde::Serialize;
use sqlx::Row as _;

use super::{BEGIN, Plan, SHAPE};
use crate::database::Database;

/// An hour may differ from its part of the goal by this share, or by this number of impressions.
const WITHIN: f64 = 0.02;
const OR_IMPRESSIONS: f64 = 4.0;

/// What came of a day.
#[derive(Debug, Serialize)]
pub(super) struct Books {
    /// Impressions that are charged.
    charged: i64,
    surplus: i64,
    invalid: i64,
    /// Impressions that a line item was charged beyond its goal, at most.
    overshoot: i64,
    /// The smallest part of its goal that a line item got.
    least: f64,
    /// Hours of line items, and those that are off their part of the goal by more than 2 % and 4 impressions.
    hours: usize,
    hours_off: usize,
    /// The deviation of the hour that is off most, of all hours with 200 impressions or more, as a share.
    most_off: f64,
    /// What `ads verify` says of the log, and of the log with one changed byte.
    verified: String,
    changed: String,
}

/// Leaves the day to its own campaigns, and gives the weeks before it their traffic.
pub(super) async fn prepare(database: &mut Database, pages: u32) -> anyhow::Result<()> {
    let shape = SHAPE.map(|hour| hour.to_string()).join(",");
    let whole: u32 = SHAPE.iter().sum();
    database
        .run(&format!(
            "UPDATE ads.campaigns SET is_paused = true;
             UPDATE ads.plan_revisions SET revision = revision + 1;
             TRUNCATE ads.traffic;
             INSERT INTO ads.traffic (hour, pages)
             SELECT hour, {pages}::bigint * (ARRAY[{shape}])[
               1 + (extract(epoch FROM hour - timestamptz '{BEGIN}' + interval '672 hours') / 3600)::int % 24] / {whole}
             FROM generate_series(timestamptz '{BEGIN}' - interval '672 hours', timestamptz '{BEGIN}' - interval '1 hour', interval '1 hour') hour"
        ))
        .await
}

/// Closes the books of the day. Events that were sent and not counted, or counted twice, are an error.
pub(super) async fn close(
    database: &mut Database,
    plan: &Plan,
    sent: &BTreeMap<(i64, i16), i64>,
) -> anyhow::Result<Books> {
    let counted = counted(database).await?;
    ensure!(
        counted == *sent,
        "what was counted is not what was sent: {:?} of {:?}",
        counted.values().sum::<i64>(),
        sent.values().sum::<i64>()
    );
    let hours = hours(database).await?;
    let (mut hours_off, mut most_off, mut overshoot, mut least) = (0, 0.0_f64, 0, 1.0_f64);
    let goal = f64::from(plan.goal);
    for counts in hours.values() {
        let sum: i64 = counts.iter().sum();
        overshoot = overshoot.max(sum - i64::from(plan.goal));
        least = least.min(number(sum) / goal);
        for (hour, count) in counts[..SHAPE.len()].iter().enumerate() {
            let wanted = goal * f64::from(SHAPE[hour]) / f64::from(SHAPE.iter().sum::<u32>());
            let off = (number(*count) - wanted).abs();
            if off > (WITHIN * wanted).max(OR_IMPRESSIONS) {
                hours_off += 1;
            }
            if wanted >= 200.0 {
                most_off = most_off.max(off / wanted);
            }
        }
    }
    let sums = "sum(impressions)::bigint, sum(surplus)::bigint, sum(invalid)::bigint,
        sum(impressions + viewable + clicks + surplus + invalid)::bigint";
    let row = sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
        "SELECT {sums} FROM ads.hourly"
    )));
    let row = row.fetch_one(&mut database.connection).await?;
    let all: i64 = row.try_get(3)?;
    ensure!(
        all == sent.values().sum::<i64>(),
        "the reports have {all} events"
    );
    let (verified, changed) = verify(database, plan).await?;
    Ok(Books {
        charged: row.try_get(0)?,
        surplus: row.try_get(1)?,
        invalid: row.try_get(2)?,
        overshoot,
        least,
        hours: hours.len() * SHAPE.len(),
        hours_off,
        most_off,
        verified,
        changed,
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "numbers of impressions of a day"
)]
fn number(count: i64) -> f64 {
    count as f64
}

/// The events of the log, by line item and kind.
async fn counted(database: &mut Database) -> anyhow::Result<BTreeMap<(i64, i16), i64>> {
    let rows = sqlx::raw_sql(
        "SELECT c.line_item_id, e.kind, count(*) FROM ads.events e JOIN ads.creatives c ON c.id = e.creative_id
         GROUP BY 1, 2",
    );
    let rows = rows.fetch_all(&mut database.connection).await?;
    let counts = rows
        .iter()
        .map(|row| Ok(((row.try_get(0)?, row.try_get(1)?), row.try_get(2)?)));
    counts.collect()
}

/// The charged impressions of each line item, by hour of the day; what comes after the day's end is the last one.
async fn hours(database: &mut Database) -> anyhow::Result<BTreeMap<i64, [i64; 25]>> {
    let rows = sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
        "SELECT c.line_item_id, (extract(epoch FROM h.hour - timestamptz '{BEGIN}') / 3600)::int, sum(h.impressions)::bigint
         FROM ads.hourly h JOIN ads.creatives c ON c.id = h.creative_id GROUP BY 1, 2"
    )));
    let mut hours: BTreeMap<i64, [i64; 25]> = BTreeMap::new();
    for row in rows.fetch_all(&mut database.connection).await? {
        let hour: i32 = row.try_get(1)?;
        hours.entry(row.try_get(0)?).or_insert([0; 25])[usize::try_from(hour)?] = row.try_get(2)?;
    }
    Ok(hours)
}

/// What `ads verify` says, before and after one byte of the log is changed.
async fn verify(database: &mut Database, plan: &Plan) -> anyhow::Result<(String, String)> {
    let (is_well, said) = plan.operator.answer(&["ads", "verify"]).await?;
    ensure!(is_well, "ads verify: {said}");
    let verified = last_lines(&said, 2);
    database
        .run(
            "UPDATE ads.events SET position = 'x' || substr(position, 2)
             WHERE (day, opportunity, kind) = (SELECT day, opportunity, kind FROM ads.events ORDER BY opportunity LIMIT 1)",
        )
        .await?;
    let (is_well, said) = plan.operator.answer(&["ads", "verify"]).await?;
    ensure!(!is_well, "a changed byte was not found");
    Ok((verified, last_lines(&said, 1)))
}

fn last_lines(said: &str, count: usize) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("; ")
}

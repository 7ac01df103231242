//! `bench ads --day`: a simulated day of a thousand campaigns, with a rush hour of five times as many pages, through
//! the ads service on PostgreSQL. The suite checks that every hour delivers its part of each goal, that no goal is
//! exceeded, that each event is counted once, and that the log can be verified. The system tests cover crashes of the
//! service.

mod traffic;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::ensure;
use serde::Deserialize;

use self::traffic::{Day, KEY};
use crate::{
    ads::campaigns::Campaigns,
    database::Database,
    harness::{Bench, Turn, float},
    progress,
    results::{Measure, Target},
};

/// The day, a Monday of 24 hours, and its first instant.
const DAY: &str = "2027-03-01";
const BEGIN: &str = "2027-03-01T05:00:00Z";
/// The pages of each hour, in thousandths of the day: few at night, most in the evening.
const SHAPE: [u32; 24] = [
    14, 9, 6, 5, 6, 12, 25, 45, 57, 54, 51, 53, 64, 59, 52, 51, 55, 61, 66, 69, 70, 58, 36, 22,
];
/// How long the log may take to be linked after the last event.
const LINKED_WITHIN: Duration = Duration::from_mins(2);
/// Tolerated deviation of an hour from its part of the goal: this share, or this number of impressions.
const WITHIN: f64 = 0.02;
const OR_IMPRESSIONS: f64 = 4.0;
/// Impressions and pages of each campaign.
const GOAL: u32 = 10_000;
const PAGES_EACH: u32 = 10_000;
const NONE: Option<Target> = Some(Target::AtMost(0.0));

/// The size of the day.
#[derive(Debug, Deserialize)]
struct Size {
    /// The service's program with a settable clock.
    service: PathBuf,
    /// Page views of the day, without the additional views of the rush hour.
    pages: u32,
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let Size { service, pages } = bench.plan.options()?;
    let key = "cityguide".repeat(4);
    // The operator's program verifies the service's signatures with this key.
    let operator = &mut bench.plan.site.operator;
    operator.environment.push((KEY.to_owned(), key.clone()));
    let site = bench.plan.site.clone();
    let begun = Instant::now();
    let database = Database::open(&site.database).await?;
    database.run(&prepared(pages)).await?;
    let campaigns = Campaigns {
        count: pages / PAGES_EACH,
        days: (DAY, DAY),
        goal: GOAL.into(),
    };
    campaigns.apply(&site.operator).await?;
    let mut day = Day::begin(&service, &site.database, &key, pages).await?;
    for hour in 0..SHAPE.len() {
        day.pass(hour).await?;
        let seconds = begun.elapsed().as_secs();
        progress(&format!(
            "  {} hours, {} pages, {seconds} s",
            hour + 1,
            day.pages
        ));
    }
    day.end().await?;
    let linked = "NOT EXISTS (SELECT FROM ads.batches WHERE position IS NULL)";
    database.wait(linked, LINKED_WITHIN).await?;
    let (pages, count) = (day.pages, campaigns.count);
    let minutes = begun.elapsed().as_secs() / 60;
    bench.about(format!(
        "{pages} pages, {count} campaigns of {GOAL} impressions; {minutes} min"
    ));
    counts(bench, &database, &day.sent).await?;
    hours(bench, &database, f64::from(GOAL)).await?;
    let choice = day.choosing.as_secs_f64() * 1e6 / float(pages);
    figure(bench, "the choice for a page, µs", None, choice);
    Ok(())
}

/// SQL that pauses all other campaigns and inserts the traffic of the preceding weeks.
fn prepared(pages: u32) -> String {
    let shape = SHAPE.map(|hour| hour.to_string()).join(",");
    let whole: u32 = SHAPE.iter().sum();
    format!(
        "UPDATE ads.campaigns SET is_paused = true;
         UPDATE ads.plan_revisions SET revision = revision + 1;
         TRUNCATE ads.traffic;
         INSERT INTO ads.traffic (hour, pages)
         SELECT hour, {pages}::bigint * (ARRAY[{shape}])[
           1 + (extract(epoch FROM hour - timestamptz '{BEGIN}' + interval '672 hours') / 3600)::int % 24] / {whole}
         FROM generate_series(timestamptz '{BEGIN}' - interval '672 hours', timestamptz '{BEGIN}' - interval '1 hour', interval '1 hour') hour"
    )
}

fn figure(bench: &mut Bench, name: &str, target: Option<Target>, value: f64) {
    let turns = [(Turn::of(vec![value]), Turn::default())];
    bench.record(&[Measure::new(name, "", target)], &turns);
}

/// Fails if a sent event was not counted or counted twice, or if the log cannot be verified.
async fn counts(
    bench: &mut Bench,
    database: &Database,
    sent: &BTreeMap<i64, i64>,
) -> anyhow::Result<()> {
    let counted = "SELECT c.line_item_id, count(*) FROM ads.events e
         JOIN ads.creatives c ON c.id = e.creative_id GROUP BY 1";
    let counted: Vec<(i64, i64)> = database.rows(counted).await?;
    let counted: BTreeMap<_, _> = counted.into_iter().collect();
    let all: i64 = sent.values().sum();
    ensure!(
        counted == *sent,
        "{} of {all} events were counted",
        counted.values().sum::<i64>()
    );
    let sums = "SELECT sum(impressions)::bigint, sum(surplus)::bigint, sum(invalid)::bigint FROM ads.hourly";
    for (charged, surplus, invalid) in database.rows::<(i64, i64, i64)>(sums).await? {
        ensure!(
            charged + surplus + invalid == all,
            "the reports have other events"
        );
        bench.results.notes.push(format!(
            "{all} events, each counted once; {charged} were charged, {surplus} were beyond a goal and {invalid} invalid."
        ));
    }
    let verified = bench.plan.site.operator.run(&["ads", "verify"]).await?;
    let lines: Vec<&str> = verified.lines().collect();
    let last = lines[lines.len().saturating_sub(2)..].join("; ");
    bench.results.notes.push(format!("`ads verify`: {last}."));
    Ok(())
}

/// Compares the charged impressions of each line item, by hour of the day, with its goal.
async fn hours(bench: &mut Bench, database: &Database, goal: f64) -> anyhow::Result<()> {
    let rows = format!(
        "SELECT c.line_item_id, (extract(epoch FROM h.hour - timestamptz '{BEGIN}') / 3600)::int, sum(h.impressions)::bigint
         FROM ads.hourly h JOIN ads.creatives c ON c.id = h.creative_id GROUP BY 1, 2"
    );
    // Events after the end of the day fall into a 25th hour.
    let mut items: BTreeMap<i64, [f64; 25]> = BTreeMap::new();
    for (item, hour, count) in database.rows::<(i64, i32, i64)>(&rows).await? {
        items.entry(item).or_default()[usize::try_from(hour)?] = float(u64::try_from(count)?);
    }
    let whole = f64::from(SHAPE.iter().sum::<u32>());
    let (mut hours_off, mut most_off, mut beyond, mut least) = (0, 0.0_f64, 0.0_f64, 1.0_f64);
    for counts in items.values() {
        let sum: f64 = counts.iter().sum();
        (beyond, least) = (beyond.max(sum - goal), least.min(sum / goal));
        for (share, count) in SHAPE.iter().zip(counts) {
            let wanted = goal * f64::from(*share) / whole;
            let off = (count - wanted).abs();
            hours_off += u32::from(off > (WITHIN * wanted).max(OR_IMPRESSIONS));
            if wanted >= 200.0 {
                most_off = most_off.max(off / wanted);
            }
        }
    }
    let off = "hours of line items off by more than 2 % and 4 impressions";
    let most = "the largest deviation of an hour with 200 impressions or more, %";
    figure(bench, "impressions charged beyond a goal", NONE, beyond);
    figure(bench, off, NONE, f64::from(hours_off));
    figure(bench, most, None, most_off * 100.0);
    figure(bench, "the smallest part of a goal, %", None, least * 100.0);
    Ok(())
}

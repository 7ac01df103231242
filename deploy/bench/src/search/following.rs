//! The index follows changes: how soon, and what a rebuild costs those who search meanwhile.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use sqlx::Row;

use super::{fill, get_first, searches};
use crate::{
    cpu,
    database::Database,
    figures::{Figures, Measure, Row as Line, Target},
    load::Connection,
    plan::Plan,
    progress, rate,
};

const FOLLOWS: &str = "A change until it is found";
const REBUILD: &str = "GET search/ while everything is indexed anew";

/// Changes whose time is taken.
const CHANGES: i64 = 40;
/// The longest that one may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// Documents that wait to be indexed anew: more than the turns have time for.
const ANEW: i64 = 500_000;
/// The most things that one answer has.
const MOST: u32 = 100;
/// Between two looks.
const LOOK: Duration = Duration::from_millis(10);

const SOON: Measure = Measure {
    unit: "ms p99",
    target: Target::AtMost(1.0),
};
const UNDISTURBED: Measure = Measure {
    unit: "1/s",
    target: Target::AtLeast(0.7),
};

pub(super) async fn rows(
    plan: &Plan,
    database: &mut Database,
    names: &[String],
    is_wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Line>> {
    let mut rows = Vec::new();
    if is_wanted(FOLLOWS) {
        progress(&format!("  {FOLLOWS}"));
        let times = follow(plan, database).await?;
        let ours = Figures::of_times(times, cpu::Seconds::default());
        let second = Figures {
            values: vec![1000.0, 1000.0],
            ..Figures::default()
        };
        rows.push(Line::new(FOLLOWS, "a second", 1, SOON, &[(ours, second)]));
    }
    if is_wanted(REBUILD) {
        progress(&format!("  {REBUILD}"));
        let measured = rebuild(plan, database, names).await?;
        rows.push(Line::new(
            REBUILD,
            "the same at rest",
            0,
            UNDISTURBED,
            &measured,
        ));
    }
    Ok(rows)
}

/// Renames articles, and looks until each is found under its new name; the milliseconds of each.
async fn follow(plan: &Plan, database: &mut Database) -> anyhow::Result<Vec<f64>> {
    fill::indexed(database).await?;
    let mut connection = Connection::open(&plan.site).await?;
    let rows = sqlx::query(
        "SELECT id FROM editorial.items WHERE slug LIKE 'bench-%' ORDER BY id LIMIT $1",
    )
    .bind(CHANGES)
    .fetch_all(&mut database.connection)
    .await?;
    let mut times = Vec::new();
    let this_time = std::process::id();
    for row in rows {
        let id: i64 = row.try_get(0)?;
        let name = format!("Renamed{this_time}x{id}");
        let change = format!(
            "UPDATE editorial.items SET name = '{name}', version = version + 1 WHERE id = {id};
             INSERT INTO editorial.search_due (kind, id) VALUES ('item', {id})
             ON CONFLICT (kind, id) DO UPDATE SET turn = nextval('editorial.search_turns')"
        );
        let begun = Instant::now();
        database.run(&change).await?;
        // Each look asks for another number of things, so that no gateway has kept its answer: that is right by events,
        // which a change by SQL has none of.
        for look in 0.. {
            let request = get_first("search/", &name, 1 + look % MOST);
            let answer = connection.expect(&request, 200).await?;
            let text = String::from_utf8(answer.body.to_vec()).context("an answer in UTF-8")?;
            if text.contains("/news/bench-") {
                break;
            }
            if begun.elapsed() > PATIENCE {
                bail!("{name} is not found");
            }
            tokio::time::sleep(LOOK).await;
        }
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(times)
}

/// Rates of searches while very many documents are indexed anew, and at rest.
async fn rebuild(
    plan: &Plan,
    database: &mut Database,
    names: &[String],
) -> anyhow::Result<Vec<(Figures, Figures)>> {
    let requests = searches(names);
    let mut measured = Vec::new();
    for _ in 0..plan.rounds {
        fill::indexed(database).await?;
        let at_rest = rate::of_site(plan, &requests).await?;
        let all = format!(
            "INSERT INTO editorial.search_due (kind, id)
             SELECT 'item', id FROM editorial.items WHERE slug LIKE 'bench-%' ORDER BY id LIMIT {ANEW}
             ON CONFLICT (kind, id) DO NOTHING"
        );
        database.run(&all).await?;
        let meanwhile = rate::of_site(plan, &requests).await?;
        let left = fill::count(database, "SELECT count(*) FROM editorial.search_due").await?;
        if left == 0 {
            bail!("everything was indexed before the turn ended");
        }
        // The rest need not be waited for.
        database.run("TRUNCATE editorial.search_due").await?;
        measured.push((meanwhile, at_rest));
    }
    Ok(measured)
}

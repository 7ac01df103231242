//! `bench web`: the cost of a first visit on a slow phone, compared with a static page of the same HTML and an empty
//! application with the same libraries. The rounds run in a browser (`web/bench/first-page.ts`).

use std::collections::BTreeMap;

use anyhow::ensure;
use serde::Deserialize;
use tokio::process::Command;

use crate::{
    harness::{Bench, Turn},
    plan::read_json,
    results::{Measure, Target, median},
};

/// Maximum bytes of HTML with its data and style rules: the first round trip of a connection (RFC 6928: 10 segments).
const FIRST_FLIGHT: f64 = 14.0 * 1024.0;

/// Maximum blocking time in milliseconds: the sum of the parts of tasks beyond 50 ms.
const BLOCKING_TIME: f64 = 150.0;

#[derive(Deserialize)]
struct Figures {
    browser: String,
    pages: Vec<Page>,
    empty: Vec<Visit>,
}

#[derive(Deserialize)]
struct Page {
    name: String,
    /// Bytes of the page's style rules, after brotli.
    critical_css: f64,
    site: Vec<Visit>,
    /// Visits to the same HTML without scripts, served by nginx.
    #[serde(rename = "static")]
    reference: Vec<Visit>,
}

#[derive(Deserialize)]
struct Visit {
    /// The largest contentful paint in milliseconds, and the layout shift.
    lcp: f64,
    cls: f64,
    /// The blocking time in milliseconds.
    blocking: f64,
    bytes: Bytes,
}

/// Bytes of response bodies as sent, compressed.
#[derive(Deserialize)]
struct Bytes {
    html: f64,
    js: f64,
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let environment: BTreeMap<String, String> = bench.plan.options()?;
    let results = bench.plan.results.with_extension("visits");
    let mut visits = Command::new("npm");
    visits
        .args(["run", "bench"])
        .current_dir(bench.plan.checkout.join("web"))
        .envs(environment)
        .env("BASE_URL", format!("http://{}", bench.plan.site.address))
        .env("BENCH_ROUNDS", bench.plan.rounds.to_string())
        .env("BENCH_RESULTS", &results);
    ensure!(visits.status().await?.success(), "the visits failed");
    let Figures {
        browser,
        pages,
        empty,
    } = read_json(&results)?;
    bench.about(format!("Chromium {browser}; {} rounds", bench.plan.rounds));
    let empty = median(empty.iter().map(|visit| visit.bytes.js));
    for page in pages {
        let Page {
            name,
            critical_css,
            site,
            reference,
        } = page;
        let name = |what: &str| format!("{name}: {what}");
        let measures = [
            Measure::new(name("LCP, ms"), "static page", Target::AtMost(1.2)),
            Measure::new(name("JS, bytes"), "empty application", Target::AtMost(1.25)),
            Measure::new(
                name("HTML with data, critical CSS, bytes"),
                "",
                Target::AtMost(FIRST_FLIGHT),
            ),
            Measure::new(name("CLS"), "", Target::Below(0.02)),
            Measure::new(name("blocking time, ms"), "", Target::AtMost(BLOCKING_TIME)),
        ];
        let turns = site.iter().zip(&reference).map(|(ours, theirs)| {
            let Bytes { html, js } = ours.bytes;
            let ours = vec![ours.lcp, js, html + critical_css, ours.cls, ours.blocking];
            (Turn::of(ours), Turn::of(vec![theirs.lcp, empty]))
        });
        bench.record(&measures, &turns.collect::<Vec<_>>());
    }
    Ok(())
}

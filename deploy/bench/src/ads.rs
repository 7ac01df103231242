//! `bench ads`: the slots of a page among a thousand campaigns.

pub(crate) mod campaigns;

use std::time::{Duration, Instant};

use anyhow::ensure;

use self::campaigns::Campaigns;
use crate::{
    bare::{BARE, Bare},
    cpu::Of,
    harness::Bench,
    load::{self, Connection, get},
    progress,
    results::Measure,
};

const CAMPAIGNS: Campaigns<'_> = Campaigns {
    count: 1_000,
    days: ("2026-01-01", "2029-12-31"),
    // More than any turn delivers, so that every line item stays open.
    goal: 1_000_000_000,
};
/// How long a gateway may take to receive new campaigns.
const PLANNED_WITHIN: Duration = Duration::from_secs(30);
/// Timed requests per turn.
const EACH: usize = 4_000;

/// Pages of every kind that campaigns are targeted at, on every screen.
const PAGES: [&str; 8] = [
    "page=home&screen=large",
    "page=home&screen=x_small",
    "page=article&screen=large&section=food&tags=coffee,patio",
    "page=article&screen=x_small&section=news",
    "page=article&screen=medium&section=culture&article_id=7",
    "page=place&screen=large&listing_type=cafes&neighbourhood=harbour",
    "page=place&screen=small&listing_type=restaurants",
    "page=events&screen=large",
];

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let database = bench.database().await?;
    database.settle().await?;
    progress("  a thousand campaigns");
    CAMPAIGNS.apply(&plan.site.operator).await?;
    for gateway in [&plan.site.address, &plan.site.other] {
        planned(gateway).await?;
    }
    let site = &plan.site.address;
    let bare = Bare::like(site, &slots(0)).await?;
    let all: Vec<_> = (0..EACH).map(slots).collect();
    let measures = Measure::times("GET ads/", BARE, [2.0, 2.0]);
    let ours = async || load::times(site, Of::Site, &all).await;
    let theirs = async || bare.times(&all).await;
    bench.alternate(&measures, ours, theirs).await
}

/// Returns the request for the slots of the n-th page.
fn slots(n: usize) -> Vec<u8> {
    get(&format!("/api/v2/ads/?{}", PAGES[n % PAGES.len()]))
}

/// Waits until a gateway serves the campaigns of the bench.
async fn planned(gateway: &str) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut connection = Connection::open(gateway).await?;
    loop {
        for n in 0..PAGES.len() {
            let answer = connection.expect(&slots(n), 200).await?;
            if String::from_utf8_lossy(&answer.body).contains("of the bench") {
                return Ok(());
            }
        }
        ensure!(begun.elapsed() < PLANNED_WITHIN, "no campaign is served");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

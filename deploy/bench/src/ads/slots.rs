//! GET `ads/`: a page's slots, beside a handler that does nothing but answer as many bytes.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::{
    bare::Bare,
    beside::{Beside, Of},
    case::Case,
    figures::{Measure, Target},
    load::{self, Connection},
    plan::Plan,
};

pub(super) const TIMES: &str = "GET ads/, one after the other";
pub(super) const RATE: &str = "GET ads/, as many as possible";

const QUICK: &[Measure] = &[
    Measure {
        unit: "ms p50",
        target: Target::AtMost(2.0),
    },
    Measure {
        unit: "ms p99",
        target: Target::AtMost(2.0),
    },
];
const MANY: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.2),
}];

/// Requests of a turn whose times are taken.
const EACH: usize = 4_000;
/// How long a gateway may take to hear of new campaigns.
const PLANNED_WITHIN: Duration = Duration::from_secs(30);

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

/// The slots of a page.
#[derive(Debug, Deserialize)]
pub(super) struct Slots {
    results: Vec<Slot>,
}

#[derive(Debug, Deserialize)]
struct Slot {
    creative: Option<Creative>,
}

#[derive(Debug, Deserialize)]
struct Creative {
    advertiser: String,
    token: String,
}

impl Slots {
    /// Asks for the n-th page.
    pub(super) async fn ask(connection: &mut Connection, n: usize) -> anyhow::Result<Self> {
        let answer = connection.expect(&request(n), 200).await?;
        serde_json::from_slice(&answer.body).context("the slots of a page")
    }

    fn creatives(self) -> impl Iterator<Item = Creative> {
        self.results.into_iter().filter_map(|slot| slot.creative)
    }

    /// The tickets of its ads.
    pub(super) fn tokens(self) -> impl Iterator<Item = String> {
        self.creatives().map(|creative| creative.token)
    }
}

fn request(n: usize) -> Vec<u8> {
    let page = PAGES[n % PAGES.len()];
    load::request("GET", &format!("/api/v2/ads/?{page}"), None, "")
}

fn requests() -> Vec<Vec<u8>> {
    (0..PAGES.len()).map(request).collect()
}

/// Waits until a gateway serves the campaigns of the bench.
pub(super) async fn planned(gateway: &str) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut connection = Connection::open(gateway).await?;
    loop {
        for n in 0..PAGES.len() {
            let mut shown = Slots::ask(&mut connection, n).await?.creatives();
            if shown.any(|creative| creative.advertiser.ends_with("of the bench")) {
                return Ok(());
            }
        }
        ensure!(begun.elapsed() < PLANNED_WITHIN, "no campaign is served");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

pub(super) async fn times(plan: &Plan) -> anyhow::Result<Case> {
    let requests = requests().into_iter().cycle().take(EACH).collect();
    Ok(beside(plan, requests, Of::Times).await?.case(TIMES, QUICK))
}

pub(super) async fn rate(plan: &Plan) -> anyhow::Result<Case> {
    let rate = Of::Rate(200);
    Ok(beside(plan, requests(), rate).await?.case(RATE, MANY))
}

async fn beside(plan: &Plan, requests: Vec<Vec<u8>>, of: Of) -> anyhow::Result<Beside> {
    let mut connection = Connection::open(&plan.site).await?;
    let answer = connection.expect(&request(0), 200).await?;
    Ok(Beside {
        plan: plan.clone(),
        requests,
        bare: Bare::start(&answer.body, 200).await?,
        of,
    })
}

//! `bench soak`: a modest load of every kind of visitor, hostile ones among them, for an hour, and the memory
//! of the site's processes meanwhile. Nobody reads `/metrics` before the end.

mod guests;
mod hostile;
mod memory;
mod raw;
mod readers;
mod tally;

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::Context;
use futures::future::BoxFuture;
use reqwest::{RequestBuilder, Response};
use serde::{Deserialize, Serialize};
use tokio::{
    task::{JoinHandle, JoinSet},
    time::{Instant, MissedTickBehavior, interval},
};

use self::{
    memory::{Compared, Exposition, Process, Watch},
    tally::{Answers, Tally},
};
use crate::{city::City, progress};

/// Visitors of one kind that are on the site at a time; while there are as many, no other comes. Those who hold
/// connections stay for as long as the site lets them.
const MOST_AT_ONCE: usize = 512;
/// A site that takes longer for an answer has failed.
const PATIENCE: Duration = Duration::from_secs(20);
/// The site closes a connection on which nothing comes, or is read, within this time.
const LET_GO_WITHIN: Duration = Duration::from_mins(2);
/// The site lets go of a kept connection after 75 s; a client that does so first never meets its end.
const KEPT_FOR: Duration = Duration::from_secs(30);

/// A running site, and how long to visit it.
#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    /// The address of a gateway: `127.0.0.1:8080`.
    site: String,
    /// The addresses of the processes' internal ports.
    internal: Vec<String>,
    /// The addresses at which services answer each other, if they run in several processes.
    rpc: Vec<String>,
    processes: Vec<Process>,
    minutes: u64,
    /// Requests per second, about.
    rate: f64,
}

/// The outcome of a soak.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    /// Requests per second that were answered or refused.
    rate: f64,
    processes: Vec<Compared>,
    expositions: Vec<Exposition>,
    kinds: Vec<Answers>,
    /// The number of answers that should not have been, and the first of them.
    unexpected: u64,
    examples: Vec<String>,
}

/// A kind of visitor.
struct Kind {
    name: &'static str,
    /// Visits for each ten thousand requests of the whole load.
    share: u32,
    visit: fn(Visit) -> BoxFuture<'static, anyhow::Result<()>>,
}

/// One visit; its number differs from that of every other visit of its kind.
#[derive(Clone)]
struct Visit {
    load: Arc<Load>,
    kind: &'static str,
    number: u64,
}

/// What all visits share.
struct Load {
    client: reqwest::Client,
    plan: Plan,
    city: City,
    tally: Tally,
    /// Distinguishes the names that this run invents from those of other runs.
    run: u32,
}

impl Visit {
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.load.plan.site)
    }

    /// A word that nobody has used before.
    fn word(&self) -> String {
        format!("{:x}x{:x}", self.load.run, self.number)
    }

    /// One of several things: each in its turn, in no order that a cache could learn.
    fn pick<'a, T>(&self, all: &'a [T]) -> Option<&'a T> {
        let mixed = self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let at = usize::try_from(mixed).unwrap_or_default() % all.len().max(1);
        all.get(at)
    }

    /// An address that the proxy before the site has seen: another client, and in IPv6 another network of 48 bits,
    /// for each visit.
    fn address(&self) -> String {
        let [.., a, b, c, d] = self.number.to_be_bytes();
        if self.number.is_multiple_of(3) {
            format!("2001:{a:02x}{b:02x}:{c:02x}{d:02x}::1")
        } else {
            format!("10.{b}.{c}.{d}")
        }
    }

    /// Sends a request, reads its whole answer, and counts its status.
    async fn ask(&self, request: RequestBuilder, expected: &[u16]) -> anyhow::Result<Response> {
        let response = request.timeout(PATIENCE).send().await?;
        let path = response.url().path().to_owned();
        let status = response.status().as_u16();
        self.load.tally.note(self.kind, status, expected, &path);
        Ok(response)
    }

    /// The same, for an answer whose body does not matter beyond its length.
    async fn fetch(&self, request: RequestBuilder, expected: &[u16]) -> anyhow::Result<()> {
        self.ask(request, expected).await?.bytes().await?;
        Ok(())
    }
}

/// Visits the site for the time of the plan.
pub(crate) async fn run(plan: &Path) -> anyhow::Result<Results> {
    let plan: Plan = serde_json::from_slice(&std::fs::read(plan)?)?;
    let client = reqwest::Client::builder()
        .pool_idle_timeout(KEPT_FOR)
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    let city = City::explore(&client, &plan.site)
        .await
        .context("the site's pages could not be listed")?;
    let mut watch = Watch::new(&plan.processes);
    let minutes = plan.minutes;
    let load = Arc::new(Load {
        client,
        city,
        tally: Tally::default(),
        run: std::process::id(),
        plan,
    });
    let begun = Instant::now();
    let end = begun + Duration::from_mins(minutes);
    let visitors: Vec<_> = kinds(&load.plan)
        .map(|kind| tokio::spawn(come(Arc::clone(&load), kind, end)))
        .collect();
    let watched = watch_minutes(&load, &mut watch, minutes).await;
    stop(visitors).await;
    watched?;
    let seconds = begun.elapsed().as_secs_f64();
    let kinds = load.tally.answers();
    let (unexpected, examples) = load.tally.unexpected();
    Ok(Results {
        rate: load.tally.total() / seconds,
        processes: watch.compare(),
        expositions: memory::expositions(&load.client, &load.plan.processes).await?,
        kinds,
        unexpected,
        examples,
    })
}

fn kinds(plan: &Plan) -> impl Iterator<Item = &'static Kind> {
    let among_services = (!plan.rpc.is_empty()).then_some(&hostile::AMONG_SERVICES);
    let all = guests::KINDS.iter().chain(readers::KINDS);
    all.chain(hostile::KINDS).chain(among_services)
}

/// Visitors of a kind come at their rate until the end.
async fn come(load: Arc<Load>, kind: &'static Kind, end: Instant) {
    let per_second = load.plan.rate * f64::from(kind.share) / 10_000.0;
    let mut ticks = interval(Duration::from_secs_f64(1.0 / per_second));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut visits = JoinSet::new();
    for number in 1.. {
        ticks.tick().await;
        if Instant::now() >= end {
            break;
        }
        while visits.try_join_next().is_some() {}
        if visits.len() >= MOST_AT_ONCE {
            continue;
        }
        let visit = Visit {
            load: Arc::clone(&load),
            kind: kind.name,
            number,
        };
        visits.spawn(async move {
            let load = Arc::clone(&visit.load);
            if let Err(error) = (kind.visit)(visit).await {
                load.tally.fail(kind.name, &error);
            }
        });
    }
    // Visits under way are left: their connections end with the load.
    visits.shutdown().await;
}

/// Samples the memory until the end, and prints a line each minute.
async fn watch_minutes(load: &Load, watch: &mut Watch, minutes: u64) -> anyhow::Result<()> {
    let mut ticks = interval(memory::EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut before = 0.0;
    for minute in 1..=minutes {
        for _ in 0..memory::PER_MINUTE {
            ticks.tick().await;
            watch.sample()?;
        }
        let total = load.tally.total();
        let (unexpected, examples) = load.tally.unexpected();
        progress(&format!(
            "  minute {minute:>3}  {}  {:.0} requests/s, {unexpected} unexpected{}",
            watch.last_minute(),
            (total - before) / 60.0,
            examples
                .last()
                .map_or_else(String::new, |last| format!(", such as {last}")),
        ));
        before = total;
    }
    Ok(())
}

async fn stop(visitors: Vec<JoinHandle<()>>) {
    for kind in visitors {
        kind.abort();
        // It ends as aborted.
        let _ = kind.await;
    }
}

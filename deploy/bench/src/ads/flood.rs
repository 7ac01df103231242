//! Pages while one network sends more events than anybody is allowed to.

use std::time::Duration;

use anyhow::ensure;
use async_trait::async_trait;
use tokio::{
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};

use crate::{
    case::{Case, Sides},
    cpu,
    figures::{Figures, Measure, Target},
    load::{self, Connection},
    plan::Plan,
    walk,
};

pub(super) const NAME: &str = "Pages beside a flood of 500 calls of 50 forged events per second";

const AS_BEFORE: &[Measure] = &[
    Measure {
        unit: "ms p50",
        target: Target::AtMost(1.25),
    },
    Measure {
        unit: "ms p99",
        target: Target::AtMost(1.5),
    },
];
/// Requests of a turn.
const EACH: usize = 3_000;
/// Connections of the flood, and the calls of each in a second.
const CONNECTIONS: usize = 5;
const EACH_SECOND: u64 = 100;
/// The share of its calls that must be refused, in percent: otherwise it is no flood.
const REFUSED: u64 = 80;

struct Flood {
    plan: Plan,
    pages: Vec<Vec<u8>>,
}

pub(super) fn case(plan: &Plan) -> Case {
    let paths = [
        "/",
        "/api/v2/listings/",
        "/api/v2/ads/?page=home&screen=large",
    ];
    let pages = paths.map(|path| load::request("GET", path, None, ""));
    Case {
        name: NAME.to_owned(),
        measures: AS_BEFORE,
        sides: Box::new(Flood {
            plan: plan.clone(),
            pages: pages.into_iter().cycle().take(EACH).collect(),
        }),
    }
}

/// Sends forged events until it is stopped; an error if most of them are not refused.
async fn flood(site: String, request: Vec<u8>) -> anyhow::Result<()> {
    let mut connection = Connection::open(&site).await?;
    let mut pause = interval(Duration::from_secs(1) / u32::try_from(EACH_SECOND)?);
    pause.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut calls, mut refused) = (0, 0);
    loop {
        pause.tick().await;
        let answer = connection.ask(&request).await?;
        calls += 1;
        refused += u64::from(answer.status == 429);
        ensure!(
            calls < 10 * EACH_SECOND || refused * 100 >= calls * REFUSED,
            "{refused} of {calls} calls were refused"
        );
    }
}

fn forged() -> Vec<u8> {
    let event = r#"{"kind":"impression","token":"Zm9yZ2Vk"}"#;
    let body = format!(r#"{{"events":[{}]}}"#, [event; 50].join(","));
    load::request("POST", "/api/v2/ads/events/", None, &body)
}

#[async_trait]
impl Sides for Flood {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let floods: Vec<JoinHandle<anyhow::Result<()>>> = (0..CONNECTIONS)
            .map(|_| tokio::spawn(flood(self.plan.site.clone(), forged())))
            .collect();
        let before = cpu::of_site();
        let times = walk::times(&self.plan.site, &self.pages).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        for flood in floods {
            if flood.is_finished() {
                flood.await??;
            } else {
                flood.abort();
            }
        }
        Ok(Figures::of_times(times, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let times = walk::times(&self.plan.site, &self.pages).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_times(times, used))
    }

    fn reference_name(&self) -> String {
        "the same pages at rest".to_owned()
    }
}

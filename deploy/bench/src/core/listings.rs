//! A page of places: a public answer that no cache holds.

use async_trait::async_trait;

use crate::{
    case::{Case, Sides},
    cpu,
    figures::{Figures, Measure, Target},
    load,
    pgbench::{self, Script},
    plan::Plan,
    references,
};

pub(crate) const NAME: &str = "GET listings/";

/// The number of pages to request, from the first on, of twelve places each.
pub(super) const PAGES: usize = 9;
const LIMIT: usize = 12;

struct Listings {
    plan: Plan,
    requests: Vec<Vec<u8>>,
    script: Script,
}

/// The first `pages` pages.
pub(crate) fn case(plan: &Plan, name: &'static str, pages: usize) -> anyhow::Result<Case> {
    let path = |page: usize| match page {
        0 => "/api/v2/listings/".to_owned(),
        page => format!("/api/v2/listings/?offset={}", page * LIMIT),
    };
    let requests = (0..pages).map(|page| load::request("GET", &path(page), None, ""));
    let text = format!("\\set skip (:n % {pages}) * {LIMIT}\n")
        + &references::places(&plan.checkout, LIMIT)?;
    Ok(Case {
        name: name.to_owned(),
        measures: &[Measure {
            unit: "1/s",
            target: Target::AtLeast(0.25),
        }],
        sides: Box::new(Listings {
            plan: plan.clone(),
            requests: requests.collect(),
            script: Script {
                schema: "places",
                text,
                requests: 1,
            },
        }),
    })
}

#[async_trait]
impl Sides for Listings {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let (done, seconds) =
            load::read_for(&self.plan.site, &self.requests, 200, self.plan.turn()).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        pgbench::run(&self.plan, &self.script)
    }

    fn reference_name(&self) -> String {
        "pgbench, the same statements".to_owned()
    }
}

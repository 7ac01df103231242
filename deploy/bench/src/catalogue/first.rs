//! Answers that are asked for the first time, as browsers ask: computed, compressed and kept.

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

pub(crate) const NAME: &str = "GET listings/, asked for the first time";

/// Pages begin at offsets below this, and have these lengths; the reference's have the middle one.
const OFFSETS: usize = 5_000;
const LIMITS: std::ops::RangeInclusive<usize> = 7..=17;
const MIDDLE: usize = 12;
/// Requests of one turn: more than it has time for, so that no two are the same.
const TURN: usize = 8_000;

struct First {
    plan: Plan,
    requests: Vec<Vec<u8>>,
    turns: usize,
    script: Script,
}

pub(super) fn case(plan: &Plan) -> anyhow::Result<Case> {
    let request = |offset: usize, limit: usize| {
        let path = format!("/api/v2/listings/?limit={limit}&offset={offset}");
        format!("GET {path} HTTP/1.1\r\nhost: site\r\naccept-encoding: br\r\n\r\n").into_bytes()
    };
    // Lengths alternate, so that each turn has them all.
    let requests = (0..OFFSETS).flat_map(|offset| LIMITS.map(move |limit| request(offset, limit)));
    let text = format!("\\set skip random(0, {})\n", OFFSETS - 1)
        + &references::places(&plan.checkout, MIDDLE)?;
    Ok(Case {
        name: NAME.to_owned(),
        measures: &[Measure {
            unit: "1/s",
            target: Target::AtLeast(0.25),
        }],
        sides: Box::new(First {
            plan: plan.clone(),
            requests: requests.collect(),
            turns: 0,
            script: Script {
                schema: "places",
                text,
                requests: 1,
            },
        }),
    })
}

#[async_trait]
impl Sides for First {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let mut turns = self.requests.chunks(TURN).cycle();
        let requests = turns.nth(self.turns).unwrap_or_default();
        self.turns += 1;
        let (plan, turn) = (&self.plan, self.plan.turn());
        let (done, seconds) = load::read_for(&plan.site, requests, 200, turn).await?;
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

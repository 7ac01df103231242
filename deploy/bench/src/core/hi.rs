//! `profiles/hi/`: a signed-in read.

use async_trait::async_trait;

use super::references;
use crate::{
    bare::Bare,
    case::{Case, Sides},
    cpu,
    database::{self, Cast},
    figures::{Figures, Measure, Target},
    load::{self, Connection},
    pgbench::{self, Script},
    plan::Plan,
};

pub(crate) const NAME: &str = "GET profiles/hi/";
const PATH: &str = "/api/v2/profiles/hi/";

struct Hi {
    plan: Plan,
    requests: Vec<Vec<u8>>,
    bare: Bare,
    script: Script,
    smaller: &'static str,
}

pub(super) async fn case(plan: &Plan, cast: Cast) -> anyhow::Result<Case> {
    let requests: Vec<_> = cast
        .readers()
        .map(|reader| load::request("GET", PATH, Some(&database::session(reader)), ""))
        .collect();
    let mut connection = Connection::open(&plan.site).await?;
    let mut body = Vec::new();
    // Requests every session once, so that all are in the cache from here on.
    for request in &requests {
        body = connection.expect(request, 200).await?.body.to_vec();
    }
    let text = cast.script() + &references::stamps(&plan.checkout)?;
    Ok(Case {
        name: NAME,
        measures: &[Measure {
            unit: "1/s",
            target: Target::AtLeast(0.35),
        }],
        sides: Box::new(Hi {
            plan: plan.clone(),
            requests,
            bare: Bare::start(&body, 200).await?,
            script: Script {
                schema: "bookmarks",
                text,
            },
            smaller: "",
        }),
    })
}

#[async_trait]
impl Sides for Hi {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let (done, seconds) =
            load::read_for(&self.plan.site, &self.requests, 200, self.plan.turn()).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    /// The smaller of the two.
    async fn reference(&mut self) -> anyhow::Result<Figures> {
        let bare = self.bare.read(&self.requests, self.plan.turn()).await?;
        let query = pgbench::run(&self.plan, &self.script)?;
        let is_bare = bare.values < query.values;
        self.smaller = if is_bare {
            "a bare axum handler of the same bytes"
        } else {
            "pgbench, the same statement for one reader"
        };
        Ok(if is_bare { bare } else { query })
    }

    fn reference_name(&self) -> String {
        self.smaller.to_owned()
    }
}

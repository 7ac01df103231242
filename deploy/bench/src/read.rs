//! A signed-in read beside the smaller of two references: a bare handler of its bytes, and its queries alone.

use async_trait::async_trait;

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

const MEASURES: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.35),
}];

struct Read {
    plan: Plan,
    requests: Vec<Vec<u8>>,
    bare: Bare,
    script: Script,
    smaller: &'static str,
}

/// All readers request the same path; the script runs the queries of one request.
pub(crate) async fn case(
    plan: &Plan,
    cast: Cast,
    name: String,
    path: &str,
    script: Script,
) -> anyhow::Result<Case> {
    let requests: Vec<_> = cast
        .readers()
        .map(|reader| load::request("GET", path, Some(&database::session(reader)), ""))
        .collect();
    let mut connection = Connection::open(&plan.site).await?;
    let mut body = Vec::new();
    // Requests every session once, so that all are in the cache from here on.
    for request in &requests {
        body = connection.expect(request, 200).await?.body.to_vec();
    }
    Ok(Case {
        name,
        measures: MEASURES,
        sides: Box::new(Read {
            plan: plan.clone(),
            requests,
            bare: Bare::start(&body, 200).await?,
            script,
            smaller: "",
        }),
    })
}

#[async_trait]
impl Sides for Read {
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
            "pgbench, the same statements for one reader"
        };
        Ok(if is_bare { bare } else { query })
    }

    fn reference_name(&self) -> String {
        self.smaller.to_owned()
    }
}

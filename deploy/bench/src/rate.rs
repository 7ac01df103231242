//! Requests as often as the site answers, beside statements as often as pgbench runs them.

use async_trait::async_trait;

use crate::{
    case::Sides,
    cpu,
    figures::Figures,
    load,
    pgbench::{self, Script},
    plan::Plan,
};

/// Both sides of such a case.
pub(crate) struct Rate {
    pub(crate) plan: Plan,
    pub(crate) requests: Vec<Vec<u8>>,
    pub(crate) script: Script,
    /// The reference's name.
    pub(crate) reference: &'static str,
}

/// A turn of requests to the site.
pub(crate) async fn of_site(plan: &Plan, requests: &[Vec<u8>]) -> anyhow::Result<Figures> {
    let before = cpu::of_site();
    let (done, seconds) = load::read_for(&plan.site, requests, 200, plan.turn()).await?;
    let used = cpu::since(&before, &cpu::of_site(), &[]);
    Ok(Figures::of_rate(done, seconds, used))
}

#[async_trait]
impl Sides for Rate {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        of_site(&self.plan, &self.requests).await
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        pgbench::run(&self.plan, &self.script)
    }

    fn reference_name(&self) -> String {
        self.reference.to_owned()
    }
}

//! A walk through all places by `next`: its last pages beside its first.

use anyhow::ensure;
use async_trait::async_trait;

use crate::{
    case::{Case, Sides},
    cpu,
    figures::{Figures, Measure, Target},
    plan::Plan,
    walk,
};

pub(crate) const NAME: &str = "GET listings/, the last pages of a walk by next";

/// Pages measured at each end of the list.
const PAGES: usize = 300;
const LIMIT: usize = 100;

struct Walk {
    plan: Plan,
    first: Vec<Vec<u8>>,
    last: Vec<Vec<u8>>,
}

/// Walks the whole list once; it must hold every place exactly once.
pub(super) async fn case(plan: &Plan) -> anyhow::Result<Case> {
    let path = format!("/api/v2/listings/?limit={LIMIT}");
    let mut pages = walk::pages(&plan.site, None, path, LIMIT).await?;
    ensure!(
        pages.len() >= 2 * PAGES,
        "{} pages are no long walk",
        pages.len()
    );
    let last = pages.split_off(pages.len() - PAGES);
    pages.truncate(PAGES);
    Ok(Case {
        name: NAME.to_owned(),
        measures: &[Measure {
            unit: "ms p50",
            target: Target::Near(0.2),
        }],
        sides: Box::new(Walk {
            plan: plan.clone(),
            first: pages,
            last,
        }),
    })
}

impl Walk {
    async fn through(&self, pages: &[Vec<u8>]) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let times = walk::times(&self.plan.site, pages).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_times(times, used))
    }
}

#[async_trait]
impl Sides for Walk {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        self.through(&self.last).await
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        self.through(&self.first).await
    }

    fn reference_name(&self) -> String {
        "its first pages".to_owned()
    }
}

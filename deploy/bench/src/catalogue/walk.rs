//! A walk through all places by `next`: its last pages beside its first.

use std::{collections::HashSet, time::Instant};

use anyhow::{Context, ensure};
use async_trait::async_trait;
use serde::Deserialize;

use crate::{
    case::{Case, Sides},
    cpu,
    figures::{Figures, Measure, Target},
    load::{self, Connection},
    plan::Plan,
};

pub(crate) const NAME: &str = "GET listings/, the last pages of a walk by next";

/// Pages measured at each end of the list.
const PAGES: usize = 300;
const LIMIT: usize = 100;

#[derive(Deserialize)]
struct Page {
    results: Vec<Listing>,
    count: usize,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Listing {
    id: i64,
}

struct Walk {
    plan: Plan,
    first: Vec<Vec<u8>>,
    last: Vec<Vec<u8>>,
}

/// Walks the whole list once; it must hold every place exactly once.
pub(super) async fn case(plan: &Plan) -> anyhow::Result<Case> {
    let mut connection = Connection::open(&plan.site).await?;
    let mut pages = Vec::new();
    let mut seen = HashSet::new();
    let mut path = Some(format!("/api/v2/listings/?limit={LIMIT}"));
    let mut count = 0;
    while let Some(next) = path {
        let request = load::request("GET", &next, None, "");
        let answer = connection.expect(&request, 200).await?;
        let page: Page = serde_json::from_slice(&answer.body).context("a page is no page")?;
        seen.extend(page.results.iter().map(|listing| listing.id));
        (count, path) = (page.count, page.next);
        pages.push(request);
    }
    ensure!(
        seen.len() == count && pages.len() == count.div_ceil(LIMIT),
        "{} pages with {} places of {count}",
        pages.len(),
        seen.len()
    );
    ensure!(
        pages.len() > 2 * PAGES,
        "{} pages are no long walk",
        pages.len()
    );
    // The very last page may be shorter than the others.
    pages.pop();
    let last = pages.split_off(pages.len() - PAGES);
    pages.truncate(PAGES);
    Ok(Case {
        name: NAME,
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
    /// Requests pages one after the other, as a client that follows `next` does.
    async fn through(&self, pages: &[Vec<u8>]) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let mut connection = Connection::open(&self.plan.site).await?;
        let mut times = Vec::with_capacity(pages.len());
        for request in pages {
            let begun = Instant::now();
            connection.expect(request, 200).await?;
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
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

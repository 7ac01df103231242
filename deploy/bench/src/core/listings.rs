//! A page of places: a public answer that no cache holds.

use crate::{
    case::Case,
    figures::{Measure, Target},
    load,
    pgbench::Script,
    plan::Plan,
    rate::Rate,
    references,
};

pub(crate) const NAME: &str = "GET listings/";

/// The number of pages to request, from the first on, of twelve places each.
pub(super) const PAGES: usize = 9;
const LIMIT: usize = 12;

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
        sides: Box::new(Rate {
            plan: plan.clone(),
            requests: requests.collect(),
            script: Script {
                schema: "places",
                text,
                requests: 1,
            },
            reference: "pgbench, the same statements",
        }),
    })
}

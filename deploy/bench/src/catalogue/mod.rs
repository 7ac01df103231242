//! `bench catalogue`: public answers that the gateway keeps, those that it must compute, and a walk
//! through a long list to its end.

mod kept;
mod walk;

use crate::{
    case::Case,
    core::{Results, listings},
    database::Database,
    plan::Plan,
    progress,
};

const MISS: &str = "GET listings/, not kept";
/// Pages that are asked for where none is kept: so many that hardly two ask for one at the same time.
const PAGES: usize = 83;

/// With a gateway that keeps answers what is kept is measured; with one that does not, the rest.
pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    database.settle().await?;
    let names: &[&str] = if plan.keeps {
        &[kept::HIT, kept::KNOWN]
    } else {
        &[MISS, walk::NAME]
    };
    let mut rows = Vec::new();
    for name in names {
        if plan
            .only
            .as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
        {
            progress(&format!("  {name}"));
            rows.extend(case(name, plan).await?.run(plan.rounds).await?);
        }
    }
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}

async fn case(name: &str, plan: &Plan) -> anyhow::Result<Case> {
    match name {
        kept::HIT => kept::hit(plan).await,
        kept::KNOWN => kept::known(plan).await,
        MISS => listings::case(plan, MISS, PAGES),
        walk::NAME => walk::case(plan).await,
        other => anyhow::bail!("there is no case {other:?}"),
    }
}

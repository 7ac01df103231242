//! `bench catalogue`: public answers that the gateway keeps, those that it must compute, alone and with all that
//! follows for browsers, and a walk through a long list to its end.

mod first;
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
/// Pages to request where none is kept: enough that two connections hardly ever request the same one at once.
const PAGES: usize = 83;

/// Measures kept answers on a gateway that keeps them, and the rest on one that does not.
pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    database.settle().await?;
    let names: &[&str] = if plan.keeps {
        &[kept::HIT, kept::KNOWN, first::NAME]
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
        first::NAME => first::case(plan),
        MISS => listings::case(plan, MISS, PAGES),
        walk::NAME => walk::case(plan).await,
        other => anyhow::bail!("there is no case {other:?}"),
    }
}

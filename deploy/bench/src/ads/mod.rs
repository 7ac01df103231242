//! `bench ads`: the slots of a page among a thousand campaigns, the intake of events, and pages beside a flood of them.

pub(crate) mod campaigns;
mod flood;
mod intake;
mod slots;

use anyhow::Context;

use self::campaigns::Campaigns;
use crate::{core::Results, database::Database, plan::Plan, progress};

const CAMPAIGNS: Campaigns<'_> = Campaigns {
    count: 1_000,
    days: ("2026-01-01", "2029-12-31"),
    // More than any turn uses up, so that every line item is open all the time.
    goal: 1_000_000_000,
};

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    database.settle().await?;
    let operator = plan.operator.as_ref().context("there is no program")?;
    progress("  a thousand campaigns");
    CAMPAIGNS.apply(operator).await?;
    for gateway in [&plan.site, &plan.other] {
        slots::planned(gateway).await?;
    }
    let is_wanted = |name: &str| {
        let only = plan.only.as_ref();
        only.is_none_or(|only| name.contains(only.as_str()))
    };
    let mut rows = Vec::new();
    for name in [slots::TIMES, slots::RATE, intake::NAME, flood::NAME] {
        // The flood meets a site as deployed, which keeps answers and limits events; the others one without either.
        if !is_wanted(name) || (name == flood::NAME) != plan.keeps {
            continue;
        }
        progress(&format!("  {name}"));
        let case = match name {
            slots::TIMES => slots::times(plan).await?,
            slots::RATE => slots::rate(plan).await?,
            intake::NAME => intake::case(plan, &mut database).await?,
            _ => flood::case(plan),
        };
        rows.extend(case.run(plan.rounds).await?);
    }
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}

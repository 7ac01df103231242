//! `bench faults`: what a fault costs. With a service stopped, or a server behind the services, calls that do not
//! need it are measured beside the same calls without the fault, turn by turn; and those that do are timed: until
//! their service is left alone, while it is, and until they are answered again.

mod apart;
mod calls;
mod fault;
mod needed;

use std::{path::Path, time::Duration};

use serde::{Deserialize, Serialize};

use self::{
    apart::{Apart, ApartRow},
    calls::World,
    fault::Fault,
    needed::{Needed, NeededRow},
};
use crate::{city::City, database::Database, figures::Target, progress};

/// The part of its undisturbed speed that a call keeps if it does not need what is faulty.
const REACH: Target = Target::AtLeast(0.9);
/// Requests that are under way at a time.
const CONNECTIONS: usize = 8;

/// A running site in many processes, and the faults to make.
#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    /// The address of the gateway that keeps no public answers.
    site: String,
    /// The address of the one that keeps them.
    keeping: String,
    /// The address of the first one's internal port.
    internal: String,
    database: String,
    faults: Vec<Fault>,
    rounds: usize,
    /// Seconds of one turn.
    seconds: u64,
    /// Only faults whose name holds this.
    only: Option<String>,
}

/// The results of the suite.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    postgres: String,
    apart: Vec<ApartRow>,
    needed: Vec<NeededRow>,
}

pub(crate) async fn run(plan: &Path) -> anyhow::Result<Results> {
    let plan: Plan = serde_json::from_slice(&std::fs::read(plan)?)?;
    let mut database = Database::open(&plan.database).await?;
    let cast = database.prepare().await?;
    let city = City::explore(&reqwest::Client::new(), &plan.site).await?;
    let world = World::new(&plan, cast, city);
    let mut results = Results {
        postgres: database.version().await?,
        apart: Vec::new(),
        needed: Vec::new(),
    };
    let only = plan.only.as_deref().unwrap_or_default();
    for fault in plan.faults.iter().filter(|fault| fault.name.contains(only)) {
        progress(&format!("  {}", fault.name));
        let (apart, needed) = measure(&plan, &world, &mut database, fault).await?;
        results.apart.extend(apart);
        results.needed.extend(needed);
    }
    Ok(results)
}

/// Measures one fault: in each round every call in its turn without the fault, then what needs it, then every call
/// with the fault.
async fn measure(
    plan: &Plan,
    world: &World,
    database: &mut Database,
    fault: &Fault,
) -> anyhow::Result<(Vec<ApartRow>, Vec<NeededRow>)> {
    let turn = Duration::from_secs(plan.seconds);
    let mut apart: Vec<_> = calls::apart(&fault.key)?
        .iter()
        .map(|call| Apart::new(*call))
        .collect();
    let mut needed = Needed::new(&fault.key);
    // Processes, pools and caches warm up.
    for one in &apart {
        one.turn(world, turn).await?;
    }
    for round in 1..=plan.rounds {
        for one in &mut apart {
            one.undisturbed(world, turn).await?;
        }
        let begun = fault.begin().await?;
        needed.meet(world, turn).await?;
        for one in &mut apart {
            one.disturbed(world, turn).await?;
        }
        begun.end().await?;
        needed.recover(world, database).await?;
        progress(&format!("    round {round}: {}", told(&apart, &needed)));
    }
    let rows = apart
        .into_iter()
        .map(|one| one.row(fault.name.clone(), REACH));
    Ok((rows.collect(), needed.rows(&fault.name)))
}

fn told(apart: &[Apart], needed: &Needed) -> String {
    let each: Vec<_> = apart.iter().map(Apart::last).collect();
    format!("{}{}", each.join(", "), needed.last())
}

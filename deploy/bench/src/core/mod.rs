//! `bench core`: a page of places, a signed-in read, the two writes of a favourite, and the delivery of a
//! write to another device.

mod favourites;
mod hi;
pub(crate) mod listings;
mod stream;

use serde::Serialize;

use crate::{
    case::Case,
    database::{Cast, Database},
    figures::Row,
    plan::Plan,
    progress,
};

/// The cases of `cargo xtask bench core`.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) postgres: String,
    pub(crate) rows: Vec<Row>,
}

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    let cast = database.prepare().await?;
    let mut rows = Vec::new();
    for name in NAMES {
        if plan
            .only
            .as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
        {
            progress(&format!("  {name}"));
            rows.extend(case(name, plan, cast).await?.run(plan.rounds).await?);
        }
    }
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}

const NAMES: [&str; 5] = [
    listings::NAME,
    hi::NAME,
    favourites::CREATE,
    favourites::DELETE,
    stream::NAME,
];

async fn case(name: &str, plan: &Plan, cast: Cast) -> anyhow::Result<Case> {
    match name {
        listings::NAME => listings::case(plan, listings::NAME, listings::PAGES),
        hi::NAME => hi::case(plan, cast).await,
        favourites::CREATE => favourites::create(plan, cast).await,
        favourites::DELETE => favourites::delete(plan, cast).await,
        stream::NAME => stream::case(plan, cast).await,
        other => anyhow::bail!("there is no case {other:?}"),
    }
}

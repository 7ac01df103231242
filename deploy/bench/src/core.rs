//! `bench core`: a page of places, a signed-in read, the writes of a favourite, and the delivery of a write to another
//! device.

use std::sync::Arc;

use crate::{
    bare::{BARE, Bare},
    cpu::Of,
    fill::Cast,
    harness::Bench,
    load::{self, Connection, Requests},
    pgbench::{self, PGBENCH, Script},
    results::Measure,
    statements::Statements,
    stream,
    writes::{self, Write},
};

/// Places per page.
const LIMIT: usize = 12;

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let database = bench.database().await?;
    let cast = Cast::prepare(&database).await?;
    places(bench, "GET listings/", 9).await?;
    let text = cast.script() + &Statements::of(&bench.plan.checkout).stamps()?;
    let script = Script::new("bookmarks", text, 1);
    let path = "/api/v2/profiles/hi/";
    signed_in(bench, cast, "GET profiles/hi/", path, &script).await?;
    let name = "POST, DELETE favourites/";
    writes::measure(bench, &database, cast, Write::Favourite, name).await?;
    stream::measure(bench, cast).await
}

/// The first pages of places on a gateway that computes each response.
pub(crate) async fn places(bench: &mut Bench, name: &str, pages: usize) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let paths = (1..pages).map(|page| format!("/api/v2/listings/?offset={}", page * LIMIT));
    let paths = std::iter::once("/api/v2/listings/".to_owned()).chain(paths);
    let requests = Requests::new(paths.map(|path| load::get(&path)), 200);
    let text = Statements::of(&plan.checkout).places(LIMIT)?;
    let text = format!("\\set skip (:n % {pages}) * {LIMIT}\n{text}");
    let script = Script::new("places", text, 1);
    let measures = Measure::rate(name, PGBENCH, 0.25);
    beside_pgbench(bench, &measures, &requests, &script).await
}

/// Compares the rate of requests with the rate of their statements alone.
pub(crate) async fn beside_pgbench(
    bench: &mut Bench,
    measures: &[Measure],
    requests: &Arc<Requests>,
    script: &Script,
) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let ours = async || load::rate(&plan.site.address, Of::Site, requests, plan.turn()).await;
    let theirs = async || pgbench::rate(&plan, script).await;
    bench.alternate(measures, ours, theirs).await
}

/// Compares a path that all readers request with the slower of two references: a bare handler of the same bytes, and
/// pgbench.
pub(crate) async fn signed_in(
    bench: &mut Bench,
    cast: Cast,
    name: &str,
    path: &str,
    script: &Script,
) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let all = cast.gets(path);
    // Uses every session once, so that all sessions are cached from here on.
    let mut connection = Connection::open(&plan.site.address).await?;
    for request in &all {
        connection.expect(request, 200).await?;
    }
    let bare = Bare::like(&plan.site.address, &all[0]).await?;
    let requests = Requests::new(all, 200);
    let reference = format!("{PGBENCH} or {BARE}, the smaller");
    let theirs = async || {
        let bare = bare.rate(&requests, plan.turn()).await?;
        let query = pgbench::rate(&plan, script).await?;
        let is_bare = bare.values < query.values;
        anyhow::Ok(if is_bare { bare } else { query })
    };
    let ours = async || load::rate(&plan.site.address, Of::Site, &requests, plan.turn()).await;
    let measures = Measure::rate(name, &reference, 0.35);
    bench.alternate(&measures, ours, theirs).await
}

//! `bench catalogue`: cached public responses, computed responses (alone, and with compression and caching), and a walk
//! to the end of a long list.

use anyhow::{Context, ensure};

use crate::{
    bare::{BARE, Bare},
    core,
    cpu::Of,
    harness::Bench,
    lists::{self, FLAT},
    load::{self, Requests},
    pgbench::{PGBENCH, Script},
    results::Measure,
    statements::Statements,
};

/// Number of pages to request without a cache: enough that two connections hardly ever request the same page
/// simultaneously.
const PAGES: usize = 83;
/// Bounds for the offsets and lengths of pages that are requested for the first time; the reference's pages have the
/// middle length. All turns together request fewer pages.
const OFFSETS: usize = 5_000;
const LIMITS: std::ops::RangeInclusive<usize> = 7..=17;
const MIDDLE: usize = 12;
/// Pages at each end of the walk, and their length.
const ENDS: usize = 300;
const LONG: usize = 100;

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let database = bench.database().await?;
    database.settle().await?;
    if bench.plan.site.keeps {
        stored(bench).await?;
        return first(bench).await;
    }
    core::places(bench, "GET listings/, not kept", PAGES).await?;
    walk(bench).await
}

/// The first page of places, as browsers request it: in brotli, and again with its `ETag`.
async fn stored(bench: &mut Bench) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let request = |headers: &str| {
        let headers = format!("accept-encoding: br\r\n{headers}");
        load::request("GET", "/api/v2/listings/", &headers, "")
    };
    let answer = load::fetch(&plan.site.address, &request("")).await?;
    let tag = answer.header("etag").context("an answer without a tag")?;
    for (name, header, status, reach) in [
        ("GET listings/, kept", String::new(), 200, 0.85),
        (
            "GET listings/, known to the client",
            format!("if-none-match: {tag}\r\n"),
            304,
            0.9,
        ),
    ] {
        let reference = if status == 200 {
            BARE
        } else {
            "bare handler, 304"
        };
        let body: &[u8] = if status == 200 { &answer.body } else { &[] };
        let bare = Bare::start(body, status).await?;
        let requests = Requests::new([request(&header)], status);
        let ours = async || load::rate(&plan.site.address, Of::Site, &requests, plan.turn()).await;
        let theirs = async || bare.rate(&requests, plan.turn()).await;
        let measures = Measure::rate(name, reference, reach);
        bench.alternate(&measures, ours, theirs).await?;
    }
    Ok(())
}

/// Responses that are computed, compressed and cached.
async fn first(bench: &mut Bench) -> anyhow::Result<()> {
    let path = |offset, limit| format!("/api/v2/listings/?limit={limit}&offset={offset}");
    let paths = (0..OFFSETS).flat_map(|offset| LIMITS.map(move |limit| path(offset, limit)));
    let all = paths.map(|path| load::request("GET", &path, "accept-encoding: br\r\n", ""));
    let requests = Requests::new(all, 200);
    let text = Statements::of(&bench.plan.checkout).places(MIDDLE)?;
    let text = format!("\\set skip random(0, {})\n{text}", OFFSETS - 1);
    let script = Script::new("places", text, 1);
    let measures = Measure::rate("GET listings/, for the first time", PGBENCH, 0.25);
    core::beside_pgbench(bench, &measures, &requests, &script).await
}

/// Compares the last pages of a walk by `next` with the first pages.
async fn walk(bench: &mut Bench) -> anyhow::Result<()> {
    let name = "GET listings/, the last pages of a walk by next, ms p50";
    if !bench.wants(name) {
        return Ok(());
    }
    let site = bench.plan.site.address.clone();
    let path = format!("/api/v2/listings/?limit={LONG}");
    let pages = lists::pages(&site, "", &path, LONG).await?;
    ensure!(pages.len() >= 2 * ENDS, "the list is too short");
    let ours = async || load::times(&site, Of::Site, &pages[pages.len() - ENDS..]).await;
    let theirs = async || load::times(&site, Of::Site, &pages[..ENDS]).await;
    let measure = Measure::new(name, "its first pages", FLAT);
    bench.alternate(&[measure], ours, theirs).await
}

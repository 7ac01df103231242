//! `bench media`: a photo's file compared with the same file from nginx, and lists of few and of many photos.

use std::{fs, path::PathBuf};

use anyhow::ensure;
use bytes::BytesMut;
use serde::Deserialize;

use crate::{
    city::City,
    cpu::Of,
    fill::{self, Cast, SIZES},
    harness::Bench,
    lists,
    load::{self, Requests, get},
    results::Measure,
};

const FILE: &str = "GET a photo's file";
const WALK: &str = "GET photos/?listing=, a walk by next";
const FIRST: &str = "GET photos/, the first page";
/// Photos per page.
const LENGTH: usize = 20;
/// Number of requests for the first page.
const TIMES: usize = 200;
/// Number of pictures whose sizes are compared.
const SOME: usize = 40;

/// nginx: its address and the folder of its files.
#[derive(Debug, Deserialize)]
struct Nginx {
    address: String,
    folder: PathBuf,
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let database = bench.database().await?;
    Cast::prepare(&database).await?;
    if bench.wants(FILE) {
        file(bench).await?;
    }
    let names = [WALK, FIRST];
    if !names.iter().any(|name| bench.wants(name)) {
        return Ok(());
    }
    let mut sizes = Vec::new();
    for (size, _) in SIZES {
        let listing = fill::photos(&database, size).await?;
        let path = format!("/api/v2/photos/?listing={listing}&limit={LENGTH}");
        let all = lists::pages(&bench.plan.site.address, "", &path, LENGTH).await?;
        let first = vec![get(&format!("/api/v2/photos/?limit={LENGTH}")); TIMES];
        let walk = lists::relative_times(bench, WALK, &all).await?;
        sizes.push([walk, lists::relative_times(bench, FIRST, &first).await?]);
    }
    let reference = format!("at {}", SIZES[0].1);
    for (at, name) in names.into_iter().enumerate() {
        lists::compare(bench, name, &reference, [&sizes[1][at], &sizes[0][at]]);
    }
    Ok(())
}

/// Compares the site with nginx for the same file: the largest of some pictures.
async fn file(bench: &mut Bench) -> anyhow::Result<()> {
    let plan = bench.plan.clone();
    let nginx: Nginx = plan.options()?;
    let site = &plan.site.address;
    let city = City::explore(&reqwest::Client::new(), site).await?;
    let (mut largest, mut path) = (BytesMut::new(), "");
    for picture in city.pictures.iter().take(SOME) {
        let body = load::fetch(site, &get(picture)).await?.body;
        if body.len() > largest.len() {
            (largest, path) = (body, picture);
        }
    }
    fs::write(nginx.folder.join("photo.jpg"), &largest)?;
    let theirs = get("/photo.jpg");
    let same = load::fetch(&nginx.address, &theirs).await?.body;
    ensure!(same == largest, "nginx has another file");
    let [ours, theirs] = [get(path), theirs].map(|request| Requests::new([request], 200));
    let name = format!("{FILE} of {} kB", largest.len() / 1000);
    let measures = Measure::rate(&name, "nginx, same file", 0.7);
    let (turn, programs) = (plan.turn(), Of::Programs(&["nginx"]));
    let ours = async || load::rate(site, Of::Site, &ours, turn).await;
    let theirs = async || load::rate(&nginx.address, programs, &theirs, turn).await;
    bench.alternate(&measures, ours, theirs).await
}

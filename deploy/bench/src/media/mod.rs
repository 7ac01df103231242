//! `bench media`: a photo's file beside nginx with the same file, and lists of few and of many photos.

mod fill;
mod upload;

use std::fs;

use anyhow::Context;
use async_trait::async_trait;

use crate::{
    case::{Case, Sides},
    core::Results,
    cpu,
    database::Database,
    figures::{Figures, Measure, Target},
    load::{self, Connection},
    pages::{self, List, Times},
    plan::{Files, Plan},
    progress, walk,
};

/// Photos, and their number in words.
const SIZES: [(usize, &str); 2] = [(30_000, "30 thousand"), (3_000_000, "3 million")];
const FILE: &str = "GET a photo's file";
const WALK: &str = "GET photos/?listing=, a walk by next";
const FIRST: &str = "GET photos/, the first page";
/// Photos of a page.
const LENGTH: usize = 20;
/// How often the first page is requested.
const TIMES: usize = 200;

const MEASURES: &[Measure] = &[Measure {
    unit: "1/s",
    target: Target::AtLeast(0.7),
}];

pub(crate) async fn run(plan: &Plan) -> anyhow::Result<Results> {
    let mut database = Database::open(&plan.database).await?;
    let cast = database.prepare().await?;
    let is_wanted = |name: &str| {
        let only = plan.only.as_ref();
        only.is_none_or(|only| name.contains(only.as_str()))
    };
    let mut rows = Vec::new();
    if is_wanted(FILE) {
        progress(&format!("  {FILE}"));
        let path = upload::photo(plan, &mut database, cast).await?;
        rows.extend(file(plan, &path).await?.run(plan.rounds).await?);
    }
    let mut times = Vec::new();
    if is_wanted(WALK) || is_wanted(FIRST) {
        for (size, words) in SIZES {
            progress(&format!("  {words} photos"));
            let listing = fill::photos(&mut database, size).await?;
            times.push(lists(plan, listing, is_wanted).await?);
        }
    }
    if let [small, large] = times.as_slice() {
        let reference = format!("the same at {}", SIZES[0].1);
        rows.extend(pages::compare(large, small, &reference));
    }
    Ok(Results {
        postgres: database.version().await?,
        rows,
    })
}

async fn lists(
    plan: &Plan,
    listing: i64,
    is_wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Times> {
    let path = format!("/api/v2/photos/?listing={listing}&limit={LENGTH}");
    let all = walk::pages(&plan.site, None, path, LENGTH).await?;
    let first = format!("/api/v2/photos/?limit={LENGTH}");
    let first = vec![load::request("GET", &first, None, ""); TIMES];
    let lists = [(WALK, all), (FIRST, first)].into_iter();
    let lists = lists.filter(|(name, _)| is_wanted(name));
    let lists = lists.map(|(name, pages)| List { name, pages });
    Times::of(plan, lists.collect()).await
}

/// The same file on both sides.
struct File {
    plan: Plan,
    files: Files,
    ours: Vec<Vec<u8>>,
    theirs: Vec<Vec<u8>>,
}

async fn file(plan: &Plan, path: &str) -> anyhow::Result<Case> {
    let files = plan.files.clone().context("the suite needs nginx")?;
    let ours = load::request("GET", path, None, "");
    let answer = Connection::open(&plan.site)
        .await?
        .expect(&ours, 200)
        .await?;
    fs::write(files.folder.join("photo.jpg"), &answer.body)?;
    let theirs = load::request("GET", "/photo.jpg", None, "");
    let same = Connection::open(&files.address)
        .await?
        .expect(&theirs, 200)
        .await?;
    anyhow::ensure!(same.body == answer.body, "nginx has another file");
    Ok(Case {
        name: format!("{FILE} of {} kB", answer.body.len() / 1000),
        measures: MEASURES,
        sides: Box::new(File {
            plan: plan.clone(),
            files,
            ours: vec![ours],
            theirs: vec![theirs],
        }),
    })
}

#[async_trait]
impl Sides for File {
    async fn ours(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let (done, seconds) =
            load::read_for(&self.plan.site, &self.ours, 200, self.plan.turn()).await?;
        let used = cpu::since(&before, &cpu::of_site(), &[]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    async fn reference(&mut self) -> anyhow::Result<Figures> {
        let before = cpu::of_site();
        let (done, seconds) =
            load::read_for(&self.files.address, &self.theirs, 200, self.plan.turn()).await?;
        let used = cpu::since(&before, &cpu::of_site(), &["nginx"]);
        Ok(Figures::of_rate(done, seconds, used))
    }

    fn reference_name(&self) -> String {
        "nginx, the same file".to_owned()
    }
}

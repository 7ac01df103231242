//! `bench web`: the cost of a first visit on a slow phone, compared with a static page of the same HTML and
//! an empty application on the same libraries; the table goes into docs/PERFORMANCE.md.

mod figures;

use std::{fs, path::Path};

use anyhow::{Context, bail};
use servers::{
    checkout::Checkout,
    ports,
    process::{self, Output},
    progress::{self, Step},
};

use crate::{
    bench, chromium,
    database::Database,
    first_page::figures::Figures,
    nginx::Nginx,
    performance,
    server::{Build, Program, Settings},
    up::Site,
    web,
};

/// Measures this number of rounds, prints the table, and if asked writes it into the document.
pub(crate) fn bench(checkout: &Checkout, rounds: usize, is_written: bool) -> anyhow::Result<()> {
    progress::line("Measuring first visits");
    web::build(checkout)?;
    let chromium = chromium::ensure(checkout)?;
    let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
    let empty_build = folder.path().join("empty");
    build_empty(checkout, &empty_build)?;
    let step = Step::announced("Release", "building");
    let program = Program::build(checkout, Build::Release)?;
    step.done("built");

    let database = Database::private(checkout, &[])?;
    let settings = Settings {
        database: database.site(),
        site: checkout.path(Site::Guide.file()),
        data: folder.path().to_owned(),
        port: ports::free()?,
        internal_port: ports::free()?,
    };
    let step = Step::quiet("City");
    program.prepare(&settings, &checkout.log("bench-seed")?)?;
    step.done("tables and the demo city are ready");
    let step = Step::quiet("Server");
    let log = checkout.log("bench-server")?;
    let environment = bench::environment();
    let server = program.serve(&settings, &["serve"], &environment, Output::Log(&log))?;
    step.done("ready");

    let page = Nginx::start(checkout, "bench-static")?;
    let empty = Nginx::start(checkout, "bench-empty")?;
    let results = folder.path().join("results");
    let mut visits = web::npm(checkout, &["run", "bench"]);
    visits
        .env("CHROMIUM", chromium)
        .env("BASE_URL", settings.url())
        .env("STATIC_URL", page.url())
        .env("STATIC_FOLDER", page.files())
        .env("EMPTY_URL", empty.url())
        .env("EMPTY_FOLDER", empty.files())
        .env("EMPTY_BUILD", &empty_build)
        .env("BENCH_ROUNDS", rounds.to_string())
        .env("BENCH_RESULTS", &results);
    process::run("the visits", &mut visits, Output::Shown)?;
    if !server.stop() {
        bail!("the site did not stop in time and was killed");
    }

    let results = fs::read(&results).context("the visits left no results")?;
    let figures: Figures = serde_json::from_slice(&results).context("the results are not such")?;
    let table = figures.table()?;
    progress::line(&format!("\n{table}"));
    if is_written {
        performance::write(checkout, "web", &table)?;
    }
    Ok(())
}

/// Builds the empty application with the settings of the real one.
fn build_empty(checkout: &Checkout, into: &Path) -> anyhow::Result<()> {
    let step = Step::quiet("Empty app");
    let log = checkout.log("bench-empty-build")?;
    let mut vite = web::npm(
        checkout,
        &["exec", "--", "vite", "build", "bench/empty", "--outDir"],
    );
    vite.arg(into).args(["--config", "vite.config.ts"]);
    process::run("vite build bench/empty", &mut vite, Output::Log(&log))?;
    step.done("built");
    Ok(())
}

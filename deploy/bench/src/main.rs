//! Measures a site beside references on the same machine, in alternating turns: A B A B. `cargo xtask bench` prepares
//! what a suite needs, writes the [`Plan`] and has this program write the table.
//!
//! The measurements are not part of xtask because they need a runtime, a PostgreSQL client and an AMQP client; xtask is
//! built before anything else.

mod ads;
mod ads_day;
mod backup;
mod bare;
mod catalogue;
mod city;
mod core;
mod cpu;
mod database;
mod faults;
mod fill;
mod harness;
mod lists;
mod load;
mod media;
mod newsletters;
mod pgbench;
mod photos;
mod plan;
mod readers;
mod results;
mod search;
mod soak;
mod statements;
mod stream;
mod web;
mod writes;

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::bail;
use clap::Parser;

use crate::{
    harness::Bench,
    plan::{Plan, read_json},
    results::Results,
};

/// Measures a site beside references.
#[derive(Debug, Parser)]
enum Task {
    /// Runs a suite and adds its results to a file
    Measure {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// Prints the table of a suite; fails if the suite has failed
    Table {
        suite: String,
        /// The file with the results of all runs
        results: PathBuf,
        /// The document to write the table to
        document: Option<PathBuf>,
    },
    /// A reference: serves one file's bytes as JSON, and prints its port
    Bare {
        /// The bytes of every answer
        body: PathBuf,
        status: u16,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let outcome = match Task::parse() {
        Task::Measure { plan } => measure(&plan).await,
        Task::Table {
            suite,
            results,
            document,
        } => read_json::<Results>(&results).and_then(|results| {
            writeln!(std::io::stdout(), "\n{}", results.table())?;
            results.finish(&suite, document.as_deref())
        }),
        Task::Bare { body, status } => bare::serve(&body, status).await,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            progress(&format!("bench: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn measure(plan: &std::path::Path) -> anyhow::Result<()> {
    let plan: Plan = read_json(plan)?;
    let mut bench = Bench::begin(plan)?;
    let suite = bench.plan.suite.clone();
    match suite.as_str() {
        "core" => core::run(&mut bench).await?,
        "catalogue" => catalogue::run(&mut bench).await?,
        "readers" => readers::run(&mut bench).await?,
        "web" => web::run(&mut bench).await?,
        "photos" => photos::run(&mut bench).await?,
        "media" => media::run(&mut bench).await?,
        "search" => search::run(&mut bench).await?,
        "ads" => ads::run(&mut bench).await?,
        "ads-day" => ads_day::run(&mut bench).await?,
        "newsletters" => newsletters::run(&mut bench).await?,
        "backup" => backup::run(&mut bench).await?,
        "faults" => faults::run(&mut bench).await?,
        "soak" => soak::run(&mut bench).await?,
        other => bail!("there is no suite {other:?}"),
    }
    bench.end()
}

/// Prints a line of progress.
fn progress(line: &str) {
    // A closed terminal needs no progress.
    let _ = writeln!(std::io::stderr(), "{line}");
}

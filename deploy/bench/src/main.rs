//! Measures a running site against references on the same machine, in alternating turns: A B A B. `cargo
//! xtask bench` starts the site, writes the [`Plan`] and makes a table of this program's output.
//!
//! It is a crate of its own because xtask must not depend on what it needs: a runtime, a PostgreSQL and an
//! AMQP client. xtask is built before anything else can be done, so it stays lean.

mod ads;
mod ads_day;
mod bare;
mod beside;
mod case;
mod catalogue;
mod city;
mod core;
mod cpu;
mod database;
mod faults;
mod figures;
mod kinds;
mod load;
mod media;
mod newsletters;
mod pages;
mod pgbench;
mod plan;
mod rate;
mod read;
mod readers;
mod references;
mod search;
mod soak;
mod statements;
mod walk;

use std::{io::Write, path::PathBuf, process::ExitCode};

use clap::Parser;

use crate::plan::Plan;

/// Measures a running site against references.
#[derive(Debug, Parser)]
enum Task {
    /// Reads, writes and the update stream; the results are JSON on the standard output
    Core {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// Public answers that are kept, those that are not, and a walk to the end of a list
    Catalogue {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// Saved things of many readers: reads, writes, sign-ins, and known beside unknown addresses
    Readers {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// A photo's file beside nginx, and lists of photos, few and many
    Media {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// Suggestions and answers among three million documents, and the index that follows
    Search {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// The slots of a page among a thousand campaigns, the intake of events, and pages beside a flood of them
    Ads {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// A simulated day of ads, whose service is killed all the time
    AdsDay {
        /// The plan of the day, as JSON
        plan: PathBuf,
    },
    /// Issues of newsletters, beside other senders of mail
    Newsletters {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// Visitors of every kind for a long time, and the memory of the site's processes meanwhile
    Soak {
        /// The plan of the load, as JSON
        plan: PathBuf,
    },
    /// Calls with and without what they need, while a part of the site does not answer
    Faults {
        /// The plan of the measurement, as JSON
        plan: PathBuf,
    },
    /// The reference of reads: serves one file's bytes as JSON, and prints its port
    Bare {
        /// The bytes of every answer
        body: PathBuf,
        /// Its status
        status: u16,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let outcome = match Task::parse() {
        Task::Core { plan } => measure(&plan, async |plan| core::run(plan).await).await,
        Task::Catalogue { plan } => measure(&plan, async |plan| catalogue::run(plan).await).await,
        Task::Readers { plan } => measure(&plan, async |plan| readers::run(plan).await).await,
        Task::Soak { plan } => soak::run(&plan).await.and_then(|results| print(&results)),
        Task::Media { plan } => measure(&plan, async |plan| media::run(plan).await).await,
        Task::Search { plan } => measure(&plan, async |plan| search::run(plan).await).await,
        Task::Ads { plan } => measure(&plan, async |plan| ads::run(plan).await).await,
        Task::AdsDay { plan } => ads_day::run(&plan)
            .await
            .and_then(|results| print(&results)),
        Task::Newsletters { plan } => newsletters::run(&plan)
            .await
            .and_then(|results| print(&results)),
        Task::Faults { plan } => faults::run(&plan).await.and_then(|results| print(&results)),
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

async fn measure(
    plan: &std::path::Path,
    suite: impl AsyncFn(&Plan) -> anyhow::Result<core::Results>,
) -> anyhow::Result<()> {
    let plan: Plan = serde_json::from_slice(&std::fs::read(plan)?)?;
    print(&suite(&plan).await?)
}

/// Prints results, as JSON.
fn print(results: &impl serde::Serialize) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string(results)?)?;
    Ok(())
}

/// Prints a line of progress; the standard output belongs to the results.
fn progress(line: &str) {
    // Nobody is left to tell where stderr is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
}

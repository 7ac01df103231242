//! Commands for working on the project: `cargo xtask up`, `test`, `bench`, `gen`, `check`, `screenshots`.

mod advisories;
mod bench;
mod browser;
mod calls;
mod check;
mod chromium;
mod contract;
mod database;
mod demo_photos;
mod deployables;
mod first_page;
mod r#gen;
mod junit;
mod layout;
mod limits;
mod nginx;
mod performance;
mod promises;
mod queries;
mod rolling;
mod sections;
mod server;
mod split;
mod targets;
mod test;
mod tools;
mod up;
mod web;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use servers::{checkout::Checkout, interrupt, progress};

/// Works on this checkout: brings the site up, tests it, generates what is generated.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Build everything and serve the demo city on this machine
    Up(up::Arguments),
    /// Run every test, on a PostgreSQL and in a browser of its own
    Test(test::Arguments),
    /// Renew the generated files that are committed
    Gen(r#gen::Arguments),
    /// Measure the site beside references on this machine
    Bench(bench::Arguments),
    /// Run the checks that CI runs besides tests
    Check(check::Arguments),
    /// Take pictures of the demo site's pages
    Screenshots {
        /// Where the pictures go
        folder: PathBuf,
    },
}

/// Runs the command that the arguments name, and prints its failure.
#[must_use]
pub fn run() -> ExitCode {
    let task = Task::parse();
    let checkout = Checkout::here();
    let outcome = interrupt::install().and_then(|()| match task {
        Task::Up(arguments) => up::run(&checkout, &arguments),
        Task::Test(arguments) => test::run(&checkout, &arguments),
        Task::Gen(arguments) => r#gen::run(&checkout, &arguments),
        Task::Bench(arguments) => bench::run(&checkout, &arguments),
        Task::Check(arguments) => check::run(&checkout, &arguments),
        Task::Screenshots { folder } => browser::screenshots(&checkout, &folder),
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if interrupt::is_interruption(&error) => {
            progress::line("Interrupted; everything that was started is stopped.");
            ExitCode::from(130)
        }
        Err(error) => {
            progress::failure(&error);
            ExitCode::FAILURE
        }
    }
}

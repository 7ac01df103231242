//! Commands for working on the project: `cargo xtask up`, `test`, `bench`, `gen`, `check`, `screenshots`.

mod advisories;
mod bench;
mod browser;
mod calls;
mod check;
mod chromium;
mod contract;
mod database;
mod dated;
mod demo_photos;
mod deployables;
mod documents;
mod downloads;
mod r#gen;
mod junit;
mod layout;
mod limits;
mod nginx;
mod promises;
mod queries;
mod release;
mod renderings;
mod rolling;
mod rustdoc;
mod sections;
mod server;
mod split;
mod stand_ins;
mod targets;
mod test;
mod tools;
mod up;
mod web;
mod wording;

use std::{path::PathBuf, process::ExitCode};

use clap::Parser;
use servers::{checkout::Checkout, interrupt, progress};

/// Serves, tests and measures the site of this checkout, and renews generated files.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Build everything and serve the demo city on this machine
    Up(up::Arguments),
    /// Run all tests, with a separate PostgreSQL server and browser
    Test(test::Arguments),
    /// Renew the generated files that are committed
    Gen(r#gen::Arguments),
    /// Measure the site and reference programs on this machine
    Bench(bench::Arguments),
    /// Run the checks that CI runs besides tests
    Check(check::Arguments),
    /// Make everything that a version publishes, from its tag
    Release(release::Arguments),
    /// Replace every replica of the site by another version under load, and roll it back
    RollOut(rolling::Arguments),
    /// Print the crates of the program, as `CycloneDX`
    Components,
    /// Take pictures of the demo site's pages
    Screenshots {
        /// The folder for the pictures
        folder: PathBuf,
    },
}

/// Runs the command that the arguments name, and prints its failure.
#[must_use]
pub fn run() -> ExitCode {
    if let Some(outcome) = rustdoc::stand_in() {
        return outcome;
    }
    let task = Task::parse();
    let checkout = Checkout::here();
    let outcome = interrupt::install().and_then(|()| match task {
        Task::Up(arguments) => up::run(&checkout, &arguments),
        Task::Test(arguments) => test::run(&checkout, &arguments),
        Task::Gen(arguments) => r#gen::run(&checkout, &arguments),
        Task::Bench(arguments) => bench::run(&checkout, &arguments),
        Task::Check(arguments) => check::run(&checkout, &arguments),
        Task::Release(arguments) => release::run(&checkout, &arguments),
        Task::RollOut(arguments) => deployables::roll_out(&checkout, &arguments),
        Task::Components => release::of_program(&checkout, release::DEVELOPED)
            .map(|document| progress::line(document.trim_end())),
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

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    #[test]
    fn every_command_of_the_documents_is_one() {
        let checkout = Checkout::here();
        let mut known = 0;
        for document in documents::DOCUMENTS {
            let text = std::fs::read_to_string(checkout.path(document)).expect("a document");
            for arguments in documents::commands(&text, "cargo xtask ") {
                let words = std::iter::once("cargo xtask".to_owned()).chain(arguments.clone());
                // A command that a document mentions without arguments lacks its suite.
                let is_fine = |error: &clap::Error| {
                    error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                };
                if let Err(error) = Task::try_parse_from(words)
                    && !is_fine(&error)
                {
                    panic!("{document}: cargo xtask {}: {error}", arguments.join(" "));
                }
                known += 1;
            }
        }
        assert!(known > 20, "{known} commands are found");
    }

    #[test]
    fn the_workflow_of_releases_runs_commands_that_exist() {
        let workflow = Checkout::here().path(".github/workflows/release.yml");
        let workflow = std::fs::read_to_string(workflow).expect("a workflow");
        let lines = workflow.lines().map(str::trim);
        let commands: Vec<_> = lines
            .filter_map(|line| line.strip_prefix("cargo xtask "))
            .collect();
        assert_eq!(commands.len(), 2, "{commands:?}");
        for command in commands {
            // The shell replaces an array by any number of words.
            let words = command.split(' ').filter(|word| !word.contains("[@]"));
            let words = std::iter::once("cargo xtask").chain(words);
            Task::try_parse_from(words).unwrap_or_else(|error| panic!("{command}: {error}"));
        }
    }
}

//! Operators' commands, one file each.

mod accounts;
mod ads;
mod apply;
mod audit;
mod backup;
mod config;
mod consent;
mod console;
mod deadletters;
mod doctor;
mod drafts;
mod import;
mod jobs;
mod migrate;
mod newsletter;
mod operated;
mod photos;
mod ratings;
mod receipts;
mod report;
mod search;
mod serve;
mod sources;

use std::{env, path::PathBuf};

use chassis::actor::{Actor, with_actor};
use clap::{Parser, Subcommand};

use crate::{settings::Settings, targets::Target};
use console::print;

/// A city guide: one program, in one process or many.
#[derive(Debug, Parser)]
#[command(name = "cityguide", version = chassis::VERSION)]
pub struct Cli {
    /// A settings file over the documented defaults (`cityguide config defaults`).
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The operator's name for the audit log; the machine's user if absent.
    #[arg(long, global = true, value_name = "NAME")]
    operator: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the site.
    Serve {
        /// Targets to run here, separated by commas; all of them if absent.
        #[arg(long, value_delimiter = ',', value_name = "NAMES")]
        target: Vec<Target>,
    },
    /// Update the database schemas.
    Migrate,
    /// Back up the database, the pictures and the site's file, and delete old backups.
    Backup(backup::Backup),
    /// Check that a backup is complete and undamaged.
    Verify(backup::Verify),
    /// Restore a backup into an empty database.
    Restore(backup::Restore),
    /// Make a restored copy the site, which sends mail and polls sources.
    Promote,
    /// Import data from files.
    #[command(subcommand)]
    Import(import::Import),
    /// Publish a folder of content, or drafts from imports and sources.
    #[command(subcommand)]
    Content(apply::Content),
    /// List events that could not be handled, or return them to their queues.
    #[command(subcommand)]
    Deadletters(deadletters::DeadLetters),
    /// List durable jobs that have failed permanently, run them again, or delete them.
    #[command(subcommand)]
    Jobs(jobs::Jobs),
    /// List mail that could not be delivered, or send it again.
    #[command(subcommand)]
    Mail(jobs::Letters),
    /// Look up a reader's account, disable or enable it, end its sessions, or read the audit log.
    #[command(subcommand)]
    Accounts(accounts::Accounts),
    /// List bursts of readers' votes, and count or refuse them.
    #[command(subcommand)]
    Ratings(ratings::Ratings),
    /// Look at readers' photos, and publish or refuse them.
    #[command(subcommand)]
    Photos(photos::Photos),
    /// Preview, schedule and cancel issues of newsletters, and show their delivery status.
    #[command(subcommand)]
    Newsletter(newsletter::Newsletter),
    /// Show the evidence of newsletter consent, and verify its hash chain.
    #[command(subcommand)]
    Consent(consent::Consent),
    /// Store ad campaigns, show their delivery, and verify the log that proves it.
    #[command(subcommand)]
    Ads(ads::Ads),
    /// Verify erasure receipts that readers present.
    #[command(subcommand)]
    Receipts(receipts::Receipts),
    /// Rebuild the search index, or list searches without results.
    #[command(subcommand)]
    Search(search::Search),
    /// List the polled third-party feeds and calendars, or poll one of them immediately.
    Sources {
        #[command(subcommand)]
        what: Option<sources::Sources>,
    },
    /// Check whether the system could run, and print what is missing.
    Doctor {
        /// Check a running site: its addresses must be in use instead of free.
        #[arg(long)]
        running: bool,
    },
    /// Print the settings' defaults or their JSON schema.
    #[command(subcommand)]
    Config(config::Config),
    /// Print the OpenAPI document.
    Openapi,
    /// Print the table of pages, or the routes of pages with a fixed path, for the web application.
    Pages { what: PageFile },
    /// Print the table of targets, for deployments.
    Targets,
}

/// A generated module of the web application.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum PageFile {
    Table,
    Routes,
}

/// Runs a command; an error is a single line of plain text.
pub async fn run(cli: Cli) -> Result<(), String> {
    let actor = Actor::operator(&operator(cli.operator.as_deref()));
    with_actor(actor, run_command(cli)).await
}

/// Returns the given operator name, or else the machine's user, even with sudo.
fn operator(given: Option<&str>) -> String {
    let user = || {
        ["SUDO_USER", "USER", "LOGNAME"]
            .iter()
            .find_map(|name| env::var(name).ok().filter(|name| !name.is_empty()))
    };
    let name = given.map(str::to_owned).or_else(user);
    name.unwrap_or_else(|| "unknown".to_owned())
}

async fn run_command(cli: Cli) -> Result<(), String> {
    let load = || Settings::load(cli.config.as_deref()).map_err(|fault| fault.message);
    match cli.command {
        Command::Serve { target } => serve::serve(&load()?, &target).await,
        Command::Migrate => migrate::migrate(&load()?).await,
        Command::Backup(what) => backup::backup(&load()?, what).await,
        Command::Verify(what) => backup::verify(&load()?, what).await,
        Command::Restore(what) => backup::restore(&load()?, what).await,
        Command::Promote => backup::promote(&load()?).await,
        Command::Import(import) => import::import(&load()?, import).await,
        Command::Content(content) => apply::content(&load()?, content).await,
        Command::Deadletters(what) => deadletters::deadletters(&load()?, what).await,
        Command::Jobs(what) => jobs::jobs(&load()?, what).await,
        Command::Mail(what) => jobs::jobs(&load()?, what.into()).await,
        Command::Accounts(what) => accounts::accounts(&load()?, what).await,
        Command::Ratings(what) => ratings::ratings(&load()?, what).await,
        Command::Photos(what) => photos::photos(&load()?, what).await,
        Command::Newsletter(what) => newsletter::newsletter(&load()?, what).await,
        Command::Consent(what) => consent::consent(&load()?, what).await,
        Command::Ads(what) => ads::ads(&load()?, what).await,
        Command::Receipts(what) => receipts::receipts(&load()?, what).await,
        Command::Search(what) => search::search(&load()?, what).await,
        Command::Sources { what } => sources::sources(&load()?, what).await,
        Command::Doctor { running } => doctor::doctor(&load()?, running).await,
        Command::Config(config) => config::config(config),
        Command::Openapi => {
            let text = gateway::openapi()
                .to_pretty_json()
                .map_err(|error| error.to_string())?;
            print(&text)
        }
        Command::Targets => {
            let targets: Vec<_> = Target::ALL.iter().map(|target| target.wiring()).collect();
            let text = serde_json::to_string_pretty(&targets).map_err(|error| error.to_string())?;
            print(&text)
        }
        Command::Pages { what } => print(&match what {
            PageFile::Table => gateway::page_table(),
            PageFile::Routes => gateway::fixed_routes(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_command_of_the_documents_is_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut known = 0;
        for document in ["README.md", "docs/PUBLISHING.md", "docs/OPERATIONS.md"] {
            let text = std::fs::read_to_string(root.join(document)).expect("a document");
            let commands = text.lines().filter_map(|line| line.strip_prefix("$ "));
            for command in commands.filter(|line| line.starts_with("cityguide ")) {
                let command = command.split('#').next().unwrap_or(command);
                if let Err(error) = Cli::try_parse_from(command.split_whitespace()) {
                    panic!("{document}: {command}: {error}");
                }
                known += 1;
            }
        }
        assert!(known > 10, "{known} commands are found");
    }
}

//! Suites that send requests as fast as the site answers, beside references.

use std::{fs, path::PathBuf};

use anyhow::bail;
use serde_json::json;
use servers::{apt, checkout::Checkout, progress};

use super::{
    Arguments,
    site::{Site, Stage, Topology, settings_of_a_bench},
};
use crate::{
    nginx::Nginx,
    performance::{self, Measured, Results},
    split::Split,
};

/// Suites of the crate `bench`, which sends requests as fast as the site answers.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
pub(super) enum Calls {
    /// A page of places, a signed-in read, both writes of a favourite, a write's delivery to another device
    Core,
    /// Public answers that gateways keep, answers that they do not keep, and a walk to the end of a long list
    Catalogue,
    /// Saved things of 100,000 readers: maps, lists, toggles of each kind, votes, sign-ins; known and unknown addresses
    Readers,
    /// A photo's file beside nginx, and lists of 30 thousand and 3 million photos
    Media,
    /// Suggestions and answers of the search among 3 million documents, and the index that follows changes
    Search,
    /// `Suite::Ads` without its day.
    #[command(skip)]
    Ads,
}

impl Calls {
    fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Catalogue => "catalogue",
            Self::Readers => "readers",
            Self::Media => "media",
            Self::Search => "search",
            Self::Ads => "ads",
        }
    }

    /// Places added to the demo city's: enough that no list fits into one page of an index, or ten times as
    /// many.
    fn places(self) -> u32 {
        match self {
            Self::Core | Self::Readers | Self::Media | Self::Search => 30_000,
            Self::Ads => 1_000,
            Self::Catalogue => 300_000,
        }
    }

    /// The gateways to measure: true for one that keeps public answers, false for one that computes each.
    fn keeping(self) -> &'static [bool] {
        match self {
            Self::Core | Self::Readers | Self::Media => &[false],
            Self::Catalogue | Self::Search | Self::Ads => &[true, false],
        }
    }

    /// The settings of a site that is measured.
    fn settings(self, keeps: bool) -> Vec<(String, String)> {
        let mut all = settings_of_a_bench(keeps);
        if matches!(self, Self::Ads) && keeps {
            // Pages beside a flood, which meets the limit that a site has.
            all.retain(|(name, _)| !name.ends_with("__AD_EVENTS"));
        }
        all
    }
}

/// Measures a suite in both topologies, prints its table, and if asked writes it into the document.
pub(super) fn bench(
    checkout: &Checkout,
    suite: Calls,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    if arguments.write && (arguments.only.is_some() || arguments.topology.is_some()) {
        bail!("--write wants the whole table: leave out --only and --topology");
    }
    progress::line("Measuring the site");
    let pgbench = pgbench(checkout)?;
    let stage = Stage::prepare(checkout, suite.places())?;
    let nginx = match suite {
        Calls::Media => Some(Nginx::start(checkout, "bench-nginx")?),
        _ => None,
    };
    let files = nginx.as_ref().map(|nginx| {
        let address = nginx.url().trim_start_matches("http://").to_owned();
        json!({"address": address, "folder": nginx.files()})
    });
    let (program, environment) = stage.program();
    let mut measured = Vec::new();
    for topology in [Topology::One, Topology::Many] {
        if arguments.topology.is_some_and(|only| only != topology) {
            continue;
        }
        let plan = |site: &Site, keeps: bool| {
            let (here, other) = site.addresses();
            json!({
                "site": here,
                "other": other,
                "database": stage.settings.database,
                "bus": site.bus(),
                "gateways": gateways(site),
                "pgbench": pgbench,
                "checkout": checkout.root,
                "rounds": arguments.rounds,
                "seconds": arguments.seconds,
                "keeps": keeps,
                "files": files,
                "operator": {"program": program, "environment": environment},
                "only": arguments.only,
            })
        };
        progress::heading(topology.name());
        let mut all: Option<Results> = None;
        for keeps in suite.keeping() {
            let environment = |_: &str| suite.settings(*keeps);
            let results: Results = stage.with_site(topology, environment, |site| {
                stage.measure(suite.name(), &plan(site, *keeps))
            })?;
            match &mut all {
                Some(all) => all.add(results),
                None => all = Some(results),
            }
        }
        if let Some(results) = all {
            measured.push(Measured {
                topology: topology.name(),
                results,
            });
        }
    }
    let table = performance::table(&measured, arguments.rounds, arguments.seconds);
    progress::line(&format!("\n{table}"));
    if arguments.write {
        performance::write(checkout, suite.name(), &table)?;
    }
    Ok(())
}

/// The internal addresses of gateways that are processes of their own.
fn gateways(site: &Site) -> Vec<String> {
    let members = site.split().map(Split::members).unwrap_or_default();
    let gateways = members
        .iter()
        .filter(|member| member.name.starts_with("gateway"));
    gateways.map(|member| member.server.internal()).collect()
}

fn pgbench(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    apt::ensure(checkout, "postgresql-contrib", "", || {
        // Debian's wrapper on the path is a script; the program itself is beside the server.
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
        let mut found: Vec<PathBuf> = versions
            .filter_map(|version| Some(version.ok()?.path().join("bin/pgbench")))
            .filter(|program| program.is_file())
            .collect();
        found.sort();
        found.pop().or_else(|| apt::on_path(&["pgbench"]))
    })
}

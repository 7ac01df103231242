//! Issues of newsletters beside other senders of mail, and what is left of one whose sender is killed.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf, process::Command};

use anyhow::Context;
use serde::Deserialize;
use serde_json::json;
use servers::{
    apt,
    checkout::Checkout,
    ports,
    process::{self, Output},
    progress::{self, Step},
};

use super::{Arguments, site::Stage};
use crate::performance::{self, median};

/// The ratio to `smtp-source` to reach.
const REACH: f64 = 0.3;
/// The most that memory for many readers may be of that for few.
const FLAT: f64 = 1.1;
const SCRIPTS: [&str; 5] = [
    "keys.mjs",
    "nodemailer.mjs",
    "package.json",
    "package-lock.json",
    "sink.mjs",
];

/// The sizes of a run.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Sizes {
    /// Readers of the issue whose speed is measured
    #[arg(long, default_value_t = 10_000)]
    readers: u32,
    /// Readers of the larger issue whose memory is measured
    #[arg(long, default_value_t = 1_000_000)]
    many: u32,
    /// How often the sender of an issue for twice as many readers is killed
    #[arg(long, default_value_t = 200)]
    kills: u32,
}

/// The output of the crate `bench`.
#[derive(Debug, Deserialize)]
struct Results {
    senders: Vec<Sender>,
    memory: Vec<Memory>,
    kills: Option<Killed>,
}

#[derive(Debug, Deserialize)]
struct Sender {
    name: String,
    is_ours: bool,
    rates: Vec<f64>,
}

#[derive(Debug, Deserialize)]
struct Memory {
    readers: u64,
    peak: f64,
    chosen: f64,
    sent: f64,
}

#[derive(Debug, Deserialize)]
struct Killed {
    readers: u64,
    kills: u64,
    before: u64,
    accepted: u64,
    refused: u64,
    deferred: u64,
    dropped: u64,
    twice: u64,
    most_twice: u64,
}

/// Measures, prints the tables, and if asked writes them into the document.
pub(super) fn bench(
    checkout: &Checkout,
    sizes: Sizes,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    let (sink, source) = (
        postfix(checkout, "smtp-sink")?,
        postfix(checkout, "smtp-source")?,
    );
    let scripts = scripts(checkout)?;
    let stage = Stage::prepare(checkout, 0)?;
    let (program, environment) = stage.program();
    let environment: BTreeMap<_, _> = environment.into_iter().collect();
    let plan = json!({
        "database": stage.settings.database,
        "program": program,
        "environment": environment,
        "internal_port": stage.settings.internal_port,
        "mail_port": ports::free()?,
        "scripts": scripts,
        "postfix": {"sink": sink, "source": source},
        "rounds": arguments.rounds,
        "readers": sizes.readers,
        "many": sizes.many,
        "kills": sizes.kills,
    });
    let results: Results = stage.measure("newsletters", &plan)?;
    let text = table(&results, arguments.rounds)?;
    progress::line(&format!("\n{text}"));
    if arguments.write {
        performance::write(checkout, "newsletters", &text)?;
    }
    Ok(())
}

/// A program of Postfix's, which has no server of its own here.
fn postfix(checkout: &Checkout, name: &'static str) -> anyhow::Result<PathBuf> {
    let find = || {
        let folder = PathBuf::from("/usr/sbin").join(name);
        apt::on_path(&[name]).or_else(|| folder.is_file().then_some(folder))
    };
    apt::ensure(checkout, "postfix", "", find)
}

/// The folder of the scripts, with the packages that they need and new keys.
fn scripts(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    let step = Step::quiet("nodemailer");
    let folder = checkout.kept().join("bench-mail");
    fs::create_dir_all(&folder)?;
    for name in SCRIPTS {
        fs::copy(
            checkout.path("deploy/bench/mail").join(name),
            folder.join(name),
        )?;
    }
    let log = checkout.log("bench-mail")?;
    let mut install = Command::new("npm");
    install.args(["ci", "--no-audit", "--no-fund"]);
    process::run("npm ci", install.current_dir(&folder), Output::Log(&log))?;
    let mut keys = Command::new("node");
    process::run(
        "keys",
        keys.arg("keys.mjs").current_dir(&folder),
        Output::Log(&log),
    )?;
    step.done("installed");
    Ok(folder)
}

fn table(results: &Results, rounds: usize) -> anyhow::Result<String> {
    let reference = results
        .senders
        .iter()
        .find(|one| one.name.starts_with("smtp-source"));
    let reference = reference.context("there is no reference")?;
    let mut text = format!(
        "{}; {rounds} rounds, eight connections each.\n\n\
         | sender | letters/s | ratio to smtp-source | of each round | reach | |\n|---|--:|--:|---|--:|---|\n",
        performance::machine()
    );
    for sender in &results.senders {
        let pairs = sender.rates.iter().zip(&reference.rates);
        let ratios: Vec<_> = pairs.map(|(ours, theirs)| ours / theirs).collect();
        let each: Vec<_> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
        let ratio = median(ratios.iter().copied())?;
        let (reach, is_met) = match sender.is_ours {
            true if ratio >= REACH => ("≥ 0.3×", "met"),
            true => ("≥ 0.3×", "**missed**"),
            false => ("", ""),
        };
        let _ = writeln!(
            text,
            "| {} | {:.0} | **{ratio:.2}** | {} | {reach} | {is_met} |",
            sender.name,
            median(sender.rates.iter().copied())?,
            each.join(" "),
        );
    }
    memory(&mut text, &results.memory)?;
    if let Some(kills) = &results.kills {
        let Killed {
            readers,
            kills,
            before,
            accepted,
            refused,
            deferred,
            dropped,
            twice,
            most_twice,
        } = kills;
        let _ = write!(
            text,
            "\nThe sender of an issue for {readers} readers was killed {kills} times, while the server wanted {deferred} \
             letters later, closed {dropped} connections instead of answering and refused {refused} letters. {before} were \
             taken until the last kill, {accepted} in the end. {twice} came twice (at most {most_twice} may). For each \
             recipient the ledger has what the server's log has.\n"
        );
    }
    Ok(text)
}

fn memory(text: &mut String, rows: &[Memory]) -> anyhow::Result<()> {
    text.push_str(
        "\n| readers of an issue | MiB at most | ratio | reach | | chosen per second | letters/s, rendered and sent |\n\
         |--:|--:|--:|--:|---|--:|--:|\n",
    );
    let few = rows.first().context("there is no memory")?.peak;
    for Memory {
        readers,
        peak,
        chosen,
        sent,
    } in rows
    {
        let ratio = peak / few;
        let is_met = if ratio <= FLAT { "met" } else { "**missed**" };
        let _ = writeln!(
            text,
            "| {readers} | {peak:.1} | **{ratio:.2}** | ≤ {FLAT}× | {is_met} | {chosen:.0} | {sent:.0} |"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_compares_each_round_with_the_reference_of_the_same_round() {
        let results = serde_json::from_value(json!({
            "senders": [
                {"name": "an issue", "is_ours": true, "rates": [40.0, 20.0, 30.0]},
                {"name": "smtp-source", "is_ours": false, "rates": [100.0, 100.0, 100.0]},
            ],
            "memory": [
                {"readers": 10, "peak": 50.0, "chosen": 7.0, "sent": 5.0},
                {"readers": 1000, "peak": 56.0, "chosen": 7.0, "sent": 5.0},
            ],
            "kills": null,
        }));
        let table = table(&results.expect("results"), 3).expect("a table");
        for line in [
            "| an issue | 30 | **0.30** | 0.40 0.20 0.30 | ≥ 0.3× | met |\n",
            "| smtp-source | 100 | **1.00** | 1.00 1.00 1.00 |  |  |\n",
            "| 10 | 50.0 | **1.00** | ≤ 1.1× | met | 7 | 5 |\n",
            "| 1000 | 56.0 | **1.12** | ≤ 1.1× | **missed** | 7 | 5 |\n",
        ] {
            assert!(table.contains(line), "{line}: {table}");
        }
    }
}

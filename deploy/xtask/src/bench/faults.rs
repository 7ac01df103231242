//! `bench faults`: the site in many processes while one of them, or a server behind them, does not answer: calls that
//! do not need it beside the same calls without the fault, and the times of those that do.

use std::{collections::BTreeMap, fmt::Write as _, process::Command};

use anyhow::{Context, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use servers::{checkout::Checkout, progress};

use super::{
    Arguments,
    site::{Site, Stage, Topology},
};
use crate::{limits, performance, split::Split};

/// Places beside the demo city's: enough that a reader saves another one each time.
const PLACES: u32 = 5_000;
/// The gateway whose answers are computed for each request; the other keeps public answers.
const COMPUTING: &str = "gateway";
/// Free bytes that no disk has: the broker's alarm goes off.
const NO_SPACE: &str = "1000000000000000";
/// RabbitMQ's default.
const SPACE: &str = "50000000";

/// The output of the crate `bench`.
#[derive(Debug, Deserialize)]
struct Results {
    postgres: String,
    apart: Vec<Apart>,
    needed: Vec<Needed>,
}

/// A call that does not need what is faulty.
#[derive(Debug, Deserialize)]
struct Apart {
    fault: String,
    call: String,
    undisturbed: f64,
    disturbed: f64,
    ratios: Vec<f64>,
    ratio: f64,
    failed: u64,
    reach: String,
    is_met: bool,
}

/// A call that does.
#[derive(Debug, Deserialize)]
struct Needed {
    fault: String,
    call: String,
    statuses: Vec<u16>,
    answered: Option<Bounded>,
    spared: Option<Bounded>,
    recovered: Bounded,
}

/// A time and its bound.
#[derive(Debug, Deserialize)]
struct Bounded {
    milliseconds: f64,
    reach: String,
    is_met: bool,
}

/// Measures all faults, prints the table, and if asked writes it into the document.
pub(super) fn bench(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.write && arguments.only.is_some() {
        bail!("--write wants the whole table: leave out --only");
    }
    progress::line("Measuring faults");
    let stage = Stage::prepare(checkout, PLACES)?;
    let results: Results = stage.with_site(Topology::Many, environment, |site| {
        let plan = plan(&stage, site, arguments)?;
        stage.measure("faults", &plan)
    })?;
    let table = table(&results, arguments.rounds, arguments.seconds);
    progress::line(&format!("\n{table}"));
    if arguments.write {
        performance::write(checkout, "faults", &table)?;
    }
    Ok(())
}

/// One machine acts for many readers; calls have the time that they have on a real site.
fn environment(name: &str) -> Vec<(String, String)> {
    let mut all = limits::rates_lifted();
    if name == COMPUTING {
        let nothing = ("CITYGUIDE__PUBLIC_CACHE__MAX_BYTES", "0");
        all.push((nothing.0.to_owned(), nothing.1.to_owned()));
    }
    all
}

fn plan(stage: &Stage<'_>, site: &Site, arguments: &Arguments) -> anyhow::Result<Value> {
    let split = site.split().context("the site is one process")?;
    let (computing, keeping) = site.addresses();
    let internal = split
        .members()
        .iter()
        .find(|member| member.name == COMPUTING)
        .map(|member| member.server.internal());
    Ok(json!({
        "site": computing,
        "keeping": keeping,
        "internal": internal,
        "database": stage.settings.database,
        "faults": faults(stage, split)?,
        "rounds": arguments.rounds,
        "seconds": arguments.seconds,
        "only": arguments.only,
    }))
}

fn faults(stage: &Stage<'_>, split: &Split) -> anyhow::Result<Vec<Value>> {
    let services = split.members().iter().filter(|member| member.rpc.is_some());
    let mut all: Vec<_> = services
        .map(|member| {
            let how = json!({"stop": member.server.id()});
            fault(&format!("{} stopped", member.name), &member.name, &how)
        })
        .collect();
    let postgres = stage.database.process();
    let postgres = postgres.context("faults wants a PostgreSQL of its own")?;
    let how = json!({"stop": postgres});
    all.push(fault("PostgreSQL silent", "postgres", &how));
    let rabbitmq = split.rabbitmq.as_ref();
    let rabbitmq = rabbitmq.context("faults wants a RabbitMQ of its own: unset AMQP_URL")?;
    let limit = |bytes: &str| {
        let mut control = rabbitmq.control();
        command(control.args(["set_disk_free_limit", bytes]))
    };
    let how = json!({"run": {"begin": limit(NO_SPACE), "end": limit(SPACE)}});
    all.push(fault("RabbitMQ under alarm", "rabbitmq", &how));
    let address = split.cache.trim_start_matches("redis://");
    let address = address.split('/').next();
    let how = json!({"send": {"address": address, "line": "FLUSHALL"}});
    all.push(fault("Redis flushed", "redis", &how));
    Ok(all)
}

fn fault(name: &str, key: &str, how: &Value) -> Value {
    json!({"name": name, "key": key, "how": how})
}

/// A command as the plan has it.
fn command(command: &Command) -> Value {
    let environment: BTreeMap<_, _> = command
        .get_envs()
        .filter_map(|(key, value)| Some((key.to_str()?, value?.to_str()?)))
        .collect();
    let arguments: Vec<_> = command.get_args().filter_map(|one| one.to_str()).collect();
    json!({
        "program": command.get_program().to_str(),
        "arguments": arguments,
        "environment": environment,
    })
}

fn table(results: &Results, rounds: usize, seconds: u64) -> String {
    let mut text = format!(
        "{}; PostgreSQL {}; {rounds} rounds of {seconds} s a side.\n\n\
         | fault | call that does not need it | with it, 1/s | without, 1/s | ratio | of each round | reach | |\n\
         |---|---|--:|--:|--:|---|--:|---|\n",
        performance::machine(),
        results.postgres,
    );
    for row in &results.apart {
        let ratios: Vec<_> = row.ratios.iter().map(|one| format!("{one:.2}")).collect();
        let failed = if row.failed == 0 {
            String::new()
        } else {
            format!(", {} failed", row.failed)
        };
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {:.0} | **{:.2}** | {} | {} | {}{failed} |",
            row.fault,
            row.call,
            row.disturbed,
            row.undisturbed,
            row.ratio,
            ratios.join(" "),
            row.reach,
            verdict(row.is_met),
        );
    }
    text.push_str(
        "\n| fault | call that needs it | answers | longest time, ms | p99 while left alone, ms | recovery, ms |\n\
         |---|---|---|---|---|---|\n",
    );
    for row in &results.needed {
        let statuses: Vec<_> = row.statuses.iter().map(u16::to_string).collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.fault,
            row.call,
            statuses.join(", "),
            bounded(row.answered.as_ref()),
            bounded(row.spared.as_ref()),
            bounded(Some(&row.recovered)),
        );
    }
    text
}

/// A time with its bound.
fn bounded(time: Option<&Bounded>) -> String {
    time.map_or_else(String::new, |time| {
        let figure = if time.milliseconds < 100.0 {
            format!("{:.1}", time.milliseconds)
        } else {
            format!("{:.0}", time.milliseconds)
        };
        let reach = time.reach.trim_end_matches('×');
        format!("**{figure}**, {reach}: {}", verdict(time.is_met))
    })
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**missed**" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_ratios_times_and_their_bounds() {
        let results = r#"{"postgres":"18.4","apart":[{"fault":"places stopped","call":"a page","undisturbed":100.0,
            "disturbed":80.0,"ratios":[0.8],"ratio":0.8,"failed":2,"reach":"≥ 0.9×","is_met":false}],
            "needed":[{"fault":"places stopped","call":"a list","statuses":[503],
            "answered":{"milliseconds":1003.2,"reach":"≤ 1100×","is_met":true},
            "spared":{"milliseconds":0.84,"reach":"≤ 50×","is_met":true},
            "recovered":{"milliseconds":2101.0,"reach":"≤ 2000×","is_met":false}},
            {"fault":"RabbitMQ under alarm","call":"events","statuses":[],"answered":null,"spared":null,
            "recovered":{"milliseconds":12.0,"reach":"≤ 30000×","is_met":true}}]}"#;
        let table = table(&serde_json::from_str(results).unwrap(), 5, 3);
        for line in [
            "| places stopped | a page | 80 | 100 | **0.80** | 0.80 | ≥ 0.9× | **missed**, 2 failed |\n",
            "| places stopped | a list | 503 | **1003**, ≤ 1100: met | **0.8**, ≤ 50: met | **2101**, ≤ 2000: **missed** |\n",
            "| RabbitMQ under alarm | events |  |  |  | **12.0**, ≤ 30000: met |\n",
        ] {
            assert!(table.contains(line), "{line}{table}");
        }
    }

    #[test]
    fn a_command_is_told_with_its_arguments_and_environment() {
        let mut control = Command::new("control");
        control.arg("limit").env("NODE", "a");
        let expected =
            json!({"program": "control", "arguments": ["limit"], "environment": {"NODE": "a"}});
        assert_eq!(command(&control), expected);
    }
}

//! `bench soak`: a modest load of every kind of visitor, hostile ones among them, and the memory of the site's
//! processes meanwhile. Nobody reads `/metrics` before the end.

use std::{collections::BTreeMap, fmt::Write as _};

use anyhow::ensure;
use serde::Deserialize;
use serde_json::json;
use servers::{checkout::Checkout, progress};

use super::site::{Site, Stage, Topology};
use crate::performance;

/// Places beside the demo city's.
const PLACES: u32 = 3_000;
/// The most that memory at the end may be of that at the beginning, as the table has it.
const REACH: &str = "≤ 1.10×";

/// Limits are those of a real site. Each visitor has an address of its own, which the load's proxy tells; caches have
/// room for what the first minutes ask for, so that from then on they are full. Reads may wait for as long as other
/// calls, because other programs may compile on this machine meanwhile.
const SETTINGS: [(&str, &str); 5] = [
    ("CITYGUIDE__HTTP__TRUSTED_PROXIES", r#"["127.0.0.0/8"]"#),
    ("CITYGUIDE__PUBLIC_CACHE__MAX_BYTES", "16777216"),
    ("CITYGUIDE__CACHE__MAX_BYTES", "524288"),
    ("CITYGUIDE__DATABASE__ACQUIRE_TIMEOUT_SECONDS", "5"),
    ("CITYGUIDE__RPC__READ_TIMEOUT_MILLISECONDS", "5000"),
];

/// The output of the crate `bench`.
#[derive(Debug, Deserialize)]
struct Results {
    rate: f64,
    processes: Vec<Process>,
    expositions: Vec<Exposition>,
    kinds: Vec<Kind>,
    unexpected: u64,
    examples: Vec<String>,
}

/// A process's memory, MiB.
#[derive(Debug, Deserialize)]
struct Process {
    name: String,
    first: f64,
    last: f64,
    ratio: f64,
    is_met: bool,
    anonymous_first: f64,
    anonymous_last: f64,
}

/// A process's page of metrics.
#[derive(Debug, Deserialize)]
struct Exposition {
    name: String,
    bytes: usize,
    series: usize,
}

/// The answers to one kind of visitor, by status.
#[derive(Debug, Deserialize)]
struct Kind {
    kind: String,
    statuses: BTreeMap<String, u64>,
}

/// Visits a site for this number of minutes; fails if memory grows beyond the reach, if an answer is not as it should
/// be, or if a process ends.
pub(super) fn bench(
    checkout: &Checkout,
    topology: Topology,
    minutes: u64,
    rate: u32,
    is_written: bool,
) -> anyhow::Result<()> {
    ensure!(minutes > 0 && rate > 0, "there must be some load");
    progress::line("Soaking the site");
    let stage = Stage::prepare(checkout, PLACES)?;
    let environment = |_: &str| {
        SETTINGS
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .to_vec()
    };
    let results: Results = stage.with_site(topology, environment, |site| {
        stage.measure("soak", &plan(site, minutes, rate))
    })?;
    let table = table(&results, topology, minutes);
    progress::line(&format!("\n{table}"));
    require(&results)?;
    if is_written {
        performance::write(checkout, "soak", &table)?;
    }
    Ok(())
}

fn plan(site: &Site, minutes: u64, rate: u32) -> serde_json::Value {
    let processes = site.processes();
    let internal: Vec<_> = processes
        .iter()
        .map(|(_, server, _)| server.internal())
        .collect();
    let rpc: Vec<_> = processes.iter().filter_map(|(_, _, rpc)| *rpc).collect();
    let watched: Vec<_> = processes
        .iter()
        .map(|(name, server, _)| json!({"name": name, "id": server.id(), "internal": server.internal()}))
        .collect();
    json!({
        "site": site.addresses().0,
        "internal": internal,
        "rpc": rpc,
        "processes": watched,
        "minutes": minutes,
        "rate": rate,
    })
}

fn require(results: &Results) -> anyhow::Result<()> {
    for Process {
        name,
        ratio,
        is_met,
        ..
    } in &results.processes
    {
        ensure!(
            *is_met,
            "the memory of {name} has grown to {ratio:.2} times what it was"
        );
    }
    ensure!(
        results.unexpected == 0,
        "{} answers were not as they should be:\n{}",
        results.unexpected,
        results.examples.join("\n")
    );
    Ok(())
}

fn table(results: &Results, topology: Topology, minutes: u64) -> String {
    let mut text = format!(
        "{}; {}; {minutes} minutes, {:.0} requests/s.\n\n\
         | process | first sixth of the time, MiB | last sixth | ratio | reach | | anonymous, first : last |\n\
         |---|--:|--:|--:|--:|---|---|\n",
        performance::machine(),
        topology.name(),
        results.rate
    );
    for process in &results.processes {
        let _ = writeln!(
            text,
            "| {} | {:.1} | {:.1} | **{:.2}** | {REACH} | {} | {:.1} : {:.1} |",
            process.name,
            process.first,
            process.last,
            process.ratio,
            if process.is_met { "met" } else { "**missed**" },
            process.anonymous_first,
            process.anonymous_last,
        );
    }
    text.push_str("\nThe page of metrics, read once after that:\n\n");
    for Exposition {
        name,
        bytes,
        series,
    } in &results.expositions
    {
        let _ = writeln!(text, "- {name}: {bytes} bytes, {series} series");
    }
    text.push_str("\n| visitors | answers by status |\n|---|---|\n");
    for Kind { kind, statuses } in &results.kinds {
        let each: Vec<_> = statuses
            .iter()
            .map(|(status, number)| format!("{status}: {number}"))
            .collect();
        let _ = writeln!(text, "| {kind} | {} |", each.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(ratio: f64, unexpected: u64) -> Results {
        let text = format!(
            r#"{{"rate":300.4,"processes":[{{"name":"cityguide","first":100.0,"last":104.0,"ratio":{ratio},
            "is_met":{},"anonymous_first":70.0,"anonymous_last":74.0}}],
            "expositions":[{{"name":"cityguide","bytes":9000,"series":120}}],
            "kinds":[{{"kind":"pages","statuses":{{"200":7,"404":1}}}}],
            "unexpected":{unexpected},"examples":["pages: / was answered 503"]}}"#,
            ratio <= 1.1
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn growth_and_unexpected_answers_fail_the_suite() {
        assert!(require(&results(1.04, 0)).is_ok());
        let grown = require(&results(1.2, 0)).unwrap_err().to_string();
        assert!(
            grown.contains("cityguide") && grown.contains("1.20"),
            "{grown}"
        );
        let unexpected = require(&results(1.04, 1)).unwrap_err().to_string();
        assert!(unexpected.contains("answered 503"), "{unexpected}");
    }

    #[test]
    fn the_table_has_memory_series_and_answers() {
        let table = table(&results(1.04, 0), Topology::One, 60);
        for line in [
            "; one process; 60 minutes, 300 requests/s.\n",
            "| cityguide | 100.0 | 104.0 | **1.04** | ≤ 1.10× | met | 70.0 : 74.0 |\n",
            "- cityguide: 9000 bytes, 120 series\n",
            "| pages | 200: 7, 404: 1 |\n",
        ] {
            assert!(table.contains(line), "{line}: {table}");
        }
    }
}

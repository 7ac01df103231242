//! A reference: pgbench runs only the statements.

use std::fs;

use anyhow::{Context, ensure};
use tokio::process::Command;

use crate::{
    cpu::{self, Of},
    harness::Turn,
    load::CONNECTIONS,
    plan::Plan,
};

/// The reference's name in the table of results.
pub(crate) const PGBENCH: &str = "pgbench";

/// A script, and the schemas that it uses, in search order.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    schemas: &'static str,
    text: String,
    /// Number of site requests that one run of the script represents.
    requests: u32,
}

impl Script {
    pub(crate) fn new(schemas: &'static str, text: String, requests: u32) -> Self {
        Self {
            schemas,
            text,
            requests,
        }
    }
}

/// Runs a script as often as possible for one turn. `:n` counts a client's transactions from 0.
pub(crate) async fn rate(plan: &Plan, script: &Script) -> anyhow::Result<Turn> {
    let file = std::env::temp_dir().join(format!("cityguide-pgbench-{}.sql", std::process::id()));
    fs::write(&file, format!("{}\\set n :n + 1\n", script.text))?;
    let (clients, seconds) = (CONNECTIONS.to_string(), plan.seconds.to_string());
    let mut command = Command::new(&plan.site.pgbench);
    command
        .args([
            "--no-vacuum",
            "--protocol=prepared",
            "--jobs=1",
            "--define=n=0",
        ])
        .args(["--client", &clients, "--time", &seconds, "--file"])
        .arg(&file)
        .arg(&plan.site.database)
        .env(
            "PGOPTIONS",
            format!("-c search_path={},extensions", script.schemas),
        );
    let work = async { command.output().await.context("pgbench cannot be run") };
    let done = cpu::during(Of::Programs(&["postgres"]), work).await;
    fs::remove_file(&file)?;
    let (output, used) = done?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_well = output.status.success() && !errors.contains("ERROR");
    ensure!(is_well, "pgbench failed: {errors}{text}");
    let (done, rate) = read(&text).with_context(|| format!("pgbench printed: {text}"))?;
    let mut turn = Turn::rate(done * u64::from(script.requests), 1.0, used);
    turn.values = vec![rate * f64::from(script.requests)];
    Ok(turn)
}

/// Returns the number of transactions, and their rate per second.
fn read(text: &str) -> Option<(u64, f64)> {
    let after = |begin: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(begin))?;
        line.split([' ', '/']).next()
    };
    let done = after("number of transactions actually processed: ")?;
    Some((done.parse().ok()?, after("tps = ")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_pgbench_is_read() {
        let text = "scaling factor: 1\nnumber of transactions actually processed: 420/420\n\
                    tps = 140.25 (without initial connection time)\n";
        assert_eq!(read(text), Some((420, 140.25)));
        assert_eq!(read("tps = 1"), None);
    }
}

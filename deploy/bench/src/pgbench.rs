//! pgbench: the same statements with nothing around them.

use std::{fs, process::Command};

use anyhow::{Context, bail};

use crate::{cpu, figures::Figures, load::CONNECTIONS, plan::Plan};

/// A script, and the schemas that it uses, in the order in which they are searched.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) schema: &'static str,
    pub(crate) text: String,
    /// The site's requests that one run of the text stands for.
    pub(crate) requests: u32,
}

/// Runs a script as often as possible for one turn. `:n` counts a client's transactions from 0.
pub(crate) fn run(plan: &Plan, script: &Script) -> anyhow::Result<Figures> {
    let file = std::env::temp_dir().join(format!("cityguide-pgbench-{}.sql", std::process::id()));
    fs::write(&file, format!("{}\\set n :n + 1\n", script.text))?;
    let clients = CONNECTIONS.to_string();
    let mut command = Command::new(&plan.pgbench);
    command
        .args([
            "--no-vacuum",
            "--protocol=prepared",
            "--jobs=1",
            "--define=n=0",
        ])
        .args(["--client", &clients, "--time", &plan.seconds.to_string()])
        .arg("--file")
        .arg(&file)
        .arg(&plan.database)
        .env(
            "PGOPTIONS",
            format!("-c search_path={},extensions", script.schema),
        );
    let before = cpu::of_site();
    let output = command.output().context("pgbench cannot be run");
    let used = cpu::since(&before, &cpu::of_site(), &["postgres"]);
    fs::remove_file(&file)?;
    let output = output?;
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || complaints.contains("ERROR") {
        bail!("pgbench failed: {complaints}{said}");
    }
    let (done, rate) = read(&said).with_context(|| format!("pgbench said: {said}"))?;
    let requests = done * u64::from(script.requests);
    let mut figures = Figures::of_rate(requests, 1.0, used);
    figures.values = vec![rate * f64::from(script.requests)];
    Ok(figures)
}

/// The number of transactions, and their rate per second.
fn read(said: &str) -> Option<(u64, f64)> {
    let after = |begin: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(begin))?;
        line.split([' ', '/']).next()
    };
    let done = after("number of transactions actually processed: ")?
        .parse()
        .ok()?;
    Some((done, after("tps = ")?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pgbench_says_is_read() {
        let said = "scaling factor: 1\nnumber of transactions actually processed: 420/420\n\
                    tps = 140.25 (without initial connection time)\n";
        assert_eq!(read(said), Some((420, 140.25)));
        assert_eq!(read("tps = 1"), None);
    }
}

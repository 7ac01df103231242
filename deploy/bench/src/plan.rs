//! The plan that `cargo xtask bench` passes to this program.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, ensure};
use serde::{Deserialize, de::DeserializeOwned};
use tokio::process::Command;

/// A suite, the measured site, and the duration.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Plan {
    pub(crate) suite: String,
    /// The heading of the results' column.
    pub(crate) topology: String,
    /// The file to which the results are added.
    pub(crate) results: PathBuf,
    /// The checkout, whose SQL the references run.
    pub(crate) checkout: PathBuf,
    pub(crate) rounds: usize,
    /// Seconds of one turn.
    pub(crate) seconds: u64,
    /// Only measure cases whose name contains this text.
    pub(crate) only: Option<String>,
    /// Options of this suite.
    options: serde_json::Value,
    /// Empty for a suite without a site.
    #[serde(flatten)]
    pub(crate) site: Site,
}

/// A running site.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Site {
    /// The address for requests: `127.0.0.1:8080`.
    pub(crate) address: String,
    /// The address for other devices; a different gateway if there are several.
    pub(crate) other: String,
    /// The URL of the site's PostgreSQL.
    pub(crate) database: String,
    /// The URL of RabbitMQ, if the site has one.
    pub(crate) bus: Option<String>,
    pub(crate) processes: Vec<Process>,
    /// Whether gateways cache public responses.
    pub(crate) keeps: bool,
    pub(crate) operator: Operator,
    pub(crate) pgbench: PathBuf,
}

/// A process of the site.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Process {
    pub(crate) name: String,
    pub(crate) id: u32,
    /// The address of its internal port.
    pub(crate) internal: String,
}

/// The operator's program, and its environment.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Operator {
    program: PathBuf,
    pub(crate) environment: Vec<(String, String)>,
}

impl Site {
    pub(crate) fn process(&self, name: &str) -> anyhow::Result<&Process> {
        let mut processes = self.processes.iter();
        let process = processes.find(|process| process.name == name);
        process.with_context(|| format!("there is no process {name}"))
    }
}

impl Process {
    /// Returns the page of the process's metrics.
    pub(crate) async fn metrics(&self) -> anyhow::Result<String> {
        let url = format!("http://{}/metrics", self.internal);
        Ok(reqwest::get(&url).await?.text().await?)
    }
}

impl Plan {
    pub(crate) fn turn(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    pub(crate) fn options<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        serde_json::from_value(self.options.clone()).context("the suite's options")
    }
}

impl Operator {
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        let environment = self.environment.iter().cloned();
        command.args(arguments).envs(environment).kill_on_drop(true);
        command
    }

    /// Runs a command; returns its standard output.
    pub(crate) async fn run(&self, arguments: &[&str]) -> anyhow::Result<String> {
        output(&mut self.command(arguments)).await
    }
}

/// Runs a program to completion; returns its standard output.
pub(crate) async fn output(command: &mut Command) -> anyhow::Result<String> {
    let name = format!("{:?}", command.as_std());
    let output = command.output().await.context(name.clone())?;
    let text = String::from_utf8(output.stdout)?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name}: {text}{errors}");
    Ok(text)
}

pub(crate) fn read_json<T: DeserializeOwned>(file: &Path) -> anyhow::Result<T> {
    let text = fs::read(file).with_context(|| file.display().to_string())?;
    serde_json::from_slice(&text).with_context(|| file.display().to_string())
}

//! The plan that `cargo xtask bench` gives to this program.

use std::{path::PathBuf, time::Duration};

use anyhow::{Context, ensure};
use serde::Deserialize;
use tokio::process::Command;

/// A running site, and how long to measure it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Plan {
    /// The address for requests: `127.0.0.1:8080`.
    pub(crate) site: String,
    /// The address for other devices; another gateway if there are several.
    pub(crate) other: String,
    /// The URL of the site's PostgreSQL.
    pub(crate) database: String,
    /// The URL of RabbitMQ, if the site has one.
    pub(crate) bus: Option<String>,
    /// The internal addresses of gateways that are processes of their own.
    pub(crate) gateways: Vec<String>,
    pub(crate) pgbench: PathBuf,
    /// The checkout, whose SQL the references run.
    pub(crate) checkout: PathBuf,
    pub(crate) rounds: usize,
    /// Seconds of one turn.
    pub(crate) seconds: u64,
    /// Whether the site keeps public answers.
    pub(crate) keeps: bool,
    /// Where nginx serves files, if the suite has a use for it.
    pub(crate) files: Option<Files>,
    /// The program with which an operator works on the site, if the suite has a use for it.
    pub(crate) operator: Option<Operator>,
    /// Only cases whose name holds this.
    pub(crate) only: Option<String>,
}

/// A program and its environment.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Operator {
    pub(crate) program: PathBuf,
    pub(crate) environment: Vec<(String, String)>,
}

/// A server of files.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Files {
    pub(crate) address: String,
    pub(crate) folder: PathBuf,
}

impl Plan {
    pub(crate) fn turn(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

impl Operator {
    /// Runs a command of the operator's; returns what it prints, and an error if it fails.
    pub(crate) async fn told(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let (is_well, said) = self.answer(arguments).await?;
        ensure!(is_well, "{arguments:?}: {said}");
        Ok(said)
    }

    /// The same; returns whether it went well, and everything that it printed.
    pub(crate) async fn answer(&self, arguments: &[&str]) -> anyhow::Result<(bool, String)> {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .envs(self.environment.iter().cloned());
        let output = command
            .output()
            .await
            .context("the operator's program cannot be run")?;
        let mut said = String::from_utf8(output.stdout)?;
        said.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok((output.status.success(), said))
    }
}

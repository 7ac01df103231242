//! The plan that `cargo xtask bench` gives to this program.

use std::{path::PathBuf, time::Duration};

use serde::Deserialize;

/// A site that runs, and how long to look at it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Plan {
    /// Where requests go: `127.0.0.1:8080`.
    pub(crate) site: String,
    /// Where other devices listen; another gateway where there are several.
    pub(crate) other: String,
    /// The site's PostgreSQL, as its services reach it.
    pub(crate) database: String,
    /// RabbitMQ, where the site has one.
    pub(crate) bus: Option<String>,
    pub(crate) pgbench: PathBuf,
    /// The checkout, whose SQL the references run.
    pub(crate) checkout: PathBuf,
    pub(crate) rounds: usize,
    /// Seconds of one turn.
    pub(crate) seconds: u64,
    /// Whether the site keeps public answers.
    pub(crate) keeps: bool,
    /// Only cases whose name holds this.
    pub(crate) only: Option<String>,
}

impl Plan {
    pub(crate) fn turn(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

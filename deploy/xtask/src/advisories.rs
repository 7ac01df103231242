//! Advisories against the site's crates and npm packages. An advisory fails the check; an unavailable source is only
//! reported, because some networks cannot access the sources.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::bail;
use serde::Deserialize;
use servers::{
    checkout::Checkout,
    interrupt,
    process::{self, Output, Running},
    progress,
};

use crate::{sections::Checked, tools::DENY, web};

/// Timeout of a source. `RustSec`'s database is a repository of a few megabytes.
const BOUND: Duration = Duration::from_secs(30);

/// Checks the crates of `Cargo.lock` against `RustSec`'s database, by the rules of `deny.toml`.
pub(crate) fn of_crates(checkout: &Checkout) -> anyhow::Result<Checked> {
    let deny = CargoDeny {
        program: DENY.ensure(checkout)?,
        root: checkout.root.clone(),
        config: checkout.path("deny.toml"),
        environment: Vec::new(),
    };
    let log = checkout.log("advisory-database")?;
    if !deny.fetch(&log, BOUND)? {
        let why = format!("  RustSec's database did not answer: {}.", log.display());
        progress::line(&why);
        return Ok(Checked::Nothing);
    }
    deny.check(Output::Shown)?;
    Ok(Checked::Everything)
}

/// cargo-deny in a workspace. Fetching and checking are separate steps, so that the exit status distinguishes an
/// advisory from an unavailable database.
struct CargoDeny {
    program: PathBuf,
    root: PathBuf,
    config: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl CargoDeny {
    /// Updates the database; returns false if it was not available within the bound.
    fn fetch(&self, log: &Path, bound: Duration) -> anyhow::Result<bool> {
        let mut fetch = self.command(&["fetch", "db"]);
        // A host that requires a password counts as unavailable; git must not prompt for a password.
        fetch.env("GIT_TERMINAL_PROMPT", "0");
        let mut running = Running::start("cargo deny fetch", &mut fetch, Output::Log(log))?;
        let ended = process::wait_until("no answer", Some(log), bound, || {
            Ok(running.ended()?.is_some())
        });
        interrupt::check()?;
        Ok(ended.is_ok() && running.ended()?.is_some_and(|status| status.success()))
    }

    /// Fails if an advisory of the fetched database affects a crate of the site.
    fn check(&self, output: Output<'_>) -> anyhow::Result<()> {
        let mut check = self.command(&["check", "--hide-inclusion-graph", "advisories"]);
        process::run("cargo deny check advisories", &mut check, output)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("--config").arg(&self.config);
        if arguments[0] == "check" {
            // Offline, so that only an advisory can cause a failure.
            command.arg("--offline");
        }
        command.args(arguments).current_dir(&self.root);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Checks the web application's packages against the npm registry's advisories.
pub(crate) fn of_packages(checkout: &Checkout) -> anyhow::Result<Checked> {
    let mut audit = web::npm(
        checkout,
        &["audit", "--json", "--omit=dev", "--fetch-retries=0"],
    );
    audit.arg(format!("--fetch-timeout={}", BOUND.as_millis()));
    let log = checkout.log("npm-audit")?;
    // The exit status is 1 both for an advisory and for an unavailable registry.
    let output = audit.stderr(File::create(&log)?).output()?;
    interrupt::check()?;
    let Some(report) = report(&output.stdout) else {
        let why = format!("  The registry has no audit: {}.", log.display());
        progress::line(&why);
        return Ok(Checked::Nothing);
    };
    report.require_none()?;
    Ok(Checked::Everything)
}

/// Parses the report of `npm audit --json`. Without a response of the registry, npm prints another object.
fn report(text: &[u8]) -> Option<Report> {
    serde_json::from_slice(text).ok()
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    #[expect(dead_code, reason = "its presence tells a report from an error")]
    audit_report_version: u32,
    vulnerabilities: BTreeMap<String, Vulnerability>,
}

#[derive(Debug, Deserialize)]
struct Vulnerability {
    via: Vec<Cause>,
}

/// The reason why a package is vulnerable.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Cause {
    Advisory {
        title: String,
        url: String,
        severity: String,
        range: String,
    },
    /// The name of a vulnerable dependency, which the report also contains.
    Dependency(#[expect(dead_code, reason = "named where it is vulnerable itself")] String),
}

impl Report {
    /// Fails if there are advisories with severity high or critical; the error names them.
    fn require_none(&self) -> anyhow::Result<()> {
        let mut found = Vec::new();
        for (package, vulnerability) in &self.vulnerabilities {
            for cause in &vulnerability.via {
                if let Cause::Advisory {
                    title,
                    url,
                    severity,
                    range,
                } = cause
                    && matches!(severity.as_str(), "high" | "critical")
                {
                    found.push(format!("\n  {severity}: {package} {range}: {title}, {url}"));
                }
            }
        }
        if !found.is_empty() {
            bail!(
                "advisories against packages of the web application:{}",
                found.concat()
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The database's URL in tests, which git replaces by a folder.
    const DATABASE: &str = "https://advisories.invalid/database";

    /// A database with an advisory against a crate of this workspace, and a cargo-deny that uses only this database.
    struct Database {
        folder: tempfile::TempDir,
        deny: CargoDeny,
    }

    impl Database {
        fn new(checkout: &Checkout) -> Self {
            // The check is offline, and reads the sources of our packages for every platform.
            let mut fetch = crate::server::cargo(checkout);
            fetch.args(["fetch", "--locked", "--quiet"]);
            assert!(fetch.status().unwrap().success(), "cargo fetch");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path();
            let ours = fs::read_to_string(checkout.path("deny.toml")).unwrap();
            let section = format!(
                "[advisories]\ndb-urls = [\"{DATABASE}\"]\ndb-path = {:?}\n",
                path.join("fetched")
            );
            let config = ours.replacen("[advisories]\n", &section, 1);
            assert_ne!(config, ours);
            fs::write(path.join("deny.toml"), config).unwrap();
            let source = format!("url.file://{}.insteadOf", path.join("source").display());
            let deny = CargoDeny {
                program: DENY.ensure(checkout).unwrap(),
                root: checkout.root.clone(),
                config: path.join("deny.toml"),
                environment: vec![
                    ("GIT_CONFIG_COUNT", "1".to_owned()),
                    ("GIT_CONFIG_KEY_0", source),
                    ("GIT_CONFIG_VALUE_0", DATABASE.to_owned()),
                ],
            };
            fs::create_dir(path.join("source")).unwrap();
            let database = Self { folder, deny };
            database.git(&["init", "--quiet", "--initial-branch=main"]);
            database
        }

        /// Publishes the advisory, for the versions of the crate that are not `patched`.
        fn publish(&self, patched: &str) {
            let source = self.folder.path().join("source");
            let file = source.join("crates/anyhow/RUSTSEC-2026-9999.md");
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            let advisory = format!(
                "```toml\n[advisory]\nid = \"RUSTSEC-2026-9999\"\npackage = \"anyhow\"\ndate = \"2026-01-01\"\n\n\
                 [versions]\npatched = [{patched}]\n```\n\n# A fault made for this test\n\nNothing is wrong with it.\n"
            );
            fs::write(file, advisory).unwrap();
            self.git(&["add", "."]);
            self.git(&["commit", "--quiet", "--message=An advisory"]);
        }

        fn git(&self, arguments: &[&str]) {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
                .args(arguments)
                .current_dir(self.folder.path().join("source"));
            assert!(git.status().unwrap().success(), "{arguments:?}");
        }

        fn fetch(&self) -> bool {
            let log = self.folder.path().join("fetch.log");
            self.deny.fetch(&log, BOUND).unwrap()
        }

        /// The error of a check.
        fn finding(&self) -> Option<String> {
            let log = self.folder.path().join("check.log");
            let checked = self.deny.check(Output::Log(&log));
            checked.err().map(|error| error.to_string())
        }
    }

    // A single test, because it may install the tool, and each test runs in its own process.
    #[test]
    fn an_advisory_fails_and_a_database_that_is_away_is_none() {
        let database = Database::new(&Checkout::here());
        assert!(!database.fetch(), "nothing has been published yet");

        database.publish("");
        assert!(database.fetch());
        let finding = database.finding().unwrap();
        assert!(finding.contains("RUSTSEC-2026-9999"), "{finding}");
        assert!(finding.contains("A fault made for this test"), "{finding}");

        database.publish("\">= 1.0.0\"");
        assert!(database.fetch());
        assert_eq!(
            database.finding(),
            None,
            "we have a version that is patched"
        );
    }

    #[test]
    fn a_database_that_does_not_answer_in_time_is_away() {
        let folder = tempfile::tempdir().unwrap();
        let deny = CargoDeny {
            program: folder.path().join("silent"),
            root: folder.path().to_owned(),
            config: folder.path().join("deny.toml"),
            environment: Vec::new(),
        };
        fs::write(&deny.program, "#!/bin/sh\nexec sleep 600\n").unwrap();
        let mut executable = Command::new("chmod");
        assert!(
            executable
                .arg("+x")
                .arg(&deny.program)
                .status()
                .unwrap()
                .success()
        );
        let log = folder.path().join("log");
        let reached = deny.fetch(&log, Duration::from_millis(200)).unwrap();
        assert!(!reached);
    }

    #[test]
    fn a_report_of_npm_fails_from_the_severity_high_on() {
        let moderate = include_bytes!("advisories/moderate.json");
        report(moderate).unwrap().require_none().unwrap();
        let none = include_bytes!("advisories/none.json");
        report(none).unwrap().require_none().unwrap();
        let critical = include_bytes!("advisories/critical.json");
        let error = report(critical).unwrap().require_none().unwrap_err();
        assert_eq!(
            error.to_string(),
            "advisories against packages of the web application:\n  critical: scheduler <99.0.0: \
             Runs what it is given, https://github.com/advisories/GHSA-0000-0000-0002"
        );
    }

    #[test]
    fn a_registry_without_an_audit_has_no_report() {
        for text in [
            &include_bytes!("advisories/refused.json")[..],
            include_bytes!("advisories/unreachable.json"),
            b"",
            b"<html>",
        ] {
            assert!(report(text).is_none());
        }
    }
}

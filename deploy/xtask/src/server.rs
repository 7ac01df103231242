//! The program `cityguide`: building it, running commands, and serving a site for a while.

use std::{
    ffi::OsString,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::Context;
use nix::sys::signal::Signal;
use servers::{
    checkout::Checkout,
    ports,
    process::{self, Output, Running},
};

use crate::dated;

const PACKAGE: &str = "cityguide";
/// The package that measures the program.
pub(crate) const BENCH: &str = "bench";
/// The packages whose releases are built together: built separately, each would compile most dependencies with
/// different features.
const MEASURED: [&str; 2] = [PACKAGE, BENCH];
/// The program and the stand-ins for third parties, built together for the same reason.
const STARTED_TOGETHER: [&str; 4] = ["--package", PACKAGE, "--package", "stand-ins"];
const START_BOUND: Duration = Duration::from_mins(2);
/// Time in which a stopping server may complete open requests before it is killed.
const STOP_BOUND: Duration = Duration::from_mins(1);

/// The cargo that runs this program, so that builds use the same toolchain.
pub(crate) fn cargo_program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Returns a command that runs this cargo in the checkout.
pub(crate) fn cargo(checkout: &Checkout) -> Command {
    let mut command = Command::new(cargo_program());
    command.current_dir(&checkout.root);
    without_our_package(&mut command);
    command
}

/// Compiles the workspace's crates by Clippy, which lints them in the same pass. A warning fails the build.
pub(crate) fn with_lints(command: &mut Command) -> &mut Command {
    command
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        // `cargo clippy -- -D warnings` uses the same separator.
        .env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__")
}

/// Removes the variables that cargo sets for this package. Some dependencies' build scripts (ring's) run again when
/// these variables change, so the results of builds from a terminal or an editor could not be reused.
pub(crate) fn without_our_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

/// The built program.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    path: PathBuf,
    root: PathBuf,
}

/// The settings for a run of the program, passed in its environment.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) database: String,
    pub(crate) site: PathBuf,
    /// The folder for pictures and mail.
    pub(crate) data: PathBuf,
    pub(crate) port: u16,
    pub(crate) internal_port: u16,
}

/// How the program is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// The program and the stand-ins for third parties, in one build with one set of features.
    Alone,
    /// The program with all tests of the workspace, linted. Tests enable further features of dependencies, so a
    /// separate build of the program would compile most dependencies again.
    WithTests,
    /// The release build.
    Release,
}

impl Program {
    /// Builds the program; cargo shows its progress on the terminal.
    pub(crate) fn build(checkout: &Checkout, build: Build) -> anyhow::Result<Self> {
        Ok(Self {
            path: executable_of(checkout, PACKAGE, build)?,
            root: checkout.root.clone(),
        })
    }

    /// A program that is already built, such as a former release's.
    pub(crate) fn at(checkout: &Checkout, path: &Path) -> anyhow::Result<Self> {
        let path = path
            .canonicalize()
            .with_context(|| path.display().to_string())?;
        Ok(Self {
            path,
            root: checkout.root.clone(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Migrates the database and imports the demo city, the inspections of its places and its advertisers. Can be
    /// repeated.
    pub(crate) fn prepare(&self, settings: &Settings, log: &Path) -> anyhow::Result<()> {
        let dated = tempfile::tempdir()?;
        dated::write(&self.root, dated.path())?;
        for arguments in [
            &["migrate"][..],
            &["content", "apply", "deploy/demo"],
            &["content", "apply", &dated.path().to_string_lossy()],
            &["import", "inspections", "deploy/demo-inspections.csv"],
            &["ads", "apply", "deploy/demo-ads"],
        ] {
            let name = format!("cityguide {}", arguments.join(" "));
            let mut command = self.command(arguments);
            settings.apply(&mut command);
            process::run(&name, &mut command, Output::Log(log))?;
        }
        Ok(())
    }

    /// Starts serving and waits until the server reports that it is ready.
    pub(crate) fn serve(
        &self,
        settings: &Settings,
        arguments: &[&str],
        environment: &[(String, String)],
        output: Output<'_>,
    ) -> anyhow::Result<Server> {
        let mut command = self.command(arguments);
        settings.apply(&mut command);
        command.envs(environment.iter().cloned());
        let name = format!("cityguide {}", arguments.join(" "));
        let mut running = Running::start(&name, &mut command, output)?;
        let log = match output {
            Output::Shown => None,
            Output::Log(log) => Some(log),
        };
        process::wait_until("cityguide did not become ready", log, START_BOUND, || {
            running.require_alive()?;
            Ok(ports::answers(settings.internal_port, "/health/ready"))
        })?;
        Ok(Server {
            running,
            internal_port: settings.internal_port,
        })
    }
}

impl Settings {
    pub(crate) fn apply(&self, command: &mut Command) {
        let address = |port: u16| format!("127.0.0.1:{port}");
        command
            .env("CITYGUIDE__DATABASE__URL", &self.database)
            .env("CITYGUIDE__HTTP__LISTEN", address(self.port))
            .env(
                "CITYGUIDE__HTTP__INTERNAL_LISTEN",
                address(self.internal_port),
            )
            .env("CITYGUIDE__SITE__URL", self.url())
            .env("CITYGUIDE__SITE__FILE", &self.site)
            .env("CITYGUIDE__WEB__ROOT", "web/dist")
            .env("CITYGUIDE__BLOBS__FOLDER", self.data.join("blobs"))
            .env("CITYGUIDE__BLOBS__IS_SHARED", "true")
            .env("CITYGUIDE__MAIL__FOLDER", self.mail_folder())
            // With a postal address, the demo city sends its newsletters, which are written to the mail folder.
            .env(
                "CITYGUIDE__NEWSLETTERS__POSTAL_ADDRESS",
                "1 Turning Loop, Toronto",
            )
            .env("CITYGUIDE__LOG__FORMAT", "pretty");
    }

    /// Returns the settings of another process of this site, which differ in the internal port.
    pub(crate) fn beside(&self) -> anyhow::Result<Self> {
        Ok(Self {
            internal_port: ports::free()?,
            ..self.clone()
        })
    }

    /// The folder to which emails are written, one file per email.
    pub(crate) fn mail_folder(&self) -> PathBuf {
        self.data.join("mail")
    }

    /// The site's address. It contains a host name, because browsers offer no passkeys at IP addresses.
    pub(crate) fn url(&self) -> String {
        format!("http://localhost:{}", self.port)
    }
}

#[derive(Debug)]
pub(crate) struct Server {
    running: Running,
    internal_port: u16,
}

impl Server {
    pub(crate) fn id(&self) -> u32 {
        self.running.id()
    }

    /// The address of the server's probes and metrics.
    pub(crate) fn internal(&self) -> String {
        format!("127.0.0.1:{}", self.internal_port)
    }

    /// Fails if the server has ended.
    pub(crate) fn require_alive(&mut self) -> anyhow::Result<()> {
        self.running.require_alive()
    }

    /// Stops the server; returns whether it stopped cleanly.
    pub(crate) fn stop(mut self) -> bool {
        self.running.stop(Signal::SIGTERM, STOP_BOUND)
    }
}

/// Builds the whole workspace with its tests, and lints it: the only build of `check` and `test`.
pub(crate) fn workspace(checkout: &Checkout) -> anyhow::Result<()> {
    Program::build(checkout, Build::WithTests).map(|_| ())
}

/// Builds a package's program of the same name; cargo shows its progress on the terminal.
pub(crate) fn executable_of(
    checkout: &Checkout,
    package: &str,
    build: Build,
) -> anyhow::Result<PathBuf> {
    let alone = ["--package", package];
    let selection: &[&str] = match build {
        Build::Release if MEASURED.contains(&package) => {
            &["--package", PACKAGE, "--package", BENCH]
        }
        Build::Alone if package == PACKAGE => &STARTED_TOGETHER,
        _ => &alone,
    };
    program_of(cargo(checkout), selection, package, build)
}

/// Builds the program of a release, without the packages that only measure it.
pub(crate) fn released(checkout: &Checkout, version: &str) -> anyhow::Result<PathBuf> {
    let mut cargo = cargo(checkout);
    cargo.env("CITYGUIDE_VERSION", version);
    let selection = ["--locked", "--package", PACKAGE];
    program_of(cargo, &selection, PACKAGE, Build::Release)
}

/// Builds the release of a package's example.
pub(crate) fn example_of(
    checkout: &Checkout,
    package: &str,
    example: &str,
) -> anyhow::Result<PathBuf> {
    let selection = ["--package", package, "--example", example];
    program_of(cargo(checkout), &selection, example, Build::Release)
}

/// Builds the stand-ins for third parties, which `up` and journeys start.
pub(crate) fn third_parties(checkout: &Checkout, build: Build) -> anyhow::Result<PathBuf> {
    program_of(cargo(checkout), &STARTED_TOGETHER, "third-parties", build)
}

fn program_of(
    mut command: Command,
    alone: &[&str],
    program: &str,
    build: Build,
) -> anyhow::Result<PathBuf> {
    if build == Build::WithTests {
        with_lints(&mut command);
    }
    command
        .arg("build")
        .args(match build {
            Build::Alone | Build::Release => alone,
            Build::WithTests => &["--workspace", "--bins", "--tests", "--examples"],
        })
        .args((build == Build::Release).then_some("--release"))
        .arg("--message-format=json-render-diagnostics")
        .stdout(Stdio::piped());
    let mut running = Running::start("cargo build", &mut command, Output::Shown)?;
    // Cargo reports the program's path; a guess would miss a target folder set elsewhere.
    let path = running.take_stdout().and_then(|stdout| {
        BufReader::new(stdout)
            .lines()
            .map_while(Result::ok)
            .filter_map(|line| executable(&line, program))
            .last()
    });
    running.finish()?;
    path.with_context(|| format!("cargo built no program `{program}`"))
}

/// The path of the program, if this line of cargo's messages reports it.
fn executable(line: &str, program: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let is_ours = message["reason"] == "compiler-artifact"
        && message["target"]["name"] == program
        && message["profile"]["test"] != true;
    let path = message["executable"].as_str()?;
    is_ours.then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_cargos_messages() {
        let ours = r#"{"reason":"compiler-artifact","target":{"name":"cityguide"},"executable":"/t/cityguide"}"#;
        let library =
            r#"{"reason":"compiler-artifact","target":{"name":"cityguide"},"executable":null}"#;
        let other = r#"{"reason":"compiler-artifact","target":{"name":"x"},"executable":"/t/x"}"#;
        assert_eq!(
            executable(ours, PACKAGE),
            Some(PathBuf::from("/t/cityguide"))
        );
        let tests = r#"{"reason":"compiler-artifact","target":{"name":"cityguide"},"profile":{"test":true},"executable":"/t/tests"}"#;
        assert_eq!(executable(library, PACKAGE), None);
        assert_eq!(executable(tests, PACKAGE), None);
        assert_eq!(executable(other, PACKAGE), None);
        assert_eq!(executable("not JSON", PACKAGE), None);
    }
}

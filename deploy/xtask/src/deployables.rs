//! `test deploy`: the files that deploy and monitor the site. Helm's own engine renders the chart, rules and
//! dashboards are checked, and a real Prometheus monitors a real site under load.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{bail, ensure};
use nix::sys::signal::Signal;
use servers::{
    apt,
    checkout::Checkout,
    ports,
    process::{self, Output, Running},
    progress::Step,
    stamp::Stamp,
};

use crate::{
    browser, contract, database::Database, release, rolling, sections::Sections, server::Build, web,
};

/// Python packages, pinned, in the order in which they are installed.
const REQUIREMENTS: [&str; 3] = [
    "helm/tests/requirements.txt",
    "loadtests/requirements.txt",
    "deploy/contract/requirements.txt",
];
/// Tests in Python, because Helm's engine has an interface for it.
const TESTS: [&str; 4] = [
    "helm/tests/test_chart.py",
    "deploy/docker/test_image.py",
    "deploy/compose/test_compose.py",
    "deploy/observability/tests/test_collector.py",
];
const START_BOUND: Duration = Duration::from_secs(20);
const STOP_BOUND: Duration = Duration::from_secs(10);

/// Installs the tools of `test deploy`.
pub(crate) fn install(checkout: &Checkout) -> anyhow::Result<()> {
    Python::ensure(checkout)?;
    prometheus(checkout, "prometheus")?;
    rolling::proxy(checkout)?;
    Ok(())
}

/// Runs the parts of `test deploy`, each as its own section.
pub(crate) fn tests(checkout: &Checkout, sections: &mut Sections) -> anyhow::Result<()> {
    sections.run("deploy: chart, image, compose files", || {
        let python = Python::ensure(checkout)?;
        let mut tests = python.command(checkout);
        tests.args(["-m", "unittest"]).args(TESTS);
        process::run("the tests of deployables", &mut tests, Output::Shown)
    })?;
    sections.run("deploy: rules and dashboards", || rules(checkout))?;
    sections.run("deploy: the API as its document says", || {
        let python = Python::ensure(checkout)?;
        web::build(checkout)?;
        let database = Database::private(checkout, &[])?;
        contract::tests(checkout, &database, || {
            python.command_of("schemathesis", checkout)
        })
    })?;
    sections.run("deploy: load and what watches it", || {
        web::build(checkout)?;
        let database = Database::private(checkout, &[])?;
        smoke(checkout, &database)
    })?;
    sections.run("deploy: a release", || a_release(checkout))?;
    sections.run("deploy: every replica restarted under load", || {
        let python = Python::ensure(checkout)?;
        rolling::restarts(checkout, |site, duration| {
            k6_for(checkout, &python, site, duration)
        })
    })
}

/// Replaces every replica by another version under k6's load, and rolls it back.
pub(crate) fn roll_out(checkout: &Checkout, arguments: &rolling::Arguments) -> anyhow::Result<()> {
    web::build(checkout)?;
    let python = Python::ensure(checkout)?;
    rolling::roll_out(checkout, arguments, |site, duration| {
        k6_for(checkout, &python, site, duration)
    })
}

/// Makes a release with a throwaway key and uses its files as an operator does.
fn a_release(checkout: &Checkout) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let release = release::dry_run(checkout, folder.path())?;
    let key = release.folder.join("throwaway.pub");
    let mut unpack = Command::new("tar");
    unpack.arg("--extract").arg("--file").arg(release.archive());
    process::run("tar", unpack.current_dir(folder.path()), Output::Shown)?;
    let program = folder.path().join(release.name()).join("bin/cityguide");
    let printed = process::read("cityguide", Command::new(program).arg("--version"))?;
    ensure!(
        printed.starts_with(b"cityguide "),
        "the packed program does not start"
    );
    let python = Python::ensure(checkout)?;
    let mut chart = python.command(checkout);
    chart
        .args(["helm/tests/packed.py"])
        .arg(release.chart())
        .arg(&release.version);
    process::run("the packed chart", &mut chart, Output::Shown)?;

    let mut bytes = fs::read(release.archive())?;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(release.archive(), bytes)?;
    let verified = release::verify(checkout, &release.folder, &key);
    ensure!(
        verified.is_err(),
        "the signature is valid for an archive with a flipped bit"
    );
    Ok(())
}

/// The command that runs k6's smoke profile for a while.
fn k6_for(checkout: &Checkout, python: &Python, site: &str, duration: Duration) -> Command {
    let mut k6 = k6(checkout, python, site);
    k6.env("DURATION", format!("{}s", duration.as_secs()));
    k6
}

/// The command that runs k6's smoke profile against a site.
fn k6(checkout: &Checkout, python: &Python, site: &str) -> Command {
    let mut k6 = Command::new(python.program("k6"));
    k6.args(["run", "--quiet", "--no-color", "loadtests/main.js"])
        .current_dir(&checkout.root)
        .env("BASE_URL", site)
        .env("PROFILE", "smoke")
        .env("K6_NO_USAGE_REPORT", "true");
    k6
}

/// Checks the rules and their tests with promtool, and that dashboards only query existing metrics.
fn rules(checkout: &Checkout) -> anyhow::Result<()> {
    let python = Python::ensure(checkout)?;
    let promtool = prometheus(checkout, "promtool")?;
    let folder = checkout.path("deploy/observability/prometheus");
    for (what, file) in [
        (["check", "config"], "prometheus.yaml"),
        (["test", "rules"], "rules.test.yaml"),
    ] {
        let mut command = Command::new(&promtool);
        command.args(what).arg(file).current_dir(&folder);
        process::run("promtool", &mut command, Output::Shown)?;
    }
    let mut lint = python.command(checkout);
    lint.args(["deploy/observability/tests/expressions.py", "lint"]);
    process::run("the check of expressions", &mut lint, Output::Shown)
}

/// Runs k6's smoke profile while Prometheus scrapes; afterwards every panel and rule must have data.
fn smoke(checkout: &Checkout, database: &Database) -> anyhow::Result<()> {
    let python = Python::ensure(checkout)?;
    let program = prometheus(checkout, "prometheus")?;
    browser::serving(checkout, database, Build::WithTests, "deploy", |site| {
        let folder = tempfile::Builder::new()
            .prefix("cityguide-prometheus-")
            .tempdir()?;
        let watch = Watch::start(checkout, &program, folder.path(), site.internal_port)?;
        let mut k6 = k6(checkout, &python, &site.url());
        process::run("k6", &mut k6, Output::Shown)?;
        let mut answered = python.command(checkout);
        answered
            .args(["deploy/observability/tests/expressions.py", "answered"])
            .arg(&watch.url);
        process::run("the questions to Prometheus", &mut answered, Output::Shown)?;
        watch.stop()
    })
}

/// A private Prometheus with the project's rules.
struct Watch {
    running: Running,
    url: String,
}

impl Watch {
    /// Starts Prometheus in a folder and waits until it answers.
    fn start(
        checkout: &Checkout,
        program: &Path,
        folder: &Path,
        internal_port: u16,
    ) -> anyhow::Result<Self> {
        let step = Step::quiet("Prometheus");
        // The committed rules, adapted to the duration of a test: groups with intervals of minutes are evaluated every
        // second.
        let rules =
            fs::read_to_string(checkout.path("deploy/observability/prometheus/rules.yaml"))?;
        let prompt: String = rules
            .lines()
            .filter(|line| !line.starts_with("    interval:"))
            .flat_map(|line| [line, "\n"])
            .collect();
        fs::write(folder.join("rules.yaml"), prompt)?;
        let config = format!(
            "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\n\
             rule_files: [rules.yaml]\n\
             scrape_configs:\n\
             \x20 - job_name: cityguide\n\
             \x20   static_configs: [{{ targets: [\"127.0.0.1:{internal_port}\"] }}]\n"
        );
        let file = folder.join("prometheus.yaml");
        fs::write(&file, config)?;
        let port = ports::free()?;
        let mut command = Command::new(program);
        command
            .arg(format!("--config.file={}", file.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                folder.join("data").display()
            ))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"))
            .current_dir(folder);
        let log = checkout.log("prometheus")?;
        let mut running = Running::start("prometheus", &mut command, Output::Log(&log))?;
        process::wait_until(
            "Prometheus did not become ready",
            Some(&log),
            START_BOUND,
            || {
                running.require_alive()?;
                Ok(ports::answers(port, "/-/ready"))
            },
        )?;
        let url = format!("http://127.0.0.1:{port}");
        step.done(&format!("watches the site from {url}"));
        Ok(Self { running, url })
    }

    fn stop(mut self) -> anyhow::Result<()> {
        if !self.running.stop(Signal::SIGTERM, STOP_BOUND) {
            bail!("Prometheus did not stop in time and was killed");
        }
        Ok(())
    }
}

/// Python with the packages of [`REQUIREMENTS`], in its own environment.
struct Python {
    home: PathBuf,
}

impl Python {
    fn ensure(checkout: &Checkout) -> anyhow::Result<Self> {
        let home = checkout.kept().join("tools/deploy-python");
        let installed = Stamp::over(home.join("installed"), &checkout.root, &REQUIREMENTS, &[])?;
        let python = Self { home };
        if installed.is_current() && python.program("python").is_file() {
            return Ok(python);
        }
        let step = Step::announced(
            "Python",
            "installing Helm's engine, schemas, k6 and Schemathesis",
        );
        if python.home.exists() {
            fs::remove_dir_all(&python.home)?;
        }
        let log = checkout.log("install-deploy-python")?;
        // Debian has the modules for environments in a separate package.
        let mut able = Command::new("python3");
        if !process::succeeds(able.args(["-c", "import venv, ensurepip"])) {
            apt::install(checkout, "python3-venv", "")?;
        }
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(&python.home);
        process::run("python3 -m venv", &mut venv, Output::Log(&log))?;
        for requirements in REQUIREMENTS {
            let mut pip = Command::new(python.program("pip"));
            pip.args(["install", "--quiet", "--no-deps", "--only-binary", ":all:"])
                .args(["--disable-pip-version-check", "--requirement"])
                .arg(checkout.path(requirements));
            let name = format!("pip install -r {requirements}");
            process::run(&name, &mut pip, Output::Log(&log))?;
        }
        installed.set()?;
        step.done("installed");
        Ok(python)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// Python, run in the checkout.
    fn command(&self, checkout: &Checkout) -> Command {
        self.command_of("python", checkout)
    }

    /// A program of these packages, run in the checkout without leaving compiled files there.
    fn command_of(&self, name: &str, checkout: &Checkout) -> Command {
        let mut command = Command::new(self.program(name));
        command
            .current_dir(&checkout.root)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Returns a program of Prometheus: already installed, or installed from Debian's package if we are allowed to.
fn prometheus(checkout: &Checkout, program: &'static str) -> anyhow::Result<PathBuf> {
    apt::ensure(checkout, "prometheus", "", || apt::on_path(&[program]))
}

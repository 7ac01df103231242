//! The web application: its packages and its build.

use std::{io::Write, process::Command};

use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
    stamp::Stamp,
};
use tempfile::NamedTempFile;

/// The entries of `web/` that the build does not read.
const NOT_SOURCES: &[&str] = &[
    "node_modules",
    "bench",
    "dist",
    "coverage",
    "e2e",
    "playwright-report",
    "renderings",
    "test-results",
];

/// `npm` in `web/`.
pub(crate) fn npm(checkout: &Checkout, arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(checkout.path("web"));
    command
}

/// Installs the packages unless the lock file is unchanged since the last installation.
pub(crate) fn install(checkout: &Checkout) -> anyhow::Result<()> {
    let web = checkout.path("web");
    let installed = Stamp::over(
        web.join("node_modules/.stamp"),
        &web,
        &["package-lock.json"],
        &[],
    )?;
    if installed.is_current() {
        return Ok(());
    }
    let step = Step::announced("Web", "installing packages");
    let log = checkout.log("web-packages")?;
    let mut ci = npm(checkout, &["ci", "--no-audit", "--no-fund"]);
    process::run("npm ci in web/", &mut ci, Output::Log(&log))?;
    installed.set()?;
    step.done("packages installed");
    Ok(())
}

/// Builds `web/dist` unless its sources are unchanged.
pub(crate) fn build(checkout: &Checkout) -> anyhow::Result<()> {
    install(checkout)?;
    let built = built(checkout)?;
    if built.is_current() && checkout.path("web/dist/index.html").is_file() {
        Step::quiet("Web").done("unchanged");
        return Ok(());
    }
    let step = Step::announced("Web", "building");
    let log = checkout.log("web-build")?;
    build_anew(checkout, Output::Log(&log))?;
    step.done("built");
    Ok(())
}

/// The packages that the application consists of, as `CycloneDX`.
pub(crate) fn components(checkout: &Checkout) -> anyhow::Result<String> {
    let mut all = npm(checkout, &["sbom", "--sbom-format", "cyclonedx"]);
    all.args(["--sbom-type", "application", "--package-lock-only"]);
    let mut file = NamedTempFile::new()?;
    file.write_all(&process::read("npm sbom", &mut all)?)?;
    let mut needed = Command::new("node");
    needed
        .arg(checkout.path("deploy/docker/without-development.mjs"))
        .arg(file.path());
    let needed = process::read("without-development.mjs", &mut needed)?;
    Ok(String::from_utf8(needed)?)
}

/// Builds `web/dist` even if its sources are unchanged.
pub(crate) fn build_anew(checkout: &Checkout, output: Output<'_>) -> anyhow::Result<()> {
    let built = built(checkout)?;
    built.clear()?;
    process::run(
        "npm run build in web/",
        &mut npm(checkout, &["run", "build"]),
        output,
    )?;
    built.set()
}

fn built(checkout: &Checkout) -> anyhow::Result<Stamp> {
    let file = checkout.kept().join("stamps/web");
    Stamp::over(file, &checkout.root, &["web"], NOT_SOURCES)
}

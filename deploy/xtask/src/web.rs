//! The web application: its packages and its build.

use std::process::Command;

use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress::Step,
    stamp::Stamp,
};

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

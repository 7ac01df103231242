//! `check`: the checks that save a reviewer's time.

use std::process::Command;

use servers::{
    checkout::Checkout,
    process::{self, Output},
    progress,
};

use crate::{
    r#gen, layout, promises,
    sections::Sections,
    server::cargo,
    tools::{DENY, SHEAR, TYPOS},
    web,
};

/// npm's message when the registry has no audit, for example a mirror.
const NO_AUDIT: &str = "audit endpoint returned an error";

pub(crate) fn run(checkout: &Checkout) -> anyhow::Result<()> {
    let mut sections = Sections::default();
    sections.run("layout", || layout::check(checkout))?;
    sections.run("format: Rust", || {
        shown(cargo(checkout).args(["fmt", "--all", "--check"]))
    })?;
    sections.run("clippy", || {
        shown(cargo(checkout).args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ]))
    })?;
    sections.run("web: packages", || web::install(checkout))?;
    sections.run("format: web", || {
        shown(&mut web::npm(checkout, &["run", "format:check"]))
    })?;
    sections.run("web: lint", || {
        shown(&mut web::npm(checkout, &["run", "lint"]))
    })?;
    sections.run("web: audit", || audit(checkout))?;
    sections.run("licences, bans and sources", || {
        let mut deny = Command::new(DENY.ensure(checkout)?);
        deny.args([
            "check",
            "--hide-inclusion-graph",
            "bans",
            "licenses",
            "sources",
        ]);
        shown(deny.current_dir(&checkout.root))
    })?;
    sections.run("unused dependencies", || {
        let mut shear = Command::new(SHEAR.ensure(checkout)?);
        shown(shear.current_dir(&checkout.root))
    })?;
    sections.run("spelling", || {
        let mut typos = Command::new(TYPOS.ensure(checkout)?);
        shown(typos.current_dir(&checkout.root))
    })?;
    sections.run("tables of docs/TESTING.md", || promises::check(checkout))?;
    sections.run("generated files", || {
        r#gen::run(checkout, &r#gen::Arguments::everything_as_committed())
    })?;
    sections.finish()
}

fn shown(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    process::run(&name, command, Output::Shown)
}

/// `npm audit`, which counts only if the registry has advisories at all.
fn audit(checkout: &Checkout) -> anyhow::Result<()> {
    let log = checkout.log("npm-audit")?;
    let mut audit = web::npm(checkout, &["audit", "--omit=dev", "--audit-level=high"]);
    let outcome = process::run("npm audit", &mut audit, Output::Log(&log));
    let said = std::fs::read_to_string(&log)?;
    if outcome.is_err() && said.contains(NO_AUDIT) {
        progress::line("  This registry has no audit: nothing was checked.");
        return Ok(());
    }
    outcome
}

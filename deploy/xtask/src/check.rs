//! `check`: the automatic part of a review.

use std::{process::Command, thread};

use anyhow::bail;
use clap::{Args, builder::FalseyValueParser};
use servers::{
    checkout::Checkout,
    process::{self, Output},
};

use crate::{
    advisories, documents,
    downloads::{OF_CHECKS, meanwhile},
    r#gen, layout, promises, rustdoc,
    sections::{Checked, Sections},
    server::{self, cargo},
    tools::{DENY, SHEAR, TYPOS},
    web, wording,
};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Fail if advisories cannot be checked because their source is unavailable
    #[arg(long, env = "REQUIRE_ADVISORIES", value_parser = FalseyValueParser::new())]
    require_advisories: bool,
}

impl Arguments {
    /// Turns an unavailable source into a failure if the arguments require it.
    fn judged(&self, checked: Checked) -> anyhow::Result<Checked> {
        if self.require_advisories && checked == Checked::Nothing {
            bail!("the source of these advisories is away, and they are required");
        }
        Ok(checked)
    }
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let mut sections = Sections::default();
    sections.run("layout", || layout::check(checkout))?;
    sections.run("format: Rust", || {
        shown(cargo(checkout).args(["fmt", "--all", "--check"]))
    })?;
    sections.run("build and Clippy", || {
        meanwhile(checkout, &OF_CHECKS, || server::workspace(checkout))
    })?;
    // Rustdoc uses one processor only.
    thread::scope(|scope| {
        let documentation = scope.spawn(|| rustdoc::check(checkout));
        beside_rustdoc(checkout, arguments, &mut sections)?;
        sections.run("documentation of the crates", || {
            let documentation = documentation.join();
            documentation.unwrap_or_else(|_panic| bail!("the check panicked"))
        })
    })?;
    sections.finish()
}

/// The checks that need no whole processor.
fn beside_rustdoc(
    checkout: &Checkout,
    arguments: &Arguments,
    sections: &mut Sections,
) -> anyhow::Result<()> {
    sections.run("web: packages", || web::install(checkout))?;
    sections.run("format: web", || {
        shown(&mut web::npm(checkout, &["run", "format:check"]))
    })?;
    sections.run("web: lint", || {
        shown(&mut web::npm(checkout, &["run", "lint"]))
    })?;
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
    // Runs after the section above, in which cargo fetches every crate's manifest.
    sections.run_with_source("Rust advisories", || {
        arguments.judged(advisories::of_crates(checkout)?)
    })?;
    sections.run_with_source("npm advisories", || {
        arguments.judged(advisories::of_packages(checkout)?)
    })?;
    sections.run("unused dependencies", || {
        let mut shear = Command::new(SHEAR.ensure(checkout)?);
        shown(shear.current_dir(&checkout.root))
    })?;
    sections.run("spelling", || {
        let mut typos = Command::new(TYPOS.ensure(checkout)?);
        shown(typos.current_dir(&checkout.root))
    })?;
    sections.run("wording", || wording::check(checkout))?;
    sections.run("promises and their tests", || promises::check(checkout))?;
    sections.run("test commands in the documents", || {
        documents::check(checkout)
    })?;
    sections.run("generated files", || {
        r#gen::run(checkout, &r#gen::Arguments::everything_as_committed())
    })
}

fn shown(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    process::run(&name, command, Output::Shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_is_away_fails_only_where_advisories_are_required() {
        for (require_advisories, checked, is_fine) in [
            (false, Checked::Nothing, true),
            (true, Checked::Nothing, false),
            (true, Checked::Everything, true),
        ] {
            let arguments = Arguments { require_advisories };
            assert_eq!(arguments.judged(checked).is_ok(), is_fine, "{checked:?}");
        }
    }
}

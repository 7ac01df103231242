//! `release`: everything that a version publishes, made in one run: the program's archive, the image, the chart, the
//! changelog, notes for operators, lists of components, checksums and their signature.

mod changes;
mod components;
mod files;
mod package;
mod signature;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, ensure};
use servers::{
    checkout::Checkout,
    process,
    progress::{self, Step},
};

pub(crate) use self::{
    changes::Changes, components::of_program, files::Release, signature::verify,
};
use self::{
    package::Packer,
    signature::{Key, SUMS},
};
use crate::{
    advisories, layout,
    sections::Checked,
    server::{self, Build, Program},
    web,
};

/// The version of the program, the chart and the image outside of a release.
pub(crate) const DEVELOPED: &str = env!("CARGO_PKG_VERSION");

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Make everything from the built program with a throwaway key, and change nothing in the checkout
    #[arg(long)]
    dry_run: bool,
    /// The secret key of minisign to which `docs/release.pub` belongs
    #[arg(long, required_unless_present = "dry_run", conflicts_with = "dry_run")]
    key: Option<PathBuf>,
    /// Also build the image on this base, with buildah
    #[arg(long, value_name = "BASE")]
    image: Option<String>,
    /// The folder for the version's folder [default: .cityguide/release]
    #[arg(long)]
    to: Option<PathBuf>,
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    let release = make(checkout, arguments)?;
    progress::line(&format!(
        "\n  {} is in {}\n",
        release.version,
        checkout.shown(&release.folder)
    ));
    Ok(())
}

/// Makes a dry run's release in this folder.
pub(crate) fn dry_run(checkout: &Checkout, to: &Path) -> anyhow::Result<Release> {
    let arguments = Arguments {
        dry_run: true,
        key: None,
        image: None,
        to: Some(to.to_owned()),
    };
    make(checkout, &arguments)
}

fn make(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<Release> {
    let changes = Changes::read(checkout)?;
    changes.require_some()?;
    let version = if arguments.dry_run {
        format!("{DEVELOPED}-dry-run")
    } else {
        tagged(checkout)?
    };
    report_advisories(checkout)?;

    let to = match &arguments.to {
        Some(folder) => std::path::absolute(folder)?,
        None => checkout.kept().join("release"),
    };
    let release = Release {
        folder: to.join(&version),
        version,
    };
    if release.folder.exists() {
        fs::remove_dir_all(&release.folder)?;
    }
    fs::create_dir_all(&release.folder)?;

    web::build(checkout)?;
    let program = build(checkout, arguments, &release.version)?;
    let step = Step::announced("Release", "packing");
    let commit = Commit::read(checkout)?;
    let section = changes.section(&release.version, &commit.date);
    let changelog = fs::read_to_string(checkout.path(changes::CHANGELOG))?;
    let notes = [
        ("CHANGELOG.md", changes::with_section(&changelog, &section)),
        ("NOTES.md", section.clone()),
        ("UPGRADING.md", changes.upgrade_notes(&release.version)),
        (
            "program.cdx.json",
            components::of_program(checkout, &release.version)?,
        ),
        ("web.cdx.json", web::components(checkout)?),
    ];
    for (name, text) in &notes {
        fs::write(release.folder.join(name), text)?;
    }
    let packer = Packer::new(commit.seconds, !arguments.dry_run);
    package::pack_program(checkout, &release, &program, &packer)?;
    package::pack_chart(checkout, &release, &packer)?;
    if let Some(base) = &arguments.image {
        package::pack_image(checkout, &release, base)?;
    }
    step.done("the archive, the chart, the notes and the lists of components");

    let step = Step::quiet("Signature");
    let key = match &arguments.key {
        Some(secret) => Key::kept(checkout, secret)?,
        None => Key::throwaway(checkout, &release.folder)?,
    };
    signature::sign(checkout, &release, &key)?;
    verify(checkout, &release.folder, key.public())?;
    step.done(&format!("{SUMS} is signed, and the signature verified"));
    if !arguments.dry_run {
        changes.fold(checkout, &section)?;
        progress::line("  Commit CHANGELOG.md and the removed files of docs/changes/.");
    }
    Ok(release)
}

/// Reports advisories that could not be checked; an advisory fails the release.
fn report_advisories(checkout: &Checkout) -> anyhow::Result<()> {
    for (name, checked) in [
        ("crates", advisories::of_crates(checkout)?),
        ("npm packages", advisories::of_packages(checkout)?),
    ] {
        if checked == Checked::Nothing {
            progress::line(&format!("  Advisories of {name} were NOT CHECKED."));
        }
    }
    Ok(())
}

/// The version of the tag at `HEAD` (`v1.2.3`); fails if the checkout differs from it.
fn tagged(checkout: &Checkout) -> anyhow::Result<String> {
    let changed = layout::git(checkout, &["status", "--porcelain"])?;
    ensure!(changed.is_empty(), "the checkout has changes:\n{changed}");
    let tag = layout::git(
        checkout,
        &["describe", "--tags", "--exact-match", "--match", "v*"],
    );
    let tag = tag.context("a release is made from a commit with a tag, such as v1.2.3")?;
    version_of(tag.trim())
}

fn version_of(tag: &str) -> anyhow::Result<String> {
    let version = tag.strip_prefix('v').unwrap_or(tag);
    let numbers: Vec<_> = version.split('.').collect();
    let is_number = |part: &&str| {
        part.parse::<u32>()
            .is_ok_and(|number| number.to_string() == **part)
    };
    ensure!(
        numbers.len() == 3 && numbers.iter().all(is_number),
        "the tag {tag:?} names no version such as v1.2.3"
    );
    Ok(version.to_owned())
}

/// Builds the program, or uses the tests' build in a dry run.
fn build(checkout: &Checkout, arguments: &Arguments, version: &str) -> anyhow::Result<PathBuf> {
    if arguments.dry_run {
        let program = Program::build(checkout, Build::WithTests)?;
        return Ok(program.path().to_owned());
    }
    let program = server::released(checkout, version)?;
    let printed = process::read(
        "cityguide --version",
        Command::new(&program).arg("--version"),
    )?;
    ensure!(
        String::from_utf8_lossy(&printed).trim() == format!("cityguide {version}"),
        "the built program is not {version}"
    );
    Ok(program)
}

/// The commit of the release, whose time all packed files get, so that a repeated release has the same bytes.
struct Commit {
    seconds: String,
    date: String,
}

impl Commit {
    fn read(checkout: &Checkout) -> anyhow::Result<Self> {
        let shown = |format: &str| {
            let format = format!("--format={format}");
            layout::git(checkout, &["show", "--no-patch", "--date=short", &format])
        };
        Ok(Self {
            seconds: shown("%ct")?.trim().to_owned(),
            date: shown("%cd")?.trim().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_three_numbers() {
        assert_eq!(version_of("v1.20.3").unwrap(), "1.20.3");
        for tag in ["v1.2", "v1.2.3-rc", "v1.02.3", "latest", "v1.2.3.4"] {
            assert!(version_of(tag).is_err(), "{tag}");
        }
    }
}

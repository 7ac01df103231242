//! The changes since the last release: one file per change in `docs/changes/`, which a release adds to the changelog.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use servers::checkout::Checkout;

/// The folder of the files.
pub(super) const FOLDER: &str = "docs/changes";
pub(super) const CHANGELOG: &str = "CHANGELOG.md";

/// The headings of a file, in the changelog's order. The last lists what operators must do.
const KINDS: [&str; 6] = [
    "Security", "Added", "Changed", "Fixed", "Removed", UPGRADING,
];
const UPGRADING: &str = "Upgrading";

/// The changes of a release by kind.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Items of Markdown lists, with their kinds.
    items: Vec<(&'static str, String)>,
    files: Vec<PathBuf>,
}

impl Changes {
    /// Reads all files, in the order of their names; an error names the file and its line.
    pub(crate) fn read(checkout: &Checkout) -> anyhow::Result<Self> {
        Self::in_folder(&checkout.path(FOLDER))
    }

    fn in_folder(folder: &Path) -> anyhow::Result<Self> {
        let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let mut files = paths.collect::<Result<Vec<_>, _>>()?;
        files.retain(|path| path.file_name().is_some_and(|name| name != "README.md"));
        files.sort();
        let mut changes = Self::default();
        for path in &files {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let items = items(&text).with_context(|| path.display().to_string())?;
            changes.items.extend(items);
        }
        changes.files = files;
        Ok(changes)
    }

    /// Fails if there is nothing to release.
    pub(super) fn require_some(&self) -> anyhow::Result<()> {
        ensure!(
            !self.items.is_empty(),
            "{FOLDER}/ has no change since the last release, so there is nothing to release"
        );
        Ok(())
    }

    /// The changelog's section of a release.
    pub(super) fn section(&self, version: &str, date: &str) -> String {
        let kinds = KINDS.iter().map(|kind| (kind, self.of(kind)));
        let lists = kinds
            .filter(|(_, items)| !items.is_empty())
            .map(|(kind, items)| format!("\n### {kind}\n\n{}", items.concat()));
        format!("## {version} – {date}\n{}", lists.collect::<String>())
    }

    /// The notes for operators; empty if there is nothing to do.
    pub(super) fn upgrade_notes(&self, version: &str) -> String {
        let items = self.of(UPGRADING);
        if items.is_empty() {
            return format!("# Upgrading to {version}\n\nThere is nothing to do by hand.\n");
        }
        format!("# Upgrading to {version}\n\n{}", items.concat())
    }

    /// Adds the section to the changelog of the checkout and removes the files of the changes.
    pub(super) fn fold(&self, checkout: &Checkout, section: &str) -> anyhow::Result<()> {
        let path = checkout.path(CHANGELOG);
        let changelog = fs::read_to_string(&path)?;
        fs::write(&path, with_section(&changelog, section))?;
        for file in &self.files {
            fs::remove_file(file).with_context(|| file.display().to_string())?;
        }
        Ok(())
    }

    fn of(&self, kind: &str) -> Vec<&str> {
        let items = self.items.iter().filter(|(of, _)| *of == kind);
        items.map(|(_, item)| item.as_str()).collect()
    }
}

/// The changelog with a section before the sections of earlier releases.
pub(super) fn with_section(changelog: &str, section: &str) -> String {
    let preamble = changelog.find("\n## ").map_or(changelog.len(), |at| at + 1);
    let (preamble, earlier) = changelog.split_at(preamble);
    format!("{}\n\n{}\n{earlier}", preamble.trim_end(), section)
        .trim_end()
        .to_owned()
        + "\n"
}

/// The items of a file: lists below the headings of [`KINDS`].
fn items(text: &str) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut kind = None;
    let mut items: Vec<(&'static str, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(heading) = line.strip_prefix("### ") {
            let known = KINDS.into_iter().find(|kind| *kind == heading);
            kind = Some(known.with_context(|| {
                format!(
                    "line {number}: there is no heading {heading:?}, only {}",
                    KINDS.join(", ")
                )
            })?);
        } else if line.starts_with("- ") {
            let kind = kind.with_context(|| format!("line {number}: an item needs a heading"))?;
            items.push((kind, format!("{line}\n")));
        } else if line.starts_with("  ")
            && let Some((_, item)) = items.last_mut()
        {
            item.push_str(line);
            item.push('\n');
        } else if !line.trim().is_empty() {
            bail!("line {number}: {line:?} is neither a heading nor an item of a list");
        }
    }
    ensure!(!items.is_empty(), "the file lists no change");
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> anyhow::Result<Changes> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            fs::write(folder.path().join(name), text)?;
        }
        Changes::in_folder(folder.path())
    }

    #[test]
    fn a_release_lists_the_changes_of_all_files_by_kind() {
        let changes = of(&[
            ("b.md", "### Fixed\n\n- A fault\n  of two lines.\n"),
            ("README.md", "How to write these files."),
            (
                "a.md",
                "### Upgrading\n\n- Set a key.\n\n### Fixed\n\n- Another.\n",
            ),
        ])
        .unwrap();
        assert_eq!(
            changes.section("1.2.3", "2027-01-02"),
            "## 1.2.3 – 2027-01-02\n\n### Fixed\n\n- Another.\n- A fault\n  of two lines.\n\n### Upgrading\n\n- Set a key.\n"
        );
        assert_eq!(
            changes.upgrade_notes("1.2.3"),
            "# Upgrading to 1.2.3\n\n- Set a key.\n"
        );
        let changelog = "# Changelog\n\nNewest first.\n\n## 1.0.0 – 2026-01-01\n\n- Old.\n";
        let section = "## 1.2.3 – 2027-01-02\n\n- New.\n";
        assert_eq!(
            with_section(changelog, section),
            "# Changelog\n\nNewest first.\n\n## 1.2.3 – 2027-01-02\n\n- New.\n\n## 1.0.0 – 2026-01-01\n\n- Old.\n"
        );
        assert_eq!(
            with_section("# Changelog\n", section),
            "# Changelog\n\n## 1.2.3 – 2027-01-02\n\n- New.\n"
        );
    }

    #[test]
    fn without_a_change_there_is_no_release() {
        let error = of(&[("README.md", "")]).unwrap().require_some();
        assert!(
            error
                .unwrap_err()
                .to_string()
                .contains("nothing to release")
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_with_its_line() {
        for (text, message) in [
            ("- An item.\n", "line 1: an item needs a heading"),
            (
                "### New\n\n- An item.\n",
                "line 1: there is no heading \"New\"",
            ),
            ("### Fixed\n\nProse.\n", "line 3: \"Prose.\" is neither"),
            ("### Fixed\n", "lists no change"),
        ] {
            let error = format!("{:#}", of(&[("a.md", text)]).unwrap_err());
            assert!(
                error.contains("a.md: ") && error.contains(message),
                "{error}"
            );
        }
    }
}

//! Checks the checkout's layout: git tracks only the top-level entries that docs/ARCHITECTURE.md lists, and tests leave
//! no files behind.

use std::{collections::BTreeSet, process::Command};

use anyhow::bail;
use servers::{checkout::Checkout, process};

/// The allowed top-level entries.
const TOP: [&str; 24] = [
    ".cargo",
    ".ci",
    ".config",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "_typos.toml",
    "clippy.toml",
    "deny.toml",
    "deploy",
    "docs",
    "gateway",
    "helm",
    "loadtests",
    "proto",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "services",
    "web",
];

/// Fails if files outside the layout are tracked; the error names them.
pub(crate) fn check(checkout: &Checkout) -> anyhow::Result<()> {
    let tracked = git(checkout, &["ls-files"])?;
    let strays = strays(&tracked);
    if !strays.is_empty() {
        bail!(
            "tracked at the top level, where the layout has no such thing: {}",
            strays.join(", ")
        );
    }
    Ok(())
}

/// The paths of all files that git tracks.
pub(crate) fn tracked(checkout: &Checkout) -> anyhow::Result<Vec<String>> {
    let tracked = git(checkout, &["ls-files"])?;
    Ok(tracked.lines().map(str::to_owned).collect())
}

fn strays(tracked: &str) -> Vec<&str> {
    let top = tracked.lines().filter_map(|path| path.split('/').next());
    let top: BTreeSet<_> = top.collect();
    top.into_iter().filter(|name| !TOP.contains(name)).collect()
}

/// The state of the work tree, to notice a test run that leaves files behind.
#[derive(Debug)]
pub(crate) struct WorkTree {
    status: BTreeSet<String>,
}

impl WorkTree {
    /// Reads the modified and untracked files.
    pub(crate) fn read(checkout: &Checkout) -> anyhow::Result<Self> {
        let status = git(
            checkout,
            &["status", "--porcelain", "--untracked-files=all"],
        )?;
        let status = status.lines().map(str::to_owned).collect();
        Ok(Self { status })
    }

    /// Fails if files have changed since this was read; the error names them.
    pub(crate) fn require_unchanged(&self, checkout: &Checkout) -> anyhow::Result<()> {
        let now = Self::read(checkout)?;
        let left = now.status.difference(&self.status);
        // Tracked files may have been changed by a developer meanwhile.
        let left: Vec<_> = left
            .filter(|line| line.starts_with("??"))
            .cloned()
            .collect();
        if !left.is_empty() {
            bail!("the tests left files behind:\n{}", left.join("\n"));
        }
        Ok(())
    }
}

/// Returns the output of git in the checkout.
pub(crate) fn git(checkout: &Checkout, arguments: &[&str]) -> anyhow::Result<String> {
    let mut git = Command::new("git");
    git.args(arguments).current_dir(&checkout.root);
    let name = format!("git {}", arguments.join(" "));
    Ok(String::from_utf8(process::read(&name, &mut git)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_the_layout_does_not_have_is_a_stray() {
        let tracked = "Cargo.toml\nblobs/a.svg\nblobs/b.svg\nweb/index.html\n";
        assert_eq!(strays(tracked), ["blobs"]);
    }

    #[test]
    fn a_file_that_appears_during_the_tests_is_named() {
        let checkout = Checkout::here();
        let before = WorkTree::read(&checkout).unwrap();
        before.require_unchanged(&checkout).unwrap();
        let nothing = WorkTree {
            status: BTreeSet::new(),
        };
        let left = tempfile::Builder::new()
            .prefix("left-behind-")
            .tempfile_in(checkout.path("deploy/xtask"))
            .unwrap();
        let name = left.path().file_name().unwrap().to_str().unwrap();
        let error = nothing.require_unchanged(&checkout).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
}

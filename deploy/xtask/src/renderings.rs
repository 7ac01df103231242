//! The comparison of the pages that the Rust tests write with the application's rendering of them (`web/renderings/`).

use std::{fs, path::PathBuf};

use anyhow::Context;
use servers::{
    checkout::Checkout,
    process::{self, Output},
};

use crate::web;

/// The variable that names the folder of the pages.
pub(crate) const VARIABLE: &str = "CITYGUIDE_TEST_RENDERINGS";

/// The pages of a run. Their folder remains, so that the comparison can be repeated without the Rust tests.
pub(crate) struct Renderings {
    folder: PathBuf,
}

impl Renderings {
    /// Empties the folder.
    pub(crate) fn begin(checkout: &Checkout) -> anyhow::Result<Self> {
        let folder = checkout.kept().join("renderings");
        let shown = || folder.display().to_string();
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(shown)?;
        }
        fs::create_dir_all(&folder).with_context(shown)?;
        Ok(Self { folder })
    }

    pub(crate) fn folder(&self) -> &PathBuf {
        &self.folder
    }

    /// Compares the pages. A selection of tests may have written none.
    pub(crate) fn compare(&self, checkout: &Checkout, is_selection: bool) -> anyhow::Result<()> {
        if fs::read_dir(&self.folder)?.next().is_none() {
            anyhow::ensure!(is_selection, "the Rust tests wrote no pages");
            return Ok(());
        }
        web::install(checkout)?;
        let mut tests = web::npm(checkout, &["run", "test:renderings"]);
        tests.env(VARIABLE, &self.folder);
        process::run("npm run test:renderings in web/", &mut tests, Output::Shown)
    }
}

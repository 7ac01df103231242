//! The files of a release.

use std::path::PathBuf;

/// A finished release.
pub(crate) struct Release {
    /// The folder of the files to publish.
    pub(crate) folder: PathBuf,
    pub(crate) version: String,
}

impl Release {
    /// The published archive of the program.
    pub(crate) fn archive(&self) -> PathBuf {
        self.folder.join(format!("{}.tar.gz", self.name()))
    }

    /// The published chart.
    pub(crate) fn chart(&self) -> PathBuf {
        self.folder.join(format!("cityguide-{}.tgz", self.version))
    }

    /// The archive's name and the folder in it.
    pub(crate) fn name(&self) -> String {
        format!("cityguide-{}-x86_64-linux", self.version)
    }
}

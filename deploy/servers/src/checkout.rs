//! Paths in the checkout.

use std::path::{Path, PathBuf};

/// The checkout this tool was built from, with its private folder for data kept between runs.
#[derive(Debug, Clone)]
pub struct Checkout {
    /// Top folder of the checkout.
    pub root: PathBuf,
}

impl Checkout {
    /// The checkout that this tool was built from.
    #[must_use]
    pub fn here() -> Self {
        // `cargo run` sets the folder at run time; the compiled-in folder is for direct starts of the binary.
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.ancestors().nth(2).unwrap_or(&manifest).to_owned();
        Self { root }
    }

    /// A path below the top folder.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// `.cityguide`, which git ignores: databases, uploads, logs, stamps and tools.
    #[must_use]
    pub fn kept(&self) -> PathBuf {
        self.path(".cityguide")
    }

    /// The log of a quiet step; its folder exists after this call.
    pub fn log(&self, name: &str) -> std::io::Result<PathBuf> {
        let folder = self.kept().join("logs");
        std::fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{name}.log")))
    }

    /// A path for display: relative to the checkout if it is inside.
    #[must_use]
    pub fn shown<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}

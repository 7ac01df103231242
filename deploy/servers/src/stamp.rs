//! Stamps: small files that record the inputs of a build, so that unchanged inputs are not built again.

use std::{
    collections::hash_map::DefaultHasher,
    fs,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
};

use anyhow::Context;

/// The stamp file of a build, and the current hash of its inputs.
#[derive(Debug)]
pub struct Stamp {
    file: PathBuf,
    wanted: String,
}

impl Stamp {
    /// A stamp over the contents of files and folders; `without` names entries to leave out at any depth.
    pub fn over(
        file: PathBuf,
        root: &Path,
        entries: &[&str],
        without: &[&str],
    ) -> anyhow::Result<Self> {
        // This hash may change with the compiler's version, in which case the step is repeated.
        let mut hasher = DefaultHasher::new();
        for entry in entries {
            absorb(&root.join(entry), Path::new(entry), without, &mut hasher)?;
        }
        Ok(Self {
            file,
            wanted: format!("{:016x}\n", hasher.finish()),
        })
    }

    /// Whether the inputs are unchanged since the build.
    #[must_use]
    pub fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|found| found == self.wanted)
    }

    /// Removes the stamp before a build: an interrupted build must not look finished.
    pub fn clear(&self) -> anyhow::Result<()> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} cannot be removed", self.file.display()))
            }
            _ => Ok(()),
        }
    }

    /// Records a build from the inputs at the time this was created.
    pub fn set(&self) -> anyhow::Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&self.file, &self.wanted)
            .with_context(|| format!("{} cannot be written", self.file.display()))
    }
}

fn absorb(
    path: &Path,
    name: &Path,
    without: &[&str],
    hasher: &mut DefaultHasher,
) -> anyhow::Result<()> {
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let file_name = entry.file_name();
            if without.iter().all(|left_out| file_name != *left_out) {
                absorb(&entry.path(), &name.join(&file_name), without, hasher)?;
            }
        }
        return Ok(());
    }
    name.hash(hasher);
    fs::read(path)
        .with_context(|| format!("{} cannot be read", path.display()))?
        .hash(hasher);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_follows_contents_names_and_what_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("src/node_modules")).unwrap();
        fs::write(root.join("src/a.ts"), "1").unwrap();
        let stamp = || Stamp::over(root.join("stamp"), root, &["src"], &["node_modules"]).unwrap();

        assert!(!stamp().is_current());
        stamp().set().unwrap();
        fs::write(root.join("src/node_modules/b.js"), "2").unwrap();
        assert!(stamp().is_current());
        fs::write(root.join("src/a.ts"), "2").unwrap();
        assert!(!stamp().is_current());
    }
}

//! The crates of the workspace and their sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the checkout")
}

/// The crates of the workspace that each crate needs: to be built, and to be tested.
pub(crate) struct Crate {
    pub(crate) folder: PathBuf,
    pub(crate) needs: BTreeSet<String>,
    pub(crate) tested_with: BTreeSet<String>,
}

impl Crate {
    /// A crate under services/ with a role that a process can run; the others are libraries.
    pub(crate) fn is_service(&self, name: &str) -> bool {
        let parent = self.folder.parent().and_then(Path::file_name);
        parent.is_some_and(|parent| parent == "services")
            && name != "chassis"
            && self.folder.join("src/role.rs").is_file()
    }
}

pub(crate) fn crates() -> BTreeMap<String, Crate> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    let names: BTreeSet<String> = packages
        .iter()
        .map(|package| text(&package["name"]))
        .collect();
    packages
        .iter()
        .map(|package| {
            let (mut needs, mut tested_with) = (BTreeSet::new(), BTreeSet::new());
            for dependency in package["dependencies"].as_array().expect("dependencies") {
                let name = text(&dependency["name"]);
                if !names.contains(&name) {
                    continue;
                }
                match dependency["kind"].as_str() {
                    None => needs.insert(name),
                    Some("dev") => tested_with.insert(name),
                    Some(_) => continue,
                };
            }
            let manifest = PathBuf::from(text(&package["manifest_path"]));
            let folder = manifest.parent().expect("a folder").to_owned();
            (
                text(&package["name"]),
                Crate {
                    folder,
                    needs,
                    tested_with,
                },
            )
        })
        .collect()
}

pub(crate) fn services() -> BTreeMap<String, Crate> {
    let services: BTreeMap<_, _> = crates()
        .into_iter()
        .filter(|(name, package)| package.is_service(name))
        .collect();
    assert!(
        services.len() >= 3,
        "the services are no longer where this test looks"
    );
    services
}

/// Every Rust file below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["rs"])
}

/// Every file below a folder with one of the endings.
pub(crate) fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if endings
                .iter()
                .any(|ending| path.extension().is_some_and(|is| is == *ending))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The sources of every crate except the generated contracts.
pub(crate) fn all_sources() -> Vec<PathBuf> {
    let found: Vec<_> = ["services", "gateway", "deploy"]
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .filter(|path| path.components().any(|part| part.as_os_str() == "src"))
        .collect();
    assert!(
        found.len() > 50,
        "the sources are no longer where this test looks"
    );
    found
}

/// A file's code without its comment lines.
pub(crate) fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("UTF-8");
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether code contains a word that is not part of a longer one.
pub(crate) fn says(code: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        !before.ends_with(is_name) && (word.ends_with(['!', ':']) || !after.starts_with(is_name))
    })
}

pub(crate) fn below(path: &Path, folder: &str) -> bool {
    path.components().any(|part| part.as_os_str() == folder)
}

/// Names each file that contains one of the words.
pub(crate) fn violations<'a>(
    files: impl IntoIterator<Item = &'a PathBuf>,
    words: &[&str],
) -> Vec<String> {
    let root = root();
    files
        .into_iter()
        .flat_map(|path| {
            let code = code(path);
            let path = path
                .strip_prefix(&root)
                .unwrap_or(path)
                .display()
                .to_string();
            words
                .iter()
                .filter(|word| says(&code, word))
                .map(|word| format!("{path} says {word}"))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[track_caller]
pub(crate) fn assert_none(rule: &str, violations: &[String]) {
    assert!(
        violations.is_empty(),
        "{rule}:\n  {}",
        violations.join("\n  ")
    );
}

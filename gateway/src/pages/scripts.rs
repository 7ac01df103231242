//! Files of the built application that a page needs in addition to the files that all pages load.

use std::{
    collections::{BTreeSet, HashMap},
    fs, io,
    path::Path,
};

use serde::Deserialize;

use super::escape::in_text;

/// The build's manifest (Vite's `build.manifest`), below the application's folder.
const MANIFEST: &str = ".vite/manifest.json";

#[derive(Debug, Deserialize)]
struct Chunk {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
}

/// The scripts of the built application.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    /// Links for preloading a page's code together with the application's, by the page's module.
    links: HashMap<String, String>,
    /// The names of all files, without their folder.
    files: BTreeSet<String>,
}

impl Scripts {
    /// Reads the manifest; without a manifest, pages have no such links. The error describes an unreadable manifest.
    pub(super) fn read(root: &Path, index: &str) -> Result<Self, String> {
        let path = root.join(MANIFEST);
        let refuse = |why: &dyn ToString| format!("{}: {}", path.display(), why.to_string());
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(refuse(&error)),
        };
        let chunks: HashMap<String, Chunk> =
            serde_json::from_str(&text).map_err(|error| refuse(&error))?;
        let links = chunks
            .keys()
            .map(|module| (module.clone(), links(&chunks, module, index)))
            .collect();
        let files = chunks.values().filter_map(|chunk| {
            let name = chunk.file.rsplit('/').next();
            name.filter(|_| is_script(&chunk.file))
                .map(ToOwned::to_owned)
        });
        Ok(Self {
            links,
            files: files.collect(),
        })
    }

    /// Returns the links for a module of `web/src/routes`; empty if the build has no such module.
    pub(super) fn links(&self, module: &str) -> &str {
        let module = format!("src/routes/{module}.tsx");
        self.links.get(&module).map_or("", String::as_str)
    }

    /// Returns the names of the release's scripts, without their folder: `home-B3dFq1.js`.
    pub(crate) fn files(&self) -> &BTreeSet<String> {
        &self.files
    }
}

fn is_script(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|kind| kind == "js")
}

/// Links each file that a module needs and `index` does not.
fn links(chunks: &HashMap<String, Chunk>, module: &str, index: &str) -> String {
    let mut known = BTreeSet::new();
    let mut open = vec![module];
    let mut files = BTreeSet::new();
    while let Some(module) = open.pop() {
        let Some(chunk) = chunks.get(module).filter(|_| known.insert(module)) else {
            continue;
        };
        open.extend(chunk.imports.iter().map(String::as_str));
        if is_script(&chunk.file) && !index.contains(&chunk.file) {
            files.insert(&chunk.file);
        }
    }
    let link = |file: &&String| {
        let file = in_text(file);
        format!("<link rel=\"modulepreload\" fetchpriority=\"low\" crossorigin href=\"/{file}\">")
    };
    files.iter().map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULES: &str = r#"{
        "_first.js": { "file": "assets/first.js" },
        "_card.js": { "file": "assets/card.js", "imports": ["_first.js", "_picture.js"] },
        "_picture.js": { "file": "assets/picture.js", "imports": ["_card.js"] },
        "src/routes/place.tsx": { "file": "assets/place.js", "imports": ["_first.js", "_card.js"] },
        "style.css": { "file": "assets/style.css" }
    }"#;

    fn built(manifest: Option<&str>) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = manifest {
            fs::create_dir(folder.path().join(".vite")).unwrap();
            fs::write(folder.path().join(MANIFEST), text).unwrap();
        }
        folder
    }

    #[test]
    fn a_page_names_each_file_that_it_alone_needs_once() {
        let index = "<script src=\"/assets/first.js\"></script>";
        let folder = built(Some(MODULES));
        let scripts = Scripts::read(folder.path(), index).unwrap();
        let links = scripts.links("place");
        for (file, count) in [("card", 1), ("picture", 1), ("place", 1), ("first", 0)] {
            let href = format!("href=\"/assets/{file}.js\"");
            assert_eq!(links.matches(&href).count(), count, "{links}");
        }
        assert_eq!(scripts.links("none"), "");
        let files: Vec<_> = scripts.files().iter().collect();
        assert_eq!(files, ["card.js", "first.js", "picture.js", "place.js"]);
    }

    #[test]
    fn without_a_manifest_there_are_no_links_and_a_broken_one_is_refused() {
        let scripts = Scripts::read(built(None).path(), "").unwrap();
        assert_eq!(scripts.links("place"), "");
        let broken = built(Some("{"));
        assert!(
            Scripts::read(broken.path(), "")
                .unwrap_err()
                .contains("manifest.json")
        );
    }
}

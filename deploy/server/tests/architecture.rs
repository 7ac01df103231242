//! The rules of docs/ARCHITECTURE.md that the compiler does not keep: which crates may depend on which, and
//! where each kind of code is. Each violation is named with its file.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "architecture/circles.rs"]
mod circles;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The one crate that may know services.
const SERVER: &str = "cityguide";
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the checkout")
}

/// The crates of the workspace that each crate needs: to be built, and to be tested.
struct Crate {
    folder: PathBuf,
    needs: BTreeSet<String>,
    tested_with: BTreeSet<String>,
}

impl Crate {
    /// A service is a crate under services/ other than the chassis, the testkit and the libraries of pure functions.
    fn is_service(&self, name: &str) -> bool {
        let parent = self.folder.parent().and_then(Path::file_name);
        parent.is_some_and(|parent| parent == "services")
            && ![
                "ad-delivery",
                "chassis",
                "pictures",
                "suggestions",
                "testkit",
            ]
            .contains(&name)
    }
}

fn crates() -> BTreeMap<String, Crate> {
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
                let is_for_tests = dependency["kind"] == "dev";
                if names.contains(&name) {
                    if is_for_tests {
                        &mut tested_with
                    } else {
                        &mut needs
                    }
                    .insert(name);
                }
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

fn services() -> BTreeMap<String, Crate> {
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
fn sources(folder: &Path) -> Vec<PathBuf> {
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
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The sources of every crate but the generated contracts.
fn all_sources() -> Vec<PathBuf> {
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
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("UTF-8");
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether code contains a word that is not part of a longer one.
fn says(code: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        !before.ends_with(is_name) && (word.ends_with(['!', ':']) || !after.starts_with(is_name))
    })
}

fn below(path: &Path, folder: &str) -> bool {
    path.components().any(|part| part.as_os_str() == folder)
}

/// Names each file that contains one of the words.
fn violations<'a>(files: impl IntoIterator<Item = &'a PathBuf>, words: &[&str]) -> Vec<String> {
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
fn assert_none(rule: &str, violations: &[String]) {
    assert!(
        violations.is_empty(),
        "{rule}:\n  {}",
        violations.join("\n  ")
    );
}

#[test]
fn a_word_is_found_as_a_word_alone() {
    assert!(says("use crate::{store::{types}};", "store::"));
    assert!(says("sqlx::query_as!(Row, x)", "query_as"));
    assert!(says("sqlx::query!(x)", "query!"));
    assert!(!says("restore::all()", "store::"));
    assert!(!says("let tonic_water = 1;", "tonic"));
}

#[test]
fn only_the_server_knows_services() {
    let services: BTreeSet<String> = services().into_keys().collect();
    let mut violations = Vec::new();
    for (name, package) in crates() {
        for service in package.needs.intersection(&services) {
            if name != SERVER {
                violations.push(format!("{name} needs {service}"));
            }
        }
        for service in package.tested_with.intersection(&services) {
            // A service's tests may stand beside the real service that it calls.
            if name != SERVER && !services.contains(&name) {
                violations.push(format!("{name} is tested with {service}"));
            }
        }
    }
    assert_none(
        "services know each other by their contracts alone",
        &violations,
    );
}

#[test]
fn what_all_stand_on_knows_nobody_above_it() {
    let crates = crates();
    let needs = |name: &str| {
        crates[name]
            .needs
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
    };
    assert_eq!(needs("cityguide-proto"), [""; 0]);
    assert_eq!(needs("chassis-macros"), [""; 0]);
    assert_eq!(needs("chassis"), ["chassis-macros", "cityguide-proto"]);
    assert_eq!(needs("pictures"), [""; 0]);
    let contracts = ["chassis", "cityguide-proto"];
    assert_eq!(needs("ad-delivery"), contracts);
    assert_eq!(needs("suggestions"), contracts);
    let libraries = ["ad-delivery", "pictures", "suggestions"];
    let with = |used: &[&'static str]| {
        let mut all = [&contracts, used].concat();
        all.sort_unstable();
        all
    };
    assert_eq!(needs("gateway"), with(&libraries));
    for name in services().keys() {
        let used: &[&'static str] = match name.as_str() {
            "ads" => &["ad-delivery"],
            "editorial" => &["suggestions"],
            "photos" => &["pictures"],
            _ => &[],
        };
        assert_eq!(needs(name), with(used), "{name}");
    }
}

#[test]
fn the_testkit_is_for_tests() {
    let needing: Vec<String> = crates()
        .into_iter()
        .filter(|(_, package)| package.needs.contains("testkit"))
        .map(|(name, _)| format!("{name} needs testkit"))
        .collect();
    assert_none("what serves readers holds no test code", &needing);
}

/// Other packages of a build may bring a feature that a package lacks, and the package alone does not build.
#[test]
fn a_package_that_stops_tokios_clock_asks_for_the_feature() {
    let mut violations = Vec::new();
    for (name, package) in crates() {
        let pauses = |path: &PathBuf| says(&code(path), "tokio::time::pause");
        if !sources(&package.folder.join("src")).iter().any(pauses) {
            continue;
        }
        let manifest = fs::read_to_string(package.folder.join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let features = manifest["dependencies"]["tokio"].get("features");
        let features = features.and_then(toml::Value::as_array);
        if !features.is_some_and(|features| features.contains(&"test-util".into())) {
            violations.push(format!("{name}: tokio's test-util"));
        }
    }
    assert_none("packages name the features that they use", &violations);
}

#[test]
fn every_service_has_the_same_shape_and_says_what_it_is() {
    let mut violations = Vec::new();
    for (name, package) in services() {
        for part in [
            "src/domain",
            "src/store",
            "src/usecases",
            "src/grpc",
            "migrations",
            "tests",
        ] {
            if !package.folder.join(part).is_dir() {
                violations.push(format!("{name} has no {part}/"));
            }
        }
    }
    for (name, package) in crates() {
        if below(&package.folder, "services") && !package.folder.join("README.md").is_file() {
            violations.push(format!("{name} has no README.md"));
        }
    }
    assert_none("services are alike", &violations);
}

#[test]
fn the_domain_knows_no_transport_and_no_database() {
    let files = services()
        .into_values()
        .flat_map(|service| sources(&service.folder.join("src/domain")));
    let files: Vec<_> = files.collect();
    assert!(!files.is_empty());
    let words = ["tonic", "cityguide_proto", "prost", "axum", "sqlx"];
    assert_none("a domain is rules alone", &violations(&files, &words));
}

#[test]
fn layers_call_downwards() {
    for (layer, words) in [
        ("src/grpc", ["store::"].as_slice()),
        ("src/usecases", &["grpc::", "tonic::Status"]),
        (
            "src/store",
            &["grpc::", "usecases::", "cityguide_proto", "tonic"],
        ),
        ("src/domain", &["grpc::", "usecases::", "store::"]),
    ] {
        let files = services()
            .into_values()
            .flat_map(|service| sources(&service.folder.join(layer)));
        let files: Vec<_> = files.collect();
        assert_none(
            &format!("{layer} reaches past its layer"),
            &violations(&files, words),
        );
    }
}

#[test]
fn sql_stands_in_the_store() {
    let words = [
        "sqlx::query",
        "sqlx::raw_sql",
        "query!",
        "query_as",
        "query_scalar",
        "QueryBuilder",
    ];
    let elsewhere: Vec<PathBuf> = all_sources()
        .into_iter()
        .filter(|path| {
            !["testkit", "bench", "xtask"]
                .iter()
                .any(|tool| below(path, tool))
        })
        .filter(|path| !(below(path, "store") || below(path, "chassis") && below(path, "postgres")))
        .collect();
    assert_none("only stores speak SQL", &violations(&elsewhere, &words));
}

#[test]
fn time_and_randomness_are_injected() {
    let ambient = [
        "Utc::now",
        "Local::now",
        "SystemTime::now",
        "OsRng",
        "thread_rng",
        "Uuid::new_v4",
    ];
    let files: Vec<PathBuf> = all_sources()
        .into_iter()
        .filter(|path| !below(path, "xtask"))
        .filter(|path| !path.ends_with("chassis/src/clock.rs"))
        .filter(|path| !path.ends_with("chassis/src/entropy.rs"))
        .collect();
    assert_none("take a Clock or an Entropy", &violations(&files, &ambient));
}

#[test]
fn no_file_is_too_long_to_read() {
    let root = root();
    let long: Vec<String> = all_sources()
        .iter()
        .map(|path| {
            (
                path,
                fs::read_to_string(path).expect("UTF-8").lines().count(),
            )
        })
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(path, lines)| {
            format!(
                "{} has {lines} lines",
                path.strip_prefix(&root).unwrap_or(path).display()
            )
        })
        .collect();
    assert_none("look for the seam", &long);
}

#[test]
fn a_file_is_named_for_what_it_holds() {
    let vague = [
        "utils", "util", "helpers", "helper", "common", "misc", "shared",
    ];
    let root = root();
    let found: Vec<String> = all_sources()
        .iter()
        .filter_map(|path| path.strip_prefix(&root).ok())
        .filter(|path| {
            path.with_extension("")
                .iter()
                .any(|part| vague.iter().any(|v| part == *v))
        })
        .map(|path| path.display().to_string())
        .collect();
    assert_none("names say nothing", &found);
}

/// Sources by path below `src/`, for the circles test.
fn sources_of(files: &[(&str, &str)]) -> circles::Sources {
    let files = files.iter();
    files
        .map(|(path, code)| ((*path).to_owned(), (*code).to_owned()))
        .collect()
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    for files in [
        // By `use`, past a re-export.
        [
            ("mod.rs", "pub(crate) use self::a::A; mod a; mod b;"),
            ("a.rs", "use super::b::{self, B as Other}; struct A;"),
            ("b.rs", "use crate::A; struct B;"),
        ],
        // A parent and its child, by paths within the code.
        [
            ("lib.rs", "mod a; /* crate::a::b */"),
            ("a.rs", "mod b; pub fn f() { b::g::<'_'>(\"x\") }"),
            ("a/b.rs", "pub fn g() { super::f() }"),
        ],
        // A re-export whose file uses the name too.
        [
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "pub use b::B; mod b; struct C(B);"),
            ("a/b.rs", "pub struct B(Box<super::C>);"),
        ],
    ] {
        let found = circles::circles(&sources_of(&files));
        assert_eq!(found.len(), 1, "{files:?}: {found:?}");
    }
}

#[test]
fn declarations_re_exports_and_tests_make_no_circle() {
    for files in [
        [
            ("lib.rs", "mod a; mod b; pub use a::A;"),
            (
                "a.rs",
                "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }",
            ),
            ("b.rs", "// use crate::b;\nuse crate::A; struct B(A);"),
        ],
        [
            ("lib.rs", "pub mod a; mod b;"),
            (
                "a.rs",
                "const TEXT: &str = r#\"use crate::b::B;\"#; use serde::{b, de::{B}};",
            ),
            ("b.rs", "use super::a::TEXT; struct B;"),
        ],
    ] {
        assert_none("no circle", &circles::circles(&sources_of(&files)));
    }
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    let mut found = Vec::new();
    for (name, package) in crates() {
        let is_below = |folder| below(&package.folder, folder);
        if !is_below("services") && !is_below("gateway") && name != SERVER {
            continue;
        }
        let folder = package.folder.join("src");
        let files = sources(&folder).into_iter().map(|path| {
            let name = path.strip_prefix(&folder).expect("below src/");
            let code = fs::read_to_string(&path).expect("UTF-8");
            (name.display().to_string(), code)
        });
        let circles = circles::circles(&files.collect());
        let named = circles.iter().map(|circle| format!("{name}: {circle}"));
        found.extend(named);
    }
    assert_none("a circle of files has no order to be read in", &found);
}

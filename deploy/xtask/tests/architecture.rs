//! The rules of docs/ARCHITECTURE.md that the compiler does not enforce: which crates may depend on which, and where
//! each kind of code is. Each violation is named with its file.
#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

#[path = "architecture/circles.rs"]
mod circles;
#[path = "architecture/workspace.rs"]
mod workspace;

use std::{collections::BTreeSet, ffi::OsStr, fs, path::PathBuf};

use workspace::{
    all_sources, assert_none, below, code, crates, files, root, says, services, sources, violations,
};

/// The only crate that may depend on services.
const SERVER: &str = "cityguide";
const MAX_LINES: usize = 500;

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
            // A service's tests may use the real service that it calls.
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
    let needs =
        |name: &str| -> Vec<&str> { crates[name].needs.iter().map(String::as_str).collect() };
    for alone in [
        "cityguide-proto",
        "chassis-macros",
        "pictures",
        "vocabulary",
    ] {
        assert_eq!(needs(alone), [""; 0], "{alone}");
    }
    assert_eq!(needs("chassis"), ["chassis-macros", "cityguide-proto"]);
    let is_contract = |name: &&str| name.ends_with("-proto");
    for name in crates.keys().map(String::as_str).filter(is_contract) {
        let allowed: &[&str] = match name {
            "cityguide-proto" => &[],
            _ => &["cityguide-proto"],
        };
        assert_eq!(needs(name), allowed, "{name}");
    }
    let libraries = |name: &str| {
        let mut used = needs(name);
        used.retain(|name| !name.ends_with("-proto") && *name != "chassis");
        used
    };
    assert_eq!(libraries("ad-delivery"), [""; 0]);
    assert_eq!(libraries("suggestions"), [""; 0]);
    assert_eq!(libraries("site"), ["ad-delivery", "vocabulary"]);
    assert_eq!(libraries("publishing"), ["ad-delivery", "pictures", "site"]);
    assert_eq!(
        libraries("gateway"),
        [
            "ad-delivery",
            "pictures",
            "site",
            "suggestions",
            "vocabulary"
        ]
    );
    for name in services().keys() {
        let used: &[&str] = match name.as_str() {
            "ads" => &["ad-delivery"],
            "bookmarks" | "identity" | "newsletters" | "places" => &["vocabulary"],
            "editorial" => &["suggestions", "vocabulary"],
            "photos" => &["pictures"],
            _ => &[],
        };
        assert_eq!(libraries(name), used, "{name}");
    }
}

/// A change of a contract rebuilds only its service and the services that call it.
#[test]
fn only_what_calls_a_service_is_built_with_its_contract() {
    for (name, package) in services() {
        let contract = format!("{name}-proto");
        for base in ["chassis", "site", "vocabulary", "pictures"] {
            assert!(
                !crates()[base].needs.contains(&contract),
                "{base}: {contract}"
            );
        }
        assert!(package.needs.contains(&contract), "{name}");
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

/// Because of Cargo's feature unification, a package that does not enable a feature it needs may build with the
/// workspace but fail to build on its own.
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

/// The contracts' crates, as code names them.
fn contracts() -> Vec<String> {
    let names = crates().into_keys().filter(|name| name.ends_with("-proto"));
    names.map(|name| name.replace('-', "_")).collect()
}

#[test]
fn the_domain_knows_no_transport_and_no_database() {
    let files = services()
        .into_values()
        .flat_map(|service| sources(&service.folder.join("src/domain")));
    let files: Vec<_> = files.collect();
    assert!(!files.is_empty());
    let contracts: Vec<String> = contracts();
    let mut words = vec!["tonic", "prost", "axum", "sqlx"];
    words.extend(contracts.iter().map(String::as_str));
    assert_none("a domain is rules alone", &violations(&files, &words));
}

#[test]
fn layers_call_downwards() {
    let contracts = contracts();
    let mut above_store = vec!["grpc::", "usecases::", "tonic"];
    above_store.extend(contracts.iter().map(String::as_str));
    for (layer, words) in [
        ("src/grpc", ["store::"].as_slice()),
        ("src/usecases", &["grpc::", "tonic::Status"]),
        ("src/store", &above_store),
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
        .filter(|(_, lines)| *lines > MAX_LINES)
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

/// Sources of texts for readers: pages, mails and messages about pictures.
const READERS_TEXTS: [&str; 6] = [
    "gateway/src/pages",
    "gateway/src/words",
    "services/chassis/src/mail",
    "services/identity/src/domain/letters.rs",
    "services/newsletters/src/domain",
    "services/pictures/src/refusal.rs",
];

#[test]
fn readers_texts_have_typographic_apostrophes() {
    let root = root();
    let is_readers = |path: &PathBuf| {
        READERS_TEXTS
            .iter()
            .any(|text| path.starts_with(root.join(text)))
    };
    let sources = all_sources().into_iter().filter(is_readers);
    let found: Vec<String> = sources
        .chain(files(&root.join("deploy/demo"), &["md", "toml"]))
        .filter(|path| {
            let lines = fs::read_to_string(path).expect("UTF-8");
            let ending = path.extension().and_then(OsStr::to_str);
            lines.lines().any(|line| {
                let text = match ending {
                    Some("rs") if line.contains("//") => None,
                    Some("rs") => line.split_once('"').map(|(_, text)| text),
                    Some("toml") if line.starts_with('#') => None,
                    _ => Some(line),
                };
                text.is_some_and(has_straight_apostrophe)
            })
        })
        .map(|path| path.display().to_string())
        .collect();
    assert_none("write ’ between letters", &found);
}

fn has_straight_apostrophe(text: &str) -> bool {
    let mut parts = text.split('\'').peekable();
    while let (Some(before), Some(after)) = (parts.next(), parts.peek()) {
        if before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic) {
            return true;
        }
    }
    false
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

//! The list of the program's crates (`CycloneDX` 1.5), from cargo's resolution of the lock file.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};
use servers::{checkout::Checkout, process};

use crate::server::cargo;

/// The platform of released programs.
pub(super) const PLATFORM: &str = "x86_64-unknown-linux-gnu";
const PROGRAM: &str = "cityguide";

#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Debug, Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// `None` for a crate of the workspace.
    source: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Use>,
}

#[derive(Debug, Deserialize)]
struct Use {
    /// `dev`, `build`, or `None` for a dependency that is part of the program.
    kind: Option<String>,
}

/// Returns the document for this version of the program.
pub(crate) fn of_program(checkout: &Checkout, version: &str) -> anyhow::Result<String> {
    let mut metadata = cargo(checkout);
    metadata.args(["metadata", "--format-version", "1", "--locked"]);
    metadata.args(["--filter-platform", PLATFORM]);
    let metadata = process::read("cargo metadata", &mut metadata)?;
    let document = document(&serde_json::from_slice(&metadata)?, version)?;
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

fn document(metadata: &Metadata, version: &str) -> anyhow::Result<Value> {
    let packages = metadata.packages.iter();
    let packages: BTreeMap<_, _> = packages.map(|one| (one.id.as_str(), one)).collect();
    let nodes = metadata.resolve.nodes.iter();
    let uses: BTreeMap<_, Vec<_>> = nodes
        .map(|node| {
            let linked = node.deps.iter().filter(|used| is_linked(used));
            (
                node.id.as_str(),
                linked.map(|used| used.pkg.as_str()).collect(),
            )
        })
        .collect();
    let program = metadata.packages.iter().find(|one| one.name == PROGRAM);
    let program = program.context("the workspace has no program")?;
    let mut found = BTreeSet::new();
    let mut waiting = vec![program.id.as_str()];
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            waiting.extend(&uses[id]);
        }
    }
    let all: Vec<_> = found.iter().map(|id| packages[id]).collect();
    let components: Vec<_> = all
        .iter()
        .filter(|one| one.id != program.id)
        .map(|one| component(one, "library", &one.version))
        .collect();
    let dependencies: Vec<_> = all
        .iter()
        .map(|one| {
            let on: Vec<_> = uses[one.id.as_str()]
                .iter()
                .map(|id| reference(packages[id]))
                .collect();
            json!({"ref": reference(one), "dependsOn": on})
        })
        .collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(program, "application", version)},
        "components": components,
        "dependencies": dependencies,
    }))
}

/// Whether a dependency becomes part of the program: not one of its build or its tests.
fn is_linked(dependency: &Dependency) -> bool {
    dependency.dep_kinds.iter().any(|used| used.kind.is_none())
}

fn component(package: &Package, kind: &str, version: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": reference(package),
        "name": package.name,
        "version": version,
    });
    if let Some(license) = &package.license {
        // Old manifests separate alternatives by a slash.
        let expression = license.replace('/', " OR ");
        component["licenses"] = json!([{"expression": expression}]);
    }
    if package.source.is_some() {
        component["purl"] = json!(reference(package));
    }
    component
}

/// A crate's package URL, which also identifies it in the document.
fn reference(Package { name, version, .. }: &Package) -> String {
    format!("pkg:cargo/{name}@{version}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_that_only_tests_or_builds_use_are_not_listed() {
        let checkout = Checkout::here();
        let document: Value =
            serde_json::from_str(&of_program(&checkout, "1.2.3").unwrap()).unwrap();
        assert_eq!(document["metadata"]["component"]["version"], "1.2.3");
        let components = document["components"].as_array().unwrap();
        let names: BTreeSet<_> = components
            .iter()
            .filter_map(|one| one["name"].as_str())
            .collect();
        for linked in ["gateway", "axum", "sqlx-postgres", "prost"] {
            assert!(names.contains(linked), "{linked}");
        }
        for unlinked in ["testkit", "tonic-prost-build", "xtask", "s3s", "cityguide"] {
            assert!(!names.contains(unlinked), "{unlinked}");
        }
        let licensed = components
            .iter()
            .filter(|one| one["licenses"][0]["expression"].is_string());
        assert!(licensed.count() * 10 > components.len() * 9);
        let references: BTreeSet<_> = components
            .iter()
            .chain([&document["metadata"]["component"]])
            .map(|one| &one["bom-ref"])
            .map(Value::to_string)
            .collect();
        for one in document["dependencies"].as_array().unwrap() {
            for on in one["dependsOn"].as_array().unwrap() {
                assert!(references.contains(&on.to_string()), "{on}");
            }
        }
    }
}

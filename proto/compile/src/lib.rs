//! Compiles contracts with protox for the build scripts of their crates, so that builds do not need `protoc`.
#![expect(clippy::print_stdout, reason = "cargo reads what build scripts print")]

use std::{
    env,
    error::Error,
    fs, io,
    path::{Path, PathBuf},
};

use protox::prost_reflect::prost_types::{FileDescriptorProto, method_options::IdempotencyLevel};

/// The packages of the crate `cityguide-proto`, which the other contracts import.
pub const COMMON: [&str; 5] = ["events", "intake", "paging", "readers", "saved"];

/// Writes the generated code of packages to the file `packages.rs` in the build script's output folder, and the table
/// of their calls to `calls.rs`. `root` is the folder `proto/`, relative to the crate's folder.
pub fn compile(root: &str, packages: &[&str]) -> Result<(), Box<dyn Error>> {
    let root = Path::new(root);
    let mut contracts = Vec::new();
    for package in packages {
        let folder = root.join("cityguide").join(package).join("v1");
        println!("cargo:rerun-if-changed={}", folder.display());
        contracts.extend(files(&folder)?);
    }
    let all = protox::compile(&contracts, [root])?;
    let mut build = tonic_prost_build::configure().include_file("packages.rs");
    for package in COMMON {
        if !packages.contains(&package) {
            let folder = root.join("cityguide").join(package).join("v1");
            println!("cargo:rerun-if-changed={}", folder.display());
            let path = format!("::cityguide_proto::{package}");
            build = build.extern_path(format!(".cityguide.{package}"), path);
        }
    }
    let own = |file: &FileDescriptorProto| {
        let package = file.package().split('.').nth(1);
        package.is_some_and(|package| packages.contains(&package))
    };
    let calls = calls(all.file.iter().filter(|file| own(file)));
    let generated = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(generated.join("calls.rs"), format!("{calls:?}"))?;
    // Imported packages are needed to resolve types, but no code is generated for them.
    build.compile_fds(all)?;
    Ok(())
}

/// The path of every call, and whether it only reads: `("/cityguide.places.v1.Places/ListListings", true)`.
fn calls<'a>(files: impl Iterator<Item = &'a FileDescriptorProto>) -> Vec<(String, bool)> {
    let mut calls = Vec::new();
    for file in files {
        for service in &file.service {
            let name = format!("/{}.{}", file.package(), service.name());
            calls.extend(service.method.iter().map(|call| {
                let level = call.options.clone().unwrap_or_default().idempotency_level();
                let path = format!("{name}/{}", call.name());
                (path, level == IdempotencyLevel::NoSideEffects)
            }));
        }
    }
    calls.sort();
    calls
}

/// The contracts of a folder, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut found = entries.collect::<io::Result<Vec<_>>>()?;
    found.retain(|path| path.extension().is_some_and(|ending| ending == "proto"));
    found.sort();
    Ok(found)
}

//! Compiles the contracts with protox, so that nobody needs `protoc`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use protox::prost_reflect::prost_types::{FileDescriptorSet, method_options::IdempotencyLevel};

/// The root folder of packages, each in folders of its name.
const ROOT: &str = "cityguide";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed={ROOT}");
    let descriptors = protox::compile(contracts(Path::new(ROOT))?, ["."])?;
    let generated = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(
        generated.join("calls.rs"),
        format!("{:?}", calls(&descriptors)),
    )?;
    tonic_prost_build::configure()
        .include_file("packages.rs")
        .compile_fds(descriptors)?;
    Ok(())
}

/// The path of every call, and whether it only reads: `("/cityguide.places.v1.Places/ListListings", true)`.
fn calls(descriptors: &FileDescriptorSet) -> Vec<(String, bool)> {
    let mut calls = Vec::new();
    for file in &descriptors.file {
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

/// Every contract below a folder.
fn contracts(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(contracts(&path)?);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "proto")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

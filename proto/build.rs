//! Compiles the contracts with protox, so that nobody needs `protoc`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The root folder of packages, each in folders of its name.
const ROOT: &str = "cityguide";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed={ROOT}");
    let descriptors = protox::compile(contracts(Path::new(ROOT))?, ["."])?;
    tonic_prost_build::configure()
        .include_file("packages.rs")
        .compile_fds(descriptors)?;
    Ok(())
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

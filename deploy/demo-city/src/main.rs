//! Writes the generated parts of the demo city: its unreviewed places and its pictures.
//! `cargo xtask gen places pictures` runs it; it prints how many of each there are.

mod demo;
mod pictures;

use std::{
    io::{Write as _, stdout},
    path::{Path, PathBuf},
};

use clap::Parser;

use crate::demo::listed::Directory;

/// The two generated parts of the demo city.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// The places without a review, from places.toml
    Places,
    /// The pictures, as pictures.toml describes them
    Pictures,
}

/// Generates parts of the demo city.
#[derive(Debug, Parser)]
struct Arguments {
    /// Which parts
    #[arg(required = true)]
    parts: Vec<Part>,
}

fn main() -> anyhow::Result<()> {
    let Arguments { parts } = Arguments::parse();
    let directory = Directory::read(&file("places.toml"))?;
    // Places first, because they have pictures.
    if parts.contains(&Part::Places) {
        let count = directory.write(&content())?;
        writeln!(stdout(), "{count} places")?;
    }
    if parts.contains(&Part::Pictures) {
        let count = pictures::generate(&content(), &file("pictures.toml"), &directory)?;
        writeln!(stdout(), "{count} pictures")?;
    }
    Ok(())
}

/// The demo city's content folder.
fn content() -> PathBuf {
    file("../demo")
}

/// A file of this crate, in the checkout that it was built from.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

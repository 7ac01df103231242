//! Writes the generated parts of the demo city, its unreviewed places and its pictures (`cargo xtask gen places pictures`),
//! and uploads its readers' photos (`cargo xtask up`). It prints how many of each there are.

mod demo;
mod photos;
mod pictures;

use std::{
    io::{Write as _, stdout},
    path::{Path, PathBuf},
};

use clap::Parser;

use crate::{
    demo::{area, listed::Directory},
    pictures::scenes::Scenes,
};

/// The two generated parts of the demo city.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// The places without a review, from places.toml
    Places,
    /// The pictures, as pictures.toml describes them
    Pictures,
}

/// Makes parts of the demo city.
#[derive(Debug, Parser)]
enum Command {
    /// Writes generated parts into the checkout.
    Write {
        /// Parts to write
        #[arg(required = true)]
        parts: Vec<Part>,
    },
    Photos(photos::Arguments),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Write { parts } => write(&parts),
        Command::Photos(arguments) => photos::upload(&arguments),
    }
}

fn write(parts: &[Part]) -> anyhow::Result<()> {
    // Places first, because they have pictures.
    if parts.contains(&Part::Places) {
        let count = Directory::read(&file("places.toml"))?.write(&content())?;
        writeln!(stdout(), "{count} places")?;
    }
    if parts.contains(&Part::Pictures) {
        let areas = area::read(&content().join("neighbourhoods.geojson"))?;
        let scenes = Scenes::read(&file("scenes.toml"))?;
        let count = pictures::generate(&content(), &areas, &scenes, &file("pictures.toml"))?;
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

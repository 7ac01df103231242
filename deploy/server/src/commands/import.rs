//! `cityguide import`: places and neighbourhoods from GeoJSON.

use std::{fs::File, io::BufReader, path::PathBuf};

use clap::Subcommand;

use super::{operated::Operated, report::print_report};
use crate::{
    import::{self, Source},
    settings::Settings,
    targets::Target,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Neighbourhoods with their boundaries: a GeoJSON `FeatureCollection` whose features have
    /// `AREA_ID` and `AREA_NAME`.
    Neighbourhoods {
        /// The file.
        file: PathBuf,
    },
    /// Places to eat and drink: a GeoJSON `FeatureCollection` of OpenStreetMap's points, with `@id`,
    /// `name` and `amenity`.
    Places {
        /// The file.
        file: PathBuf,
    },
}

/// Reads a file and hands it to places, all in one transaction.
pub(super) async fn import(settings: &Settings, import: Import) -> Result<(), String> {
    let (source, file) = match import {
        Import::Neighbourhoods { file } => (Source::Neighbourhoods, file),
        Import::Places { file } => (Source::Places, file),
    };
    let name = file.display().to_string();
    let reader = File::open(&file).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let system = Operated::connect(settings).await?;
    let places = system.transport(Target::Places)?;
    let report = import::run(places, source, BufReader::new(reader))
        .await
        .map_err(|why| format!("{name}: {why}; nothing was imported"))?;
    print_report(&report, &name)
}

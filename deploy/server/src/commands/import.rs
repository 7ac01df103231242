//! `cityguide import`: places and neighbourhoods from GeoJSON, events from JSON-LD, inspections from CSV.

use std::{
    fs::File,
    io::{BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use cityguide_proto::{
    intake::v1::{Finish, Report},
    places::v1::EstablishmentCounts,
};
use clap::{Args, Subcommand};
use gateway::SiteFacts;
use serde_json::json;

use super::{
    console::print,
    operated::Operated,
    report::{print_changes, print_report},
};
use crate::{
    import::{self, Source},
    settings::Settings,
    targets::Target,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Neighbourhoods with their boundaries: a GeoJSON `FeatureCollection` whose features have
    /// `AREA_ID` and `AREA_NAME`.
    Neighbourhoods(Options),
    /// Events: JSON-LD of schema.org's `Event`, in an array, a `@graph` or alone.
    Events(Options),
    /// Places to eat and drink: a GeoJSON `FeatureCollection` of OpenStreetMap's points, lines and areas, as Overpass turbo,
    /// osmium, ogr2ogr or HOT's export tool write it.
    Places(Options),
    /// Food inspections: the CSV of the city's register (`DineSafe`), matched with places by name, address and distance.
    Inspections(InspectionOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InspectionOptions {
    #[command(flatten)]
    options: Options,
    /// Write doubtful matches into this CSV file. Answer yes or no in its first column, and give it to --reviewed.
    #[arg(long)]
    review: Option<PathBuf>,
    /// Take the answers of a file that --review has written. It may be the same file: it is read first.
    #[arg(long)]
    reviewed: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The file.
    file: PathBuf,
    /// Print what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Items that may be refused. If more are, nothing is imported.
    #[arg(long, default_value_t = 0)]
    refuse_at_most: u32,
    /// Write what is refused into this file: a line of JSON for each, with its position, source id and reason.
    #[arg(long)]
    refused: Option<PathBuf>,
}

/// Reads a file and hands it to its service, all in one transaction.
pub(super) async fn import(settings: &Settings, import: Import) -> Result<(), String> {
    let (source, options) = match import {
        Import::Neighbourhoods(options) => (Some(Source::Neighbourhoods), options),
        Import::Places(options) => (Some(Source::Places), options),
        Import::Events(options) => (None, options),
        Import::Inspections(options) => return inspections(settings, options).await,
    };
    let file = open(&options.file)?;
    let site = SiteFacts::read(&settings.site.file).map_err(|fault| fault.message)?;
    let system = Operated::connect(settings).await?;
    let finish = finish(&options);
    let report = if let Some(source) = source {
        let places = system.transport(Target::Places)?;
        import::places(places, (source, site.city_slug), file, finish).await
    } else {
        let editorial = system.transport(Target::Editorial)?;
        import::events(editorial, site.timezone, file, finish).await
    };
    let report = report.map_err(|why| failed(&options, &why))?;
    conclude(&options, &report)
}

/// Reads the register of inspections and hands it to places, all in one transaction.
async fn inspections(settings: &Settings, inspections: InspectionOptions) -> Result<(), String> {
    let InspectionOptions {
        options,
        review,
        reviewed: answered,
    } = inspections;
    let file = open(&options.file)?;
    let reviewed = answered.as_deref().map(open).transpose()?;
    let system = Operated::connect(settings).await?;
    let places = system.transport(Target::Places)?;
    let answer = import::inspections(places, file, reviewed, finish(&options)).await;
    let answer = answer.map_err(|why| failed(&options, &why))?;
    let report = answer.report.unwrap_or_default();
    if let Some(path) = &review
        // Answers that were not taken stay in their file.
        && (report.applied || !is_one_file(path, answered.as_deref()))
    {
        let unwritable = |error: String| format!("{} cannot be written: {error}", path.display());
        let file = File::create(path).map_err(|error| unwritable(error.to_string()))?;
        import::write_review(BufWriter::new(file), &answer.doubtful)
            .map_err(|error| unwritable(error.to_string()))?;
    }
    let counts = answer.establishments.unwrap_or_default();
    let EstablishmentCounts {
        by_id,
        matched,
        decided,
        doubtful,
        unmatched,
    } = counts;
    print(&format!(
        "establishments: {} stored, {by_id} linked by id, {matched} by name, address and distance, {decided} by decision, \
         {doubtful} doubtful, {unmatched} without a place",
        by_id + matched + decided + doubtful + unmatched
    ))?;
    conclude(&options, &report)
}

fn is_one_file(review: &Path, reviewed: Option<&Path>) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    reviewed.is_some_and(|reviewed| whole(review).is_some() && whole(review) == whole(reviewed))
}

fn open(path: &Path) -> Result<BufReader<File>, String> {
    let file = File::open(path);
    let file = file.map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    Ok(BufReader::new(file))
}

fn finish(options: &Options) -> Finish {
    Finish {
        dry_run: options.dry_run,
        all_or_nothing: false,
        refuse_at_most: Some(options.refuse_at_most),
    }
}

fn failed(options: &Options, why: &str) -> String {
    format!("{}: {why}; nothing was imported", options.file.display())
}

/// Prints the report, and fails if more was refused than is allowed.
fn conclude(options: &Options, report: &Report) -> Result<(), String> {
    let name = options.file.display().to_string();
    if let Some(path) = &options.refused {
        write_refused(path, report)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    }
    if options.dry_run {
        print_changes(report)?;
    }
    print_report(report, &name)?;
    let counts = report.kinds.iter().filter_map(|kind| kind.counts);
    let refused: u32 = counts.map(|counts| counts.refused).sum();
    let allowed = options.refuse_at_most;
    if refused > allowed {
        return Err(format!(
            "{name}: {refused} refused, more than the {allowed} of --refuse-at-most; nothing was imported"
        ));
    }
    if options.dry_run {
        print("nothing was changed: this was a dry run")?;
    }
    Ok(())
}

fn write_refused(path: &Path, report: &Report) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for refusal in &report.refusals {
        let line = json!({
            "position": refusal.position,
            "source_id": refusal.source_id,
            "reason": refusal.reason,
        });
        writeln!(file, "{line}")?;
    }
    file.flush()
}

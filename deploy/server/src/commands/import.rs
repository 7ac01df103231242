//! `cityguide import`: places, neighbourhoods and the base map from GeoJSON, places from CSV, events from iCalendar and JSON-LD,
//! articles from WordPress, Ghost and feeds, inspections from CSV.

use std::{
    fs::{self, File},
    io::{BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use chassis::blobs::Blobs;
use cityguide_proto::intake::v1::{Finish, KindCounts, Report};
use clap::{Args, Subcommand};
use places_proto::v1::EstablishmentCounts;
use publishing::import::{
    self, AreasMapping, EventServices, PlacesMapping, Source,
    articles::{self, Fetching, Notes, Origin, Plan, Uploads},
};
use serde_json::json;
use site::Site;

use super::{
    console::print,
    operated::Operated,
    report::{print_changes, print_report},
};
use crate::{settings::Settings, targets::Target};

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Articles and pages: an export of WordPress (Tools, Export, All content) or of Ghost (Settings, Import/Export),
    /// RSS 2.0, Atom or JSON Feed. The format is detected from the file's content.
    Articles(ArticlesOptions),
    /// Neighbourhoods with their boundaries: a GeoJSON `FeatureCollection` whose features have `AREA_ID` and
    /// `AREA_NAME`, or the properties named by --mapping.
    Neighbourhoods(MappedOptions),
    /// The map below the site's places: a GeoJSON `FeatureCollection` of `OpenStreetMap`'s main streets, rails, parks and
    /// water, as written by osmium. It replaces the former map.
    Basemap(BasemapOptions),
    /// Events: iCalendar, or JSON-LD of schema.org's `Event`, in an array, a `@graph` or alone. The format is detected
    /// from the beginning of the file.
    Events(Options),
    /// Places to eat and drink: a GeoJSON `FeatureCollection` of OpenStreetMap's points, lines and areas, as written by
    /// Overpass turbo, osmium, ogr2ogr or HOT's export tool. With --mapping, any table of places as CSV.
    Places(MappedOptions),
    /// Food inspections: the CSV of the city's register (`DineSafe`), matched with places by name, address and distance.
    Inspections(InspectionOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InspectionOptions {
    #[command(flatten)]
    options: Options,
    /// Write doubtful matches to this CSV file. Answer yes or no in its first column, and pass the file to --reviewed.
    #[arg(long)]
    review: Option<PathBuf>,
    /// Import the answers in a file written by --review. It may be the same file, because it is read before it is
    /// written.
    #[arg(long)]
    reviewed: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The file to import.
    file: PathBuf,
    /// Print the changes without making them.
    #[arg(long)]
    dry_run: bool,
    /// Maximum number of refused items. If more items are refused, nothing is imported.
    #[arg(long, default_value_t = 0)]
    refuse_at_most: u32,
    /// Write the refused items to this file: one line of JSON each, with position, source id and reason.
    #[arg(long)]
    refused: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BasemapOptions {
    #[command(flatten)]
    all: Options,
    /// The credit shown with the map, which `OpenStreetMap`'s licence requires.
    #[arg(long, default_value = "© OpenStreetMap contributors")]
    credit: String,
}

#[derive(Debug, Args)]
pub(crate) struct MappedOptions {
    #[command(flatten)]
    all: Options,
    /// The mapping: a TOML file that maps the file's columns or properties.
    #[arg(long)]
    mapping: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ArticlesOptions {
    #[command(flatten)]
    all: Options,
    /// The plan: a TOML file that maps categories to sections.
    #[arg(long)]
    plan: Option<PathBuf>,
    /// A copy of the former site's folder of pictures, such as wp-content/uploads.
    #[arg(long)]
    pictures: Option<PathBuf>,
    /// Fetch pictures that are missing in the folder of --pictures from this host: old.example. May be given several
    /// times.
    #[arg(long, value_name = "HOST", requires = "pictures")]
    fetch_from: Vec<String>,
    /// Write the remaining manual work to this file: one line of JSON for each picture, embed or link, with its
    /// position.
    #[arg(long)]
    by_hand: Option<PathBuf>,
}

/// Imports a file into its service, in a single transaction.
pub(super) async fn import(settings: &Settings, import: Import) -> Result<(), String> {
    match import {
        Import::Articles(options) => import_articles(settings, options).await,
        Import::Neighbourhoods(options) => neighbourhoods(settings, options).await,
        Import::Places(options) => places(settings, options).await,
        Import::Basemap(options) => basemap(settings, options).await,
        Import::Events(options) => events(settings, options).await,
        Import::Inspections(options) => inspections(settings, options).await,
    }
}

async fn neighbourhoods(settings: &Settings, options: MappedOptions) -> Result<(), String> {
    let mapping = options.mapping(AreasMapping::read)?;
    let source = Source::Neighbourhoods(mapping.unwrap_or_default());
    import_places(settings, options.all, source).await
}

async fn places(settings: &Settings, options: MappedOptions) -> Result<(), String> {
    let source = if let Some(mapping) = options.mapping(PlacesMapping::read)? {
        Source::Table(Box::new(mapping))
    } else {
        if is_table(&options.all.file) {
            let file = options.all.file.display();
            return Err(format!(
                "{file} is no GeoJSON: a table of places needs --mapping"
            ));
        }
        let site = Site::read(&settings.site.file).map_err(|fault| fault.message)?;
        Source::OpenStreetMap {
            city: site.city_slug,
        }
    };
    import_places(settings, options.all, source).await
}

async fn basemap(settings: &Settings, options: BasemapOptions) -> Result<(), String> {
    let BasemapOptions {
        all: options,
        credit,
    } = options;
    let file = open(&options.file)?;
    let system = Operated::connect(settings).await?;
    let places = system.transport(Target::Places)?;
    let report = import::basemap(places, credit, file, options.finish()).await;
    let report = report.map_err(|why| options.failed(&why))?;
    options.tell(&report)
}

fn is_table(file: &Path) -> bool {
    let ending = file.extension();
    ending.is_some_and(|ending| {
        ending.eq_ignore_ascii_case("csv") || ending.eq_ignore_ascii_case("tsv")
    })
}

async fn import_places(
    settings: &Settings,
    options: Options,
    source: Source,
) -> Result<(), String> {
    let file = open(&options.file)?;
    let system = Operated::connect(settings).await?;
    let places = system.transport(Target::Places)?;
    let report = import::places(places, source, file, options.finish()).await;
    let report = report.map_err(|why| options.failed(&why))?;
    options.tell(&report)
}

async fn events(settings: &Settings, options: Options) -> Result<(), String> {
    let file = open(&options.file)?;
    let site = Site::read(&settings.site.file).map_err(|fault| fault.message)?;
    let system = Operated::connect(settings).await?;
    let services = EventServices {
        editorial: system.transport(Target::Editorial)?,
        places: system.transport(Target::Places)?,
    };
    let report = import::events(services, site.timezone, file, options.finish()).await;
    let report = report.map_err(|why| options.failed(&why))?;
    options.tell(&report)
}

/// Imports the inspection register into the places service, in a single transaction.
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
    let answer = import::inspections(places, file, reviewed, options.finish()).await;
    let answer = answer.map_err(|why| options.failed(&why))?;
    let report = answer.report.unwrap_or_default();
    if let Some(path) = &review
        // Answers that were not imported remain in their file.
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
    options.tell(&report)
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

async fn import_articles(settings: &Settings, options: ArticlesOptions) -> Result<(), String> {
    let ArticlesOptions {
        all,
        plan,
        pictures,
        fetch_from,
        by_hand,
    } = options;
    let site = Site::read(&settings.site.file).map_err(|fault| fault.message)?;
    let sections = site.section_slugs();
    let read = |toml: &str| Plan::read(toml, &sections);
    let plan = plan.as_deref().map(|path| toml_of(path, read));
    let plan = plan.unwrap_or_else(|| read(""))?;
    let mut uploads = Uploads::of(pictures)?;
    // A dry run stores nothing.
    if !fetch_from.is_empty() && !all.dry_run {
        let private = settings.sources.private_networks.clone();
        uploads = uploads.fetched_by(Fetching::new(fetch_from, private)?);
    }
    let wanted = articles::Options {
        origin: Origin::File(all.file.clone()),
        plan,
        uploads,
        zone: site.timezone,
        finish: all.finish(),
    };
    let system = Operated::connect(settings).await?;
    let editorial = system.transport(Target::Editorial)?;
    let blobs = Blobs::open(&settings.blobs).map_err(|fault| fault.message)?;
    let imported = articles::articles(editorial, &blobs, wanted).await;
    let (report, notes) = imported.map_err(|why| all.failed(&why))?;
    tell_notes(&notes, by_hand.as_deref())?;
    all.tell(&report)
}

/// Reads a TOML file and parses it with `read`.
fn toml_of<T>(path: &Path, read: impl FnOnce(&str) -> Result<T, String>) -> Result<T, String> {
    let toml = fs::read_to_string(path).map_err(|error| error.to_string());
    toml.and_then(|toml| read(&toml))
        .map_err(|why| format!("{}: {why}", path.display()))
}

impl MappedOptions {
    fn mapping<T>(
        &self,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let mapping = self.mapping.as_deref();
        mapping.map(|path| toml_of(path, read)).transpose()
    }
}

fn tell_notes(notes: &Notes, file: Option<&Path>) -> Result<(), String> {
    for line in notes.lines() {
        print(&line)?;
    }
    let Some(file) = file else { return Ok(()) };
    let written = notes.write(file);
    written.map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

impl Options {
    fn finish(&self) -> Finish {
        Finish {
            dry_run: self.dry_run,
            all_or_nothing: false,
            refuse_at_most: Some(self.refuse_at_most),
        }
    }

    fn failed(&self, why: &str) -> String {
        format!("{}: {why}; nothing was imported", self.file.display())
    }

    /// Prints the report and writes the rejected items to a file.
    fn tell(&self, report: &Report) -> Result<(), String> {
        let name = self.file.display().to_string();
        if let Some(path) = &self.refused {
            write_refused(path, report)
                .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
        }
        if self.dry_run {
            print_changes(report)?;
        }
        print_report(report, &name)?;
        let counts = report.kinds.iter().filter_map(|kind| kind.counts);
        let refused: u32 = counts.map(|counts| counts.refused).sum();
        let allowed = self.refuse_at_most;
        if refused > allowed {
            return Err(format!(
                "{name}: {refused} refused, more than the {allowed} of --refuse-at-most; nothing was imported"
            ));
        }
        if !report.kinds.iter().any(was_read) {
            return Err(format!("{name}: nothing in it could be read"));
        }
        if self.dry_run {
            print("nothing was changed: this was a dry run")?;
        }
        Ok(())
    }
}

/// Whether a file contained readable items of a kind. Types are not counted, because the program adds them itself.
fn was_read(of: &KindCounts) -> bool {
    let counts = of.counts.unwrap_or_default();
    of.kind != "types" && counts.created + counts.changed + counts.unchanged > 0
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

//! `bench`: a site of its own, measured beside references by the crate `bench`, or in a browser
//! (`first_page.rs`); the table goes into docs/PERFORMANCE.md.

use std::{
    env, fs,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail};
use serde_json::json;
use servers::{
    apt,
    checkout::Checkout,
    ports,
    process::{self, Output},
    progress::{self, Step},
};

use crate::{
    database::Database,
    first_page, limits,
    performance::{self, Measured, Results},
    server::{self, Build, Program, Server, Settings},
    split::Split,
    web,
};

/// The demo city's west, east, south and north.
const CITY: [f64; 4] = [-79.4765, -79.282, 43.6345, 43.6838];

/// The suite to measure.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
enum Suite {
    #[command(flatten)]
    Calls(Calls),
    /// A first visit on a slow phone: home, a place and an article, in a browser
    Web,
}

/// Suites of the crate `bench`, which sends requests as fast as the site answers.
#[derive(Debug, Clone, Copy, clap::Subcommand)]
enum Calls {
    /// A page of places, a signed-in read, both writes of a favourite, a write's delivery to another device
    Core,
    /// Public answers that gateways keep, answers that they do not keep, and a walk to the end of a long list
    Catalogue,
}

impl Calls {
    fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Catalogue => "catalogue",
        }
    }

    /// Places added to the demo city's: enough that no list fits into one page of an index, or ten times as
    /// many.
    fn places(self) -> u32 {
        match self {
            Self::Core => 30_000,
            Self::Catalogue => 300_000,
        }
    }

    /// The gateways to measure: true for one that keeps public answers, false for one that computes each.
    fn keeping(self) -> &'static [bool] {
        match self {
            Self::Core => &[false],
            Self::Catalogue => &[true, false],
        }
    }
}

/// The topology of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Topology {
    /// Everything in one process
    One,
    /// One process per service, two gateways, RabbitMQ and Redis
    Many,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    suite: Suite,
    /// Turns of each side
    #[arg(long, global = true, default_value_t = 5)]
    rounds: usize,
    /// Seconds of a turn; not used by web, whose turn is one visit
    #[arg(long, global = true, default_value_t = 3)]
    seconds: u64,
    /// Only this topology [default: both]
    #[arg(long, global = true, value_enum)]
    topology: Option<Topology>,
    /// Only cases whose name contains this
    #[arg(long, global = true)]
    only: Option<String>,
    /// Put the table into docs/PERFORMANCE.md
    #[arg(long, global = true)]
    write: bool,
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    match arguments.suite {
        Suite::Calls(suite) => measure_calls(checkout, suite, arguments),
        Suite::Web if arguments.only.is_some() || arguments.topology.is_some() => {
            bail!("web has neither --only nor --topology")
        }
        Suite::Web => first_page::bench(checkout, arguments.rounds, arguments.write),
    }
}

fn measure_calls(checkout: &Checkout, suite: Calls, arguments: &Arguments) -> anyhow::Result<()> {
    if arguments.write && (arguments.only.is_some() || arguments.topology.is_some()) {
        bail!("--write wants the whole table: leave out --only and --topology");
    }
    progress::line("Measuring the site");
    web::build(checkout)?;
    let (program, bench) = build(checkout)?;
    let pgbench = pgbench(checkout)?;
    let database = Database::lasting(checkout)?;
    let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
    let settings = Settings {
        database: database.site(),
        site: checkout.path("deploy/sites/guide.toml"),
        data: folder.path().to_owned(),
        port: ports::free()?,
        internal_port: ports::free()?,
    };
    seed(checkout, &program, &settings, suite.places())?;

    let mut measured = Vec::new();
    for topology in [Topology::One, Topology::Many] {
        if arguments.topology.is_some_and(|only| only != topology) {
            continue;
        }
        let measuring = Measuring {
            checkout,
            program: &program,
            settings: &settings,
            topology,
        };
        let plan = |site: &Site, keeps: bool| {
            let (here, other) = site.addresses();
            json!({
                "site": here,
                "other": other,
                "database": settings.database,
                "bus": site.bus(),
                "pgbench": pgbench,
                "checkout": checkout.root,
                "rounds": arguments.rounds,
                "seconds": arguments.seconds,
                "keeps": keeps,
                "only": arguments.only,
            })
        };
        progress::heading(topology.name());
        let mut all: Option<Results> = None;
        for keeps in suite.keeping() {
            let results = measuring.run(*keeps, |site| {
                let file = folder.path().join("plan");
                fs::write(&file, plan(site, *keeps).to_string())?;
                let mut measure = Command::new(&bench);
                let results = process::read("bench", measure.arg(suite.name()).arg(&file))?;
                serde_json::from_slice(&results).context("bench printed no results")
            })?;
            match &mut all {
                Some(all) => all.add(results),
                None => all = Some(results),
            }
        }
        if let Some(results) = all {
            measured.push(Measured {
                topology: topology.name(),
                results,
            });
        }
    }
    let table = performance::table(&measured, arguments.rounds, arguments.seconds);
    progress::line(&format!("\n{table}"));
    if arguments.write {
        performance::write(checkout, suite.name(), &table)?;
    }
    Ok(())
}

/// A site to be measured.
struct Measuring<'a> {
    checkout: &'a Checkout,
    program: &'a Program,
    settings: &'a Settings,
    topology: Topology,
}

impl Measuring<'_> {
    /// Starts it, measures it and stops it.
    fn run(
        &self,
        keeps: bool,
        look: impl FnOnce(&Site) -> anyhow::Result<Results>,
    ) -> anyhow::Result<Results> {
        let site = Site::start(self, keeps)?;
        let results = look(&site)?;
        if !site.stop() {
            bail!("the site did not stop in time and was killed");
        }
        Ok(results)
    }
}

/// The program's release build, and the bench.
fn build(checkout: &Checkout) -> anyhow::Result<(Program, PathBuf)> {
    let step = Step::announced("Release", "building");
    let program = Program::build(checkout, Build::Release)?;
    let bench = server::executable_of(checkout, "bench", Build::Release)?;
    step.done("built");
    Ok((program, bench))
}

fn pgbench(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    apt::ensure(checkout, "postgresql-contrib", "", || {
        // Debian's wrapper on the path is a script; the program itself is beside the server.
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
        let mut found: Vec<PathBuf> = versions
            .filter_map(|version| Some(version.ok()?.path().join("bin/pgbench")))
            .filter(|program| program.is_file())
            .collect();
        found.sort();
        found.pop().or_else(|| apt::on_path(&["pgbench"]))
    })
}

/// Seeds the demo city and many more places, with the commands that an operator uses.
fn seed(
    checkout: &Checkout,
    program: &Program,
    settings: &Settings,
    places: u32,
) -> anyhow::Result<()> {
    let step = Step::announced("City", "importing");
    let log = checkout.log("bench-seed")?;
    program.prepare(settings, &log)?;
    let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
    let file = folder.path().join("places.geojson");
    write_places(&file, places)?;
    let mut import = program.command(&["import", "places"]);
    import.arg(&file);
    settings.apply(&mut import);
    process::run("cityguide import places", &mut import, Output::Log(&log))?;
    step.done(&format!("{places} places beside the demo city's"));
    Ok(())
}

/// Writes places all over the demo city, the same each time.
fn write_places(file: &Path, places: u32) -> anyhow::Result<()> {
    let [west, east, south, north] = CITY;
    let mut out = BufWriter::new(fs::File::create(file)?);
    write!(out, r#"{{"type":"FeatureCollection","features":["#)?;
    for at in 0..places {
        // Steps of the golden ratio and of the plastic number cover a square evenly.
        let share = |step: f64| (f64::from(at) * step).fract();
        let longitude = west + (east - west) * share(0.754_877_666_246_693);
        let latitude = south + (north - south) * share(0.569_840_290_998_053);
        let word = |words: &'static [&'static str]| words[at as usize % words.len()];
        let amenity = word(&["restaurant", "cafe", "bar", "pub", "fast_food"]);
        let feature = json!({
            "type": "Feature",
            "properties": {
                "@id": format!("node/{at}"),
                "name": format!("{} {amenity} {at}", word(&["Golden", "Little", "Old", "Blue"])),
                "amenity": amenity,
                "cuisine": word(&["pizza", "thai", "coffee_shop"]),
                "addr:full": format!("{} Queen Street West Toronto", at % 2000 + 1),
            },
            "geometry": { "type": "Point", "coordinates": [longitude, latitude] },
        });
        write!(out, "{}{feature}", if at == 0 { "" } else { ",\n" })?;
    }
    write!(out, "]}}")?;
    out.flush()?;
    Ok(())
}

impl Topology {
    fn name(self) -> &'static str {
        match self {
            Self::One => "one process",
            Self::Many => "many processes",
        }
    }
}

/// A running site.
enum Site {
    One(Server, String),
    Many(Box<Split>),
}

impl Site {
    fn start(measuring: &Measuring<'_>, keeps: bool) -> anyhow::Result<Self> {
        let Measuring {
            checkout,
            program,
            settings,
            topology,
        } = *measuring;
        if topology == Topology::Many {
            return Ok(Self::Many(Box::new(Split::start(
                checkout,
                program,
                settings,
                settings_of_a_bench(keeps),
            )?)));
        }
        let step = Step::quiet("Server");
        let log = checkout.log("bench-server")?;
        let server = program.serve(settings, &["serve"], &environment(keeps), Output::Log(&log))?;
        step.done("ready");
        Ok(Self::One(server, settings.url()))
    }

    /// The address to write to, and the one that another device listens at.
    fn addresses(&self) -> (String, String) {
        let address = |url: &String| url.trim_start_matches("http://").to_owned();
        match self {
            Self::One(_, url) => (address(url), address(url)),
            Self::Many(split) => {
                let urls: Vec<_> = split.urls.iter().map(address).collect();
                (urls[0].clone(), urls[urls.len() - 1].clone())
            }
        }
    }

    fn bus(&self) -> Option<&str> {
        match self {
            Self::One(..) => None,
            Self::Many(split) => Some(&split.bus),
        }
    }

    fn stop(self) -> bool {
        match self {
            Self::One(server, _) => server.stop(),
            Self::Many(split) => split.stop(),
        }
    }
}

/// The environment of the server; a bus or cache named in ours would change the topology of one process.
pub(crate) fn environment(keeps: bool) -> Vec<(String, String)> {
    env::vars()
        .filter(|(key, _)| {
            key.starts_with("CITYGUIDE__BUS__") || key.starts_with("CITYGUIDE__CACHE__")
        })
        .map(|(key, _)| (key, String::new()))
        .chain(settings_of_a_bench(keeps))
        .collect()
}

/// Here one machine acts for many readers, and public answers are kept or computed as the suite wants.
fn settings_of_a_bench(keeps: bool) -> Vec<(String, String)> {
    let mut all = limits::lifted();
    if !keeps {
        let nothing = ("CITYGUIDE__PUBLIC_CACHE__MAX_BYTES", "0");
        all.push((nothing.0.to_owned(), nothing.1.to_owned()));
    }
    all
}

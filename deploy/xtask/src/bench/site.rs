//! A site for measurements, in either topology, with a durable database.

use std::{
    fs,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::ensure;
use serde_json::{Value, json};
use servers::{
    apt,
    checkout::Checkout,
    ports,
    process::{self, Output},
    progress::Step,
};
use tempfile::TempDir;

use crate::{
    database::Database,
    server::{Build, Program, Server, Settings},
    split::Split,
    web,
};

/// The demo city's bounding box (west, east, south, north), in degrees.
const CITY: [f64; 4] = [-79.4765, -79.282, 43.6345, 43.6838];

/// The topology of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Topology {
    /// Everything in one process
    One,
    /// One process per service, two gateways, RabbitMQ and Redis
    Many,
}

impl Topology {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::One => "one process",
            Self::Many => "many processes",
        }
    }
}

/// Prerequisites of a site: the release build, and a database with the demo city and additional places.
pub(super) struct Stage<'a> {
    pub(super) checkout: &'a Checkout,
    program: Program,
    pub(super) settings: Settings,
    /// A port for a mail server.
    pub(super) mail_port: u16,
    _database: Database,
    pub(super) folder: TempDir,
}

impl<'a> Stage<'a> {
    /// Builds the release, and imports the demo city and this number of places with the operator's commands.
    pub(super) fn prepare(checkout: &'a Checkout, places: u32) -> anyhow::Result<Self> {
        web::build(checkout)?;
        let step = Step::announced("Release", "building");
        let program = Program::build(checkout, Build::Release)?;
        step.done("built");
        let database = Database::lasting(checkout)?;
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        let settings = Settings {
            database: database.site(),
            site: checkout.path("deploy/sites/guide.toml"),
            data: folder.path().to_owned(),
            port: ports::free()?,
            internal_port: ports::free()?,
        };
        let step = Step::announced("City", "importing");
        let log = checkout.log("bench-seed")?;
        program.prepare(&settings, &log)?;
        if places > 0 {
            let file = folder.path().join("places.geojson");
            write_places(&file, places)?;
            let mut import = program.command(&["import", "places"]);
            settings.apply(import.arg(&file));
            process::run("cityguide import places", &mut import, Output::Log(&log))?;
        }
        step.done(&format!("{places} places beside the demo city's"));
        Ok(Self {
            checkout,
            program,
            settings,
            mail_port: ports::free()?,
            _database: database,
            folder,
        })
    }

    /// The part of a plan without a running site: the database and the operator's program.
    pub(super) fn plan(&self) -> Value {
        let mut command = self.program.command(&[]);
        self.settings.apply(&mut command);
        let environment = command.get_envs().filter_map(|(name, value)| {
            let (name, value) = (name.to_str()?, value?.to_str()?);
            Some((name.to_owned(), value.to_owned()))
        });
        let environment: Vec<_> = environment.collect();
        json!({
            "database": self.settings.database,
            "operator": {"program": self.program.path(), "environment": environment},
        })
    }
}

/// Writes places all over the demo city, identical on each call.
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

/// A running site.
pub(super) enum Site {
    One(Server),
    Many(Box<Split>),
}

impl Site {
    /// Starts the site; `environment` returns the environment of a process by its name.
    pub(super) fn start(
        stage: &Stage<'_>,
        topology: Topology,
        environment: impl Fn(&str) -> Vec<(String, String)>,
    ) -> anyhow::Result<Self> {
        let Stage {
            checkout,
            program,
            settings,
            ..
        } = stage;
        if topology == Topology::Many {
            let split = Split::start(checkout, program, settings, environment)?;
            return Ok(Self::Many(Box::new(split)));
        }
        let step = Step::quiet("Server");
        let log = checkout.log("bench-server")?;
        let environment = environment("cityguide");
        let server = program.serve(settings, &["serve"], &environment, Output::Log(&log))?;
        step.done("ready");
        Ok(Self::One(server))
    }

    /// The part of a plan that describes the site.
    pub(super) fn plan(&self, stage: &Stage<'_>, keeps: bool) -> anyhow::Result<Value> {
        let process = |name: &str, server: &Server| json!({"name": name, "id": server.id(), "internal": server.internal()});
        let (urls, bus, processes) = match self {
            Self::One(server) => {
                let processes = vec![process("cityguide", server)];
                (vec![stage.settings.url()], None, processes)
            }
            Self::Many(split) => {
                let members = split.members().iter();
                let processes = members.map(|member| process(&member.name, &member.server));
                (split.urls.clone(), Some(&split.bus), processes.collect())
            }
        };
        let address = |url: Option<&String>| {
            let url = url.map(String::as_str).unwrap_or_default();
            json!(url.trim_start_matches("http://"))
        };
        let mut plan = stage.plan();
        plan["address"] = address(urls.first());
        plan["other"] = address(urls.last());
        plan["bus"] = json!(bus);
        plan["processes"] = json!(processes);
        plan["keeps"] = json!(keeps);
        plan["pgbench"] = json!(pgbench(stage.checkout)?);
        Ok(plan)
    }

    /// Stops the site; fails if a process has already ended, or does not stop in time.
    pub(super) fn stop(mut self) -> anyhow::Result<()> {
        match &mut self {
            Self::One(server) => server.require_alive()?,
            Self::Many(split) => split.require_alive()?,
        }
        let is_stopped = match self {
            Self::One(server) => server.stop(),
            Self::Many(split) => split.stop(),
        };
        ensure!(is_stopped, "the site did not stop in time and was killed");
        Ok(())
    }
}

fn pgbench(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    apt::ensure(checkout, "postgresql-contrib", "", || {
        // Debian's pgbench on the path is a wrapper script; the program itself is next to the server.
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
        let programs =
            versions.filter_map(|version| Some(version.ok()?.path().join("bin/pgbench")));
        let newest = programs.filter(|program| program.is_file()).max();
        newest.or_else(|| apt::on_path(&["pgbench"]))
    })
}

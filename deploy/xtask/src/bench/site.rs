//! A site that is started to be measured, in either topology.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

use anyhow::{Context, bail};
use serde::{Serialize, de::DeserializeOwned};
use servers::{
    checkout::Checkout,
    ports,
    process::{Output, Running},
    progress::Step,
};
use tempfile::TempDir;

use super::city;
use crate::{
    database::Database,
    limits,
    server::{self, Build, Program, Server, Settings},
    split::Split,
    web,
};

/// The topology of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Topology {
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

/// What is there before a site starts: programs, a durable database with the demo city and more places, a folder.
pub(super) struct Stage<'a> {
    pub(super) checkout: &'a Checkout,
    program: Program,
    bench: PathBuf,
    pub(super) settings: Settings,
    /// After what uses it: fields are dropped in their order.
    pub(super) database: Database,
    folder: TempDir,
}

impl<'a> Stage<'a> {
    /// Builds the release and imports this number of places beside the demo city's.
    pub(super) fn prepare(checkout: &'a Checkout, places: u32) -> anyhow::Result<Self> {
        web::build(checkout)?;
        let (program, bench) = build(checkout)?;
        let database = Database::lasting(checkout)?;
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        let settings = Settings {
            database: database.site(),
            site: checkout.path("deploy/sites/guide.toml"),
            data: folder.path().to_owned(),
            port: ports::free()?,
            internal_port: ports::free()?,
        };
        city::seed(checkout, &program, &settings, places)?;
        Ok(Self {
            checkout,
            program,
            bench,
            settings,
            database,
            folder,
        })
    }

    /// The program, and the environment in which it works on this stage.
    pub(super) fn program(&self) -> (PathBuf, Vec<(String, String)>) {
        let mut command = self.program.command(&[]);
        self.settings.apply(&mut command);
        let text = |text: &OsStr| text.to_string_lossy().into_owned();
        let environment = command.get_envs();
        let environment =
            environment.filter_map(|(name, value)| value.map(|value| (text(name), text(value))));
        (self.program.path().to_owned(), environment.collect())
    }

    /// Starts a site, lets `look` measure it, and stops it. `environment` is that of a process by its name.
    pub(super) fn with_site<T>(
        &self,
        topology: Topology,
        environment: impl Fn(&str) -> Vec<(String, String)>,
        look: impl FnOnce(&mut Site) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut site = Site::start(self, topology, environment)?;
        let results = look(&mut site)?;
        site.require_alive()?;
        if !site.stop() {
            bail!("the site did not stop in time and was killed");
        }
        Ok(results)
    }

    /// Runs a suite of the crate `bench` and reads its results.
    pub(super) fn measure<T: DeserializeOwned>(
        &self,
        suite: impl AsRef<OsStr>,
        plan: &impl Serialize,
    ) -> anyhow::Result<T> {
        let file = self.folder.path().join("plan");
        fs::write(&file, serde_json::to_vec(plan)?)?;
        let mut measure = Command::new(&self.bench);
        measure.arg(suite).arg(&file).stdout(Stdio::piped());
        let mut running = Running::start("bench", &mut measure, Output::Shown)?;
        let stdout = running.take_stdout().context("bench has no output")?;
        // Beside it, so that Ctrl-C ends a long measurement.
        let results = thread::spawn(|| std::io::read_to_string(stdout));
        running.finish()?;
        let results = results.join().ok().context("reading panicked")??;
        serde_json::from_str(&results).context("bench printed no results")
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

/// The name of a process that runs everything.
const ALONE: &str = "cityguide";

/// A running site.
pub(super) enum Site {
    One(Server, String),
    Many(Box<Split>),
}

impl Site {
    fn start(
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
        let environment = in_one_process(environment(ALONE));
        let server = program.serve(settings, &["serve"], &environment, Output::Log(&log))?;
        step.done("ready");
        Ok(Self::One(server, settings.url()))
    }

    /// The address to write to, and the one that another device listens at.
    pub(super) fn addresses(&self) -> (String, String) {
        let address = |url: &String| url.trim_start_matches("http://").to_owned();
        match self {
            Self::One(_, url) => (address(url), address(url)),
            Self::Many(split) => {
                let urls: Vec<_> = split.urls.iter().map(address).collect();
                (urls[0].clone(), urls[urls.len() - 1].clone())
            }
        }
    }

    /// The many processes, if they are many.
    pub(super) fn split(&self) -> Option<&Split> {
        match self {
            Self::One(..) => None,
            Self::Many(split) => Some(split),
        }
    }

    pub(super) fn bus(&self) -> Option<&str> {
        match self {
            Self::One(..) => None,
            Self::Many(split) => Some(&split.bus),
        }
    }

    /// The processes by name, and where services answer each other, if they do.
    pub(super) fn processes(&self) -> Vec<(&str, &Server, Option<&str>)> {
        match self {
            Self::One(server, _) => vec![(ALONE, server, None)],
            Self::Many(split) => {
                let members = split.members().iter();
                members
                    .map(|member| (&*member.name, &member.server, member.rpc.as_deref()))
                    .collect()
            }
        }
    }

    fn require_alive(&mut self) -> anyhow::Result<()> {
        match self {
            Self::One(server, _) => server.require_alive(),
            Self::Many(split) => split.require_alive(),
        }
    }

    fn stop(self) -> bool {
        match self {
            Self::One(server, _) => server.stop(),
            Self::Many(split) => split.stop(),
        }
    }
}

/// The environment of one process; a bus or cache named in ours would change the topology.
fn in_one_process(environment: Vec<(String, String)>) -> Vec<(String, String)> {
    env::vars()
        .filter(|(key, _)| {
            key.starts_with("CITYGUIDE__BUS__") || key.starts_with("CITYGUIDE__CACHE__")
        })
        .map(|(key, _)| (key, String::new()))
        .chain(environment)
        .collect()
}

/// The environment of a site in one process that keeps public answers, on which one machine acts for many readers.
pub(crate) fn environment() -> Vec<(String, String)> {
    in_one_process(settings_of_a_bench(true))
}

/// Here one machine acts for many readers, and public answers are kept or computed as the suite wants.
pub(super) fn settings_of_a_bench(keeps: bool) -> Vec<(String, String)> {
    let mut all = limits::lifted();
    let mut set = |name: &str, value: &str| {
        all.push((format!("CITYGUIDE__PUBLIC_CACHE__{name}"), value.to_owned()));
    };
    // The names of three million documents take 300 MB.
    set("MAX_NAME_BYTES", "1000000000");
    if !keeps {
        set("MAX_BYTES", "0");
    }
    all
}

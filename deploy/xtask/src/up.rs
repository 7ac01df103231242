//! `up`: the whole site on this machine, until Ctrl-C.

use std::{
    env, fs,
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use anyhow::{Context, bail};
use servers::{
    checkout::Checkout,
    interrupt, ports,
    process::Output,
    progress::{self, Step},
};

use crate::{
    database::Database,
    demo_photos, limits,
    server::{self, Build, Program, Server, Settings},
    split::Split,
    stand_ins::StandIns,
    web,
};

/// The sites whose settings come with the project.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Site {
    Guide,
    News,
}

impl Site {
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Guide => "deploy/sites/guide.toml",
            Self::News => "deploy/sites/news.toml",
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The port of the site on this machine
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// One of the sites that come with the project
    #[arg(long, value_enum, default_value = "guide")]
    site: Site,
    /// Run as many processes: one per service, two gateways, RabbitMQ and Redis
    #[arg(long)]
    split: bool,
    /// The folder for the database, uploads and logs [default: .cityguide in the checkout]
    #[arg(long)]
    data: Option<PathBuf>,
}

pub(crate) fn run(checkout: &Checkout, arguments: &Arguments) -> anyhow::Result<()> {
    ports::require(arguments.port)?;
    let data = match &arguments.data {
        Some(folder) => std::path::absolute(folder)?,
        None => checkout.kept(),
    };
    progress::line("Bringing the city up");

    // Three parallel steps; the first failure cancels the others.
    let (web, program, database) = thread::scope(|scope| {
        let web = scope.spawn(|| ending_others(web::build(checkout)));
        let program = scope.spawn(|| ending_others(build(checkout)));
        let database = ending_others(Database::kept(checkout, &data));
        (joined(web), joined(program), database)
    });
    let ((program, third_parties), mut database) = match (web, program, database) {
        (Ok(()), Ok(programs), Ok(database)) => (programs, database),
        (web, program, database) => {
            let errors = [web.err(), program.err(), database.err()];
            return Err(first_cause(errors));
        }
    };

    let settings = Settings {
        database: database.site(),
        site: checkout.path(arguments.site.file()),
        data: data.clone(),
        port: arguments.port,
        internal_port: ports::free()?,
    };
    let step = Step::quiet("City");
    program.prepare(&settings, &checkout.log("prepare")?)?;
    step.done("tables and the demo city are up to date");

    let stand_ins = StandIns::start(&third_parties)?;
    let mut own = limits::of_a_demo();
    own.extend(stand_ins.settings());
    let mut site = if arguments.split {
        Serving::Many(Box::new(Split::start(
            checkout,
            &program,
            &settings,
            |_| own.clone(),
        )?))
    } else {
        let step = Step::quiet("Server");
        own.extend(internal_key(&data)?);
        let server = program.serve(&settings, &["serve"], &own, Output::Shown)?;
        step.done("ready");
        Serving::One(server)
    };
    progress::line(&format!(
        "\n  The site     {}\n  A calendar   {} (Facebook and Google are stand-ins on this machine)\n  Metrics      \
         http://127.0.0.1:{}/metrics\n  Data         {}\n  Ctrl-C stops it.\n",
        site.urls(&settings).join("\n               "),
        stand_ins.calendar().unwrap_or_default(),
        settings.internal_port,
        checkout.shown(&data),
    ));

    let photos = demo_photos::bring_in(checkout, &program, &settings)?;
    let outcome = loop {
        if interrupt::requested() {
            break Ok(());
        }
        let alive = site.require_alive().and_then(|()| database.require_alive());
        if let Err(error) = alive {
            break Err(error.context("the site went down"));
        }
        thread::sleep(Duration::from_millis(100));
    };

    if outcome.is_err() {
        interrupt::raise();
    }
    if let Some(photos) = photos {
        // The thread reports its own result.
        let _ = photos.join();
    }
    let step = Step::quiet("Stopping");
    let orderly = site.stop() & database.stop();
    if outcome.is_ok() && !orderly {
        bail!("something did not stop in time and was killed");
    }
    step.done("stopped");
    outcome
}

/// The processes that serve the site.
enum Serving {
    One(Server),
    Many(Box<Split>),
}

impl Serving {
    fn urls(&self, settings: &Settings) -> Vec<String> {
        match self {
            Self::One(_) => vec![settings.url()],
            Self::Many(split) => split.urls.clone(),
        }
    }

    fn require_alive(&mut self) -> anyhow::Result<()> {
        match self {
            Self::One(server) => server.require_alive(),
            Self::Many(split) => split.require_alive(),
        }
    }

    fn stop(self) -> bool {
        match self {
            Self::One(server) => server.stop(),
            Self::Many(split) => split.stop(),
        }
    }
}

/// Builds the program and the stand-ins for third parties.
fn build(checkout: &Checkout) -> anyhow::Result<(Program, PathBuf)> {
    let step = Step::announced("Server", "building");
    let program = Program::build(checkout, Build::Alone)?;
    let third_parties = server::third_parties(checkout, Build::Alone)?;
    step.done("built");
    Ok((program, third_parties))
}

/// The site's own key, with which the tokens of readers' calendars are encrypted: in a file, so that they survive a
/// restart.
fn internal_key(data: &Path) -> anyhow::Result<Option<(String, String)>> {
    const KEY: &str = "CITYGUIDE__INTERNAL__KEY";
    let name = format!("{KEY}_FILE");
    if [KEY, &name].iter().any(|name| env::var_os(name).is_some()) {
        return Ok(None);
    }
    let path = data.join("internal-key");
    let mut options = fs::OpenOptions::new();
    match options.write(true).create_new(true).mode(0o600).open(&path) {
        Ok(mut file) => {
            let mut random = fs::File::open("/dev/urandom")?;
            for _ in 0..2 {
                let mut half = [0; 16];
                random.read_exact(&mut half)?;
                write!(file, "{:032x}", u128::from_le_bytes(half))?;
            }
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error).context(path.display().to_string()),
    }
    Ok(Some((name, path.display().to_string())))
}

/// Cancels the parallel steps after a failure.
fn ending_others<T>(result: anyhow::Result<T>) -> anyhow::Result<T> {
    if result.is_err() {
        interrupt::raise();
    }
    result
}

fn joined<T>(handle: thread::ScopedJoinHandle<'_, anyhow::Result<T>>) -> anyhow::Result<T> {
    handle
        .join()
        .unwrap_or_else(|_| bail!("a step of this tool panicked"))
}

/// Returns the error that cancelled the other steps.
fn first_cause(errors: [Option<anyhow::Error>; 3]) -> anyhow::Error {
    let mut errors: Vec<_> = errors.into_iter().flatten().collect();
    errors.sort_by_key(interrupt::is_interruption);
    errors
        .into_iter()
        .next()
        .unwrap_or_else(|| interrupt::Interrupted.into())
}

//! A roll-out: two replicas of every target, each restarted in turn under load. `HAProxy` replaces a cluster's Service
//! in front of each target's replicas and its ingress in front of the gateways.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use anyhow::{bail, ensure};
use nix::sys::signal::Signal;
use servers::{
    apt,
    checkout::Checkout,
    ports,
    process::{self, Output, Running},
    progress::Step,
    rabbitmq::RabbitMq,
    redis::Redis,
};
use tempfile::TempDir;

use crate::{
    browser,
    database::Database,
    limits,
    server::{Build, Program, Server, Settings},
    targets::{self, Target},
};

const REPLICAS: usize = 2;
/// The interval of `HAProxy`'s readiness probes, in milliseconds; one probe decides.
const LOOK: u64 = 100;
/// Timeout of a probe in seconds, as in Kubernetes, so that a machine that pauses for a moment does not make replicas
/// unready.
const PROBE: u64 = 1;
/// The time within which the balancer notices a change.
const NOTICED: Duration = Duration::from_millis(5 * LOOK);
/// `shutdown.delay_seconds` of the replicas, for which they still serve requests after they stop being ready.
const DELAY: u64 = 1;
/// Duration of a run of the load. Runs are repeated until the last restart, since a slow machine takes longer.
const LOAD: Duration = Duration::from_secs(20);

/// One replica of a target, restarted on the same address.
struct Replica {
    target: Target,
    settings: Settings,
    /// The replica's address, for the balancer.
    address: String,
    environment: Vec<(String, String)>,
    log: PathBuf,
    server: Option<Server>,
}

/// All replicas behind their balancer, stopped in the reverse order of the start.
struct Fleet {
    settings: Settings,
    replicas: Vec<Replica>,
    balancer: Running,
    /// The URL for readers.
    url: String,
    _folder: TempDir,
    _redis: Option<Redis>,
    _rabbitmq: Option<RabbitMq>,
    _database: Database,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The program of the former release [default: the new one]
    #[arg(long, value_name = "PROGRAM")]
    former: Option<PathBuf>,
    /// The program of the new release [default: the tests' build]
    #[arg(long, value_name = "PROGRAM")]
    new: Option<PathBuf>,
}

/// Restarts every replica in turn while `load` runs against the site; fails if any request of the load fails.
pub(crate) fn restarts(
    checkout: &Checkout,
    load: impl Fn(&str, Duration) -> Command + Sync,
) -> anyhow::Result<()> {
    let program = Program::build(checkout, Build::WithTests)?;
    replaced(checkout, &program, &[&program], load)
}

/// Replaces every replica of the former program by the new one under load, and then rolls them back.
pub(crate) fn roll_out(
    checkout: &Checkout,
    arguments: &Arguments,
    load: impl Fn(&str, Duration) -> Command + Sync,
) -> anyhow::Result<()> {
    let new = match &arguments.new {
        Some(program) => Program::at(checkout, program)?,
        None => Program::build(checkout, Build::WithTests)?,
    };
    let former = match &arguments.former {
        Some(program) => Program::at(checkout, program)?,
        None => new.clone(),
    };
    replaced(checkout, &former, &[&new, &former], load)
}

/// Starts the site with one program, and replaces every replica by each further program in turn while `load` runs.
fn replaced(
    checkout: &Checkout,
    first: &Program,
    further: &[&Program],
    load: impl Fn(&str, Duration) -> Command + Sync,
) -> anyhow::Result<()> {
    let mut fleet = Fleet::start(checkout, first)?;
    let (url, is_over) = (fleet.url.clone(), AtomicBool::new(false));
    thread::scope(|scope| {
        let loading = scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                process::run("k6", &mut load(&url, LOAD), Output::Shown)?;
            }
            Ok(())
        });
        let restarted = further
            .iter()
            .try_for_each(|program| fleet.replace(program));
        is_over.store(true, Ordering::SeqCst);
        let loaded = loading.join();
        restarted.and(loaded.unwrap_or_else(|_| bail!("the load panicked")))
    })?;
    fleet.stop()
}

impl Fleet {
    fn start(checkout: &Checkout, program: &Program) -> anyhow::Result<Self> {
        let database = Database::private(checkout, &[])?;
        let (cache, redis) = Redis::url_or_start(checkout)?;
        let (bus, rabbitmq) = RabbitMq::url_or_start(checkout)?;
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        let settings = browser::settings(checkout, &database, folder.path())?;
        program.prepare(&settings, &checkout.log("rolling-prepare")?)?;

        let doors = Doors::find(targets::read(checkout)?)?;
        let shared = doors.environment(&bus, &cache);
        let mut replicas = Vec::new();
        for (target, _) in &doors.ports {
            for number in 1..=REPLICAS {
                let log = checkout.log(&format!("rolling-{}-{number}", target.name))?;
                replicas.push(Replica::new(target, &settings, &shared, log)?);
            }
        }
        let balancer = doors.open(checkout, folder.path(), &replicas)?;
        let mut fleet = Self {
            settings,
            replicas,
            balancer,
            url: doors.url(),
            _folder: folder,
            _redis: redis,
            _rabbitmq: rabbitmq,
            _database: database,
        };
        let step = Step::quiet("Replicas");
        for number in 0..fleet.replicas.len() {
            fleet.serve(number, program)?;
        }
        step.done(&format!(
            "{} answer behind {}",
            fleet.replicas.len(),
            fleet.url
        ));
        Ok(fleet)
    }

    /// Migrates the database, as a roll-out does first, and restarts every replica with this program.
    fn replace(&mut self, program: &Program) -> anyhow::Result<()> {
        let mut migrate = program.command(&["migrate"]);
        self.settings.apply(&mut migrate);
        process::run("cityguide migrate", &mut migrate, Output::Shown)?;
        (0..self.replicas.len()).try_for_each(|number| self.restart(number, program))
    }

    fn serve(&mut self, number: usize, program: &Program) -> anyhow::Result<()> {
        let replica = &mut self.replicas[number];
        let arguments = ["serve", "--target", &replica.target.name];
        let server = program.serve(
            &replica.settings,
            &arguments,
            &replica.environment,
            Output::Log(&replica.log),
        )?;
        replica.server = Some(server);
        thread::sleep(NOTICED);
        Ok(())
    }

    /// Restarts a replica, stopping it as a cluster does.
    fn restart(&mut self, number: usize, program: &Program) -> anyhow::Result<()> {
        let step = Step::quiet("Restart");
        let target = self.replicas[number].target.name.clone();
        if let Some(server) = self.replicas[number].server.take() {
            ensure!(
                server.stop(),
                "{target} did not stop in time and was killed"
            );
        }
        self.serve(number, program)?;
        step.done(&format!("{target}, replica {}", number % REPLICAS + 1));
        Ok(())
    }

    fn stop(mut self) -> anyhow::Result<()> {
        while let Some(replica) = self.replicas.pop() {
            if let Some(server) = replica.server {
                ensure!(
                    server.stop(),
                    "{} did not stop in time",
                    replica.target.name
                );
            }
        }
        self.balancer.stop(Signal::SIGTERM, Duration::from_secs(5));
        Ok(())
    }
}

impl Replica {
    fn new(
        target: &Target,
        settings: &Settings,
        shared: &[(String, String)],
        log: PathBuf,
    ) -> anyhow::Result<Self> {
        let mut environment = shared.to_vec();
        let settings = Settings {
            port: ports::free()?,
            ..settings.beside()?
        };
        let address = if target.public {
            format!("127.0.0.1:{}", settings.port)
        } else {
            let address = format!("127.0.0.1:{}", ports::free()?);
            environment.push(("CITYGUIDE__RPC__LISTEN".to_owned(), address.clone()));
            address
        };
        Ok(Self {
            target: target.clone(),
            settings,
            address,
            environment,
            log,
            server: None,
        })
    }
}

/// The balancer's ports, one for each target's replicas; the gateways' port is the last.
struct Doors {
    ports: Vec<(Target, u16)>,
}

impl Doors {
    fn find(targets: Vec<Target>) -> anyhow::Result<Self> {
        let ports = targets
            .into_iter()
            .map(|target| Ok((target, ports::free()?)))
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { ports })
    }

    fn url(&self) -> String {
        let port = self.ports[self.ports.len() - 1].1;
        format!("http://127.0.0.1:{port}")
    }

    /// The settings of all replicas, which call each other only through the balancer.
    fn environment(&self, bus: &str, cache: &str) -> Vec<(String, String)> {
        let mut all = vec![
            ("CITYGUIDE__BUS__URL".to_owned(), bus.to_owned()),
            ("CITYGUIDE__CACHE__URL".to_owned(), cache.to_owned()),
            ("CITYGUIDE__INTERNAL__KEY".to_owned(), "cityguide".repeat(4)),
            ("CITYGUIDE__SITE__URL".to_owned(), self.url()),
            (
                "CITYGUIDE__SHUTDOWN__DELAY_SECONDS".to_owned(),
                DELAY.to_string(),
            ),
        ];
        all.extend(limits::lifted());
        for (target, port) in &self.ports {
            if !target.public {
                all.push((target.url_key(), format!("http://127.0.0.1:{port}")));
            }
        }
        all
    }

    /// Starts the balancer, which sends no requests to a replica that is not ready.
    fn open(
        &self,
        checkout: &Checkout,
        folder: &Path,
        replicas: &[Replica],
    ) -> anyhow::Result<Running> {
        let program = proxy(checkout)?;
        let mut config = format!(
            "defaults\n  timeout connect 2s\n  timeout client 1m\n  timeout server 1m\n  \
             timeout check {PROBE}s\n  option redispatch\n  default-server check inter {LOOK}ms fall 1 rise 1\n"
        );
        for (target, port) in &self.ports {
            let (name, mode) = (&target.name, if target.public { "http" } else { "tcp" });
            write!(
                config,
                "listen {name}\n  mode {mode}\n  bind 127.0.0.1:{port}\n  \
                 option httpchk GET /health/ready\n"
            )?;
            let of_target = replicas
                .iter()
                .filter(|replica| replica.target.name == *name);
            for (number, replica) in of_target.enumerate() {
                let (address, port) = (&replica.address, replica.settings.internal_port);
                writeln!(config, "  server replica{number} {address} port {port}")?;
            }
        }
        let file = folder.join("haproxy.cfg");
        fs::write(&file, config)?;
        let log = checkout.log("rolling-haproxy")?;
        let mut command = Command::new(program);
        command.arg("-db").arg("-f").arg(&file);
        let mut running = Running::start("HAProxy", &mut command, Output::Log(&log))?;
        let url = self.ports[0].1;
        process::wait_until("HAProxy did not answer", Some(&log), NOTICED * 20, || {
            running.require_alive()?;
            Ok(std::net::TcpStream::connect(("127.0.0.1", url)).is_ok())
        })?;
        Ok(running)
    }
}

/// Returns `HAProxy`: already installed, or installed from Debian's package if we are allowed to.
pub(crate) fn proxy(checkout: &Checkout) -> anyhow::Result<PathBuf> {
    // Debian installs it in a folder that is only on root's search path.
    let find = || {
        let usual = Some(PathBuf::from("/usr/sbin/haproxy"));
        apt::on_path(&["haproxy"]).or_else(|| usual.filter(|program| program.is_file()))
    };
    apt::ensure(checkout, "haproxy", "", find)
}

//! A private PostgreSQL. Its databases are created in single-user mode before the first start, because `createdb` is
//! not included.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

use crate::{
    certificate::{Certificate, write_private},
    checkout::Checkout,
    embedded::Embedded,
    ports,
    process::{self, Output, Running},
};

/// The superuser that `initdb` creates.
const USER: &str = "postgres";
/// The major version; data of other major versions cannot be read.
const MAJOR: &str = "18";
const START_BOUND: Duration = Duration::from_mins(2);
const STOP_BOUND: Duration = Duration::from_mins(1);

/// The durability of the data if the machine crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Data survive a crash.
    Kept,
    /// Data are lost in a crash, for speed in test runs.
    Disposable,
}

/// The initial contents of a new data folder.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contents<'a> {
    /// Databases to create, empty.
    pub databases: &'a [&'a str],
    /// SQL for the first database, in steps.
    pub steps: &'a [String],
    /// If set, the server also accepts TLS connections.
    pub certificate: Option<&'a Certificate>,
}

/// A running server with its own data folder.
#[derive(Debug)]
pub struct Cluster {
    running: Running,
    server: Server,
    password: String,
    /// The server's folder, if it is removed with the server.
    folder: Option<TempDir>,
}

/// The options of a server, which stay the same after a crash.
#[derive(Debug)]
struct Server {
    embedded: Embedded,
    data: PathBuf,
    log: PathBuf,
    port: u16,
    durability: Durability,
    /// Removed with the server. Its path is short, because a socket's path is limited to about 100 bytes.
    sockets: TempDir,
}

impl Cluster {
    /// Starts a server on `home/data`, which is created with these contents if it does not exist.
    pub fn start(
        embedded: &Embedded,
        home: &Path,
        contents: Contents<'_>,
        durability: Durability,
    ) -> anyhow::Result<Self> {
        let data = home.join("data");
        if !data.is_dir() {
            create(embedded, home, &data, contents)?;
        }
        require_version(&data)?;
        end_stale(&data)?;
        let password = fs::read_to_string(home.join("password"))
            .context("the PostgreSQL folder has lost its password file; remove the folder")?;
        let sockets = tempfile::Builder::new().prefix("cg-pg-").tempdir()?;
        embedded.account.give(sockets.path())?;
        let mut server = Server {
            embedded: embedded.clone(),
            data,
            log: home.join("log"),
            port: ports::free()?,
            durability,
            sockets,
        };
        let mut tries_left = 3;
        let running = loop {
            tries_left -= 1;
            match server.start() {
                Ok(running) => break running,
                // Another program took the port between our check and the start.
                Err(error) if tries_left > 0 && error.to_string().contains("could not bind") => {
                    server.port = ports::free()?;
                }
                Err(error) => return Err(error),
            }
        };
        Ok(Self {
            running,
            server,
            password: password.trim().to_owned(),
            folder: None,
        })
    }

    /// Starts a server in a temporary folder that is removed with the server.
    pub fn private(
        checkout: &Checkout,
        contents: Contents<'_>,
        durability: Durability,
    ) -> anyhow::Result<Self> {
        let embedded = Embedded::ensure(checkout)?;
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        // PostgreSQL's account must be able to traverse the folder.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711))?;
        let home = folder.path().join("postgres");
        let mut cluster = Self::start(&embedded, &home, contents, durability)?;
        cluster.folder = Some(folder);
        Ok(cluster)
    }

    /// Kills the server, as in a crash. Its sessions notice and end by themselves.
    pub fn kill(&mut self) {
        self.running.kill();
    }

    /// Stops the server cleanly.
    pub fn stop_for_a_while(&mut self) {
        self.shut_down();
    }

    /// Restarts the server on the same port and data, and waits until it has recovered.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        let begun = Instant::now();
        self.running = loop {
            match self.server.start() {
                // Sessions of a killed server use its shared memory for a moment longer.
                Err(error)
                    if begun.elapsed() < STOP_BOUND
                        && error.to_string().contains("shared memory") => {}
                started => break started?,
            }
        };
        Ok(())
    }

    /// The `postgres://…` URL of a database; a restart does not change it.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!(
            "postgres://{USER}:{}@127.0.0.1:{}/{database}",
            self.password, self.server.port
        )
    }

    /// The id of the server's main process, the parent of all others.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.running.id()
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.server.port
    }

    /// Fails if the server has ended.
    pub fn require_alive(&mut self) -> anyhow::Result<()> {
        self.running.require_alive()
    }

    /// Stops the server; returns whether it stopped cleanly.
    #[must_use]
    pub fn stop(mut self) -> bool {
        self.shut_down()
    }

    fn shut_down(&mut self) -> bool {
        // SIGINT is PostgreSQL's "fast" shutdown: sessions are ended, data are written.
        self.running.stop(Signal::SIGINT, STOP_BOUND)
    }
}

impl Server {
    fn start(&self) -> anyhow::Result<Running> {
        let mut command = self.embedded.command("postgres");
        let sockets = format!("unix_socket_directories={}", self.sockets.path().display());
        command
            .arg("-D")
            .arg(&self.data)
            .args(["-p", &self.port.to_string()])
            .args(["-c", "listen_addresses=127.0.0.1", "-c", &sockets])
            // All services of a site may need more than the default of 100, and tests connect too.
            .args(["-c", "max_connections=300"]);
        if self.durability == Durability::Disposable {
            for setting in [
                "fsync=off",
                "synchronous_commit=off",
                "full_page_writes=off",
                "wal_level=minimal",
                "max_wal_senders=0",
                // Otherwise autovacuum would constantly visit the thousand databases of the tests.
                "autovacuum=off",
            ] {
                command.args(["-c", setting]);
            }
        }
        let mut running = Running::start("PostgreSQL", &mut command, Output::Log(&self.log))?;
        let what = "PostgreSQL did not answer";
        process::wait_until(what, Some(&self.log), START_BOUND, || {
            running.require_alive()?;
            Ok(accepts(&self.data, running.id()))
        })?;
        Ok(running)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// Creates the data folder with a random password and the databases. The folder has a temporary name until it is
/// complete, so that an unfinished folder is never used.
fn create(
    embedded: &Embedded,
    home: &Path,
    data: &Path,
    contents: Contents<'_>,
) -> anyhow::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(home)?;
    embedded.account.give(home)?;
    let unfinished = home.join("unfinished");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }

    let password_file = home.join("password");
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&password_file)?;
    writeln!(file, "{}", random_password()?)?;
    embedded.account.give(&password_file)?;

    let log = home.join("initdb.log");
    let mut initdb = embedded.command("initdb");
    initdb
        .arg("-D")
        .arg(&unfinished)
        .arg("--pwfile")
        .arg(&password_file)
        .args(["-U", USER, "-E", "UTF8", "--no-sync"])
        // The built-in provider sorts identically on every platform.
        .args([
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
        ])
        // Only we can access the socket's folder; over TCP, any user of this machine could connect.
        .args(["--auth-local=trust", "--auth-host=scram-sha-256"])
        // A single iteration: a random password needs no stretching, and tests connect thousands of times.
        .args(["-c", "scram_iterations=1"]);
    if contents.certificate.is_some() {
        initdb.args(["-c", "ssl=on"]);
    }
    process::run("initdb", &mut initdb, Output::Log(&log))?;
    let databases: Vec<_> = contents
        .databases
        .iter()
        .map(|database| format!("CREATE DATABASE \"{database}\""))
        .collect();
    single_user(embedded, &unfinished, "postgres", &databases)?;
    if let Some(database) = contents.databases.first() {
        single_user(embedded, &unfinished, database, contents.steps)?;
    }
    if let Some(certificate) = contents.certificate {
        // The file names that the server expects.
        for (file, name) in [
            (certificate.certificate(), "server.crt"),
            (certificate.key(), "server.key"),
        ] {
            let copy = unfinished.join(name);
            write_private(&copy, &fs::read_to_string(file)?)?;
            embedded.account.give(&copy)?;
        }
    }
    fs::rename(&unfinished, data)?;
    Ok(())
}

/// Runs SQL in single-user mode; no server may run on the data meanwhile.
fn single_user(
    embedded: &Embedded,
    data: &Path,
    database: &str,
    steps: &[String],
) -> anyhow::Result<()> {
    if steps.is_empty() {
        return Ok(());
    }
    let mut child = embedded
        .command("postgres")
        // -j: a step ends with a semicolon and an empty line.
        .args(["--single", "-j", "-D"])
        .arg(data)
        .arg(database)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        for step in steps {
            for line in step.lines().filter(|line| !line.trim().is_empty()) {
                writeln!(stdin, "{line}")?;
            }
            stdin.write_all(b";\n\n")?;
        }
    }
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    // This mode exits with 0 even if the statement failed.
    if !output.status.success() || said.contains("ERROR:") || said.contains("FATAL:") {
        bail!("PostgreSQL could not prepare {database}: {}", said.trim());
    }
    Ok(())
}

fn random_password() -> anyhow::Result<String> {
    let mut bytes = [0_u8; 16];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

fn require_version(data: &Path) -> anyhow::Result<()> {
    let found = fs::read_to_string(data.join("PG_VERSION"))
        .with_context(|| format!("{} is no PostgreSQL data folder", data.display()))?;
    if found.trim() != MAJOR {
        bail!(
            "{} was made by PostgreSQL {}, this is {MAJOR}: remove the folder to start afresh",
            data.display(),
            found.trim()
        );
    }
    Ok(())
}

/// The server writes its state as the eighth line of `postmaster.pid`; the port is open before recovery has
/// finished.
fn accepts(data: &Path, id: u32) -> bool {
    fs::read_to_string(data.join("postmaster.pid")).is_ok_and(|text| {
        let mut lines = text.lines();
        lines.next() == Some(&id.to_string()) && lines.nth(6).is_some_and(|s| s.trim() == "ready")
    })
}

/// Cleans up after a killed run: stops a server that still runs, and removes a pid file whose id now belongs to another
/// program, since PostgreSQL would refuse to start.
///
/// The caller has locked the folder, so a server on it can only be an orphan.
fn end_stale(data: &Path) -> anyhow::Result<()> {
    let file = data.join("postmaster.pid");
    let Ok(text) = fs::read_to_string(&file) else {
        return Ok(());
    };
    let id = text
        .lines()
        .next()
        .and_then(|line| line.trim().parse().ok());
    if let Some(id) = id.filter(|id| serves(*id, data)) {
        let orphan = Pid::from_raw(id);
        kill(orphan, Signal::SIGINT).context("PostgreSQL of an earlier run cannot be stopped")?;
        let what = format!("PostgreSQL of an earlier run (process {id}) did not stop");
        return process::wait_until(&what, None, STOP_BOUND, || Ok(!serves(id, data)));
    }
    match fs::remove_file(&file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Whether this process is a PostgreSQL server on this data folder.
fn serves(id: i32, data: &Path) -> bool {
    let arguments = fs::read(format!("/proc/{id}/cmdline"))
        .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
        .or_else(|_| {
            // On a system without /proc, `ps` prints the command line.
            Command::new("ps")
                .args(["-ww", "-o", "command=", "-p", &id.to_string()])
                .output()
                .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        })
        .unwrap_or_default();
    arguments.contains("postgres") && arguments.contains(&*data.to_string_lossy())
}

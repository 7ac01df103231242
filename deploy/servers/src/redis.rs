//! A private Redis, whose data are lost when it stops.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
    path::PathBuf,
    process::Command,
    time::Duration,
};

use nix::sys::signal::Signal;
use tempfile::TempDir;

use crate::{
    apt,
    certificate::{self, Certificate},
    checkout::Checkout,
    ports,
    process::{self, Output, Running},
    progress::Step,
};

/// A server that is stopped on drop.
#[derive(Debug)]
pub struct Redis {
    running: Running,
    instance: Instance,
}

/// A server's program, folder and port, which stay the same after a crash.
#[derive(Debug)]
struct Instance {
    program: PathBuf,
    folder: TempDir,
    log: PathBuf,
    port: u16,
    tls: Option<Tls>,
}

/// The TLS port and its files.
#[derive(Debug)]
struct Tls {
    port: u16,
    certificate: PathBuf,
    key: PathBuf,
    authority: PathBuf,
}

impl Redis {
    /// Returns `REDIS_URL` if it is set, otherwise starts a server.
    pub fn url_or_start(checkout: &Checkout) -> anyhow::Result<(String, Option<Self>)> {
        Self::url_or_start_with(checkout, None)
    }

    /// Like [`Self::url_or_start`]; with a certificate, a started server also listens on a TLS port.
    pub fn url_or_start_with(
        checkout: &Checkout,
        certificate: Option<&Certificate>,
    ) -> anyhow::Result<(String, Option<Self>)> {
        if let Some(given) = std::env::var("REDIS_URL")
            .ok()
            .filter(|url| !url.is_empty())
        {
            Step::quiet("Redis").done("the one that REDIS_URL names");
            return Ok((given, None));
        }
        let server = Self::start_with(checkout, "redis", certificate)?;
        Ok((server.url(), Some(server)))
    }

    /// Finds the server's program, or installs it.
    pub fn program(checkout: &Checkout) -> anyhow::Result<PathBuf> {
        let hint = ", or name a server in REDIS_URL";
        let find = || apt::on_path(&["redis-server"]);
        apt::ensure(checkout, "redis-server", hint, find)
    }

    /// Starts a server regardless of the environment; `name` names its log.
    pub fn start(checkout: &Checkout, name: &str) -> anyhow::Result<Self> {
        Self::start_with(checkout, name, None)
    }

    fn start_with(
        checkout: &Checkout,
        name: &str,
        certificate: Option<&Certificate>,
    ) -> anyhow::Result<Self> {
        let program = Self::program(checkout)?;
        let step = Step::quiet("Redis");
        let instance = Instance {
            program,
            folder: tempfile::Builder::new().prefix("cityguide-").tempdir()?,
            log: checkout.log(name)?,
            port: ports::free()?,
            tls: certificate.map(Tls::new).transpose()?,
        };
        let running = instance.start()?;
        step.done(&format!("answers on 127.0.0.1:{}", instance.port));
        Ok(Self { running, instance })
    }

    /// The server's URL; a restart does not change it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.instance.port)
    }

    /// The server's URL over TLS, if it has a certificate.
    #[must_use]
    pub fn tls_url(&self) -> Option<String> {
        let tls = self.instance.tls.as_ref()?;
        Some(format!("rediss://{}:{}/0", certificate::NAME, tls.port))
    }

    /// Kills the server, as in a crash; its data are lost.
    pub fn kill(&mut self) {
        self.running.kill();
    }

    /// Restarts the server without data, and waits until it answers.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        self.running = self.instance.start()?;
        Ok(())
    }
}

impl Tls {
    fn new(certificate: &Certificate) -> anyhow::Result<Self> {
        Ok(Self {
            port: ports::free()?,
            certificate: certificate.certificate(),
            key: certificate.key(),
            authority: certificate.authority(),
        })
    }
}

impl Instance {
    fn start(&self) -> anyhow::Result<Running> {
        let mut command = Command::new(&self.program);
        command
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(self.folder.path());
        if let Some(tls) = &self.tls {
            command
                .args(["--tls-port", &tls.port.to_string()])
                .arg("--tls-cert-file")
                .arg(&tls.certificate)
                .arg("--tls-key-file")
                .arg(&tls.key)
                .arg("--tls-ca-cert-file")
                .arg(&tls.authority)
                // Clients need no certificate.
                .args(["--tls-auth-clients", "no"]);
        }
        let mut running = Running::start("Redis", &mut command, Output::Log(&self.log))?;
        let bound = Duration::from_secs(10);
        process::wait_until("Redis did not answer", Some(&self.log), bound, || {
            running.require_alive()?;
            Ok(answers(self.port))
        })?;
        Ok(running)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.running.stop(Signal::SIGTERM, Duration::from_secs(5));
    }
}

fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        connection.set_read_timeout(Some(Duration::from_secs(1)))?;
        connection.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        connection.read_exact(&mut answer)?;
        Ok(&answer == b"+PONG")
    };
    ask().unwrap_or(false)
}

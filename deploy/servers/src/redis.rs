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
    checkout::Checkout,
    ports,
    process::{self, Output, Running},
    progress::Step,
};

/// A server that stops when this is dropped.
#[derive(Debug)]
pub struct Redis {
    running: Running,
    instance: Instance,
}

/// One server's program, folder and port, which stay the same after a crash.
#[derive(Debug)]
struct Instance {
    program: PathBuf,
    folder: TempDir,
    log: PathBuf,
    port: u16,
}

impl Redis {
    /// `REDIS_URL` if it is set, otherwise a server of our own.
    pub fn url_or_start(checkout: &Checkout) -> anyhow::Result<(String, Option<Self>)> {
        if let Some(given) = std::env::var("REDIS_URL")
            .ok()
            .filter(|url| !url.is_empty())
        {
            Step::quiet("Redis").done("the one that REDIS_URL names");
            return Ok((given, None));
        }
        let server = Self::start(checkout, "redis")?;
        Ok((server.url(), Some(server)))
    }

    /// A server of our own, whatever the environment says; `name` names its log.
    pub fn start(checkout: &Checkout, name: &str) -> anyhow::Result<Self> {
        let hint = ", or name a server in REDIS_URL";
        let find = || apt::on_path(&["redis-server"]);
        let program = apt::ensure(checkout, "redis-server", hint, find)?;
        let step = Step::quiet("Redis");
        let instance = Instance {
            program,
            folder: tempfile::Builder::new().prefix("cityguide-").tempdir()?,
            log: checkout.log(name)?,
            port: ports::free()?,
        };
        let running = instance.start()?;
        step.done(&format!("answers on 127.0.0.1:{}", instance.port));
        Ok(Self { running, instance })
    }

    /// Its URL; a restart does not change it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.instance.port)
    }

    /// Kills it, as a crash would; its data are lost.
    pub fn kill(&mut self) {
        self.running.kill();
    }

    /// Restarts it, empty, and waits until it answers.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        self.running = self.instance.start()?;
        Ok(())
    }
}

impl Instance {
    fn start(&self) -> anyhow::Result<Running> {
        let mut command = Command::new(&self.program);
        command
            .args(["--port", &self.port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(self.folder.path());
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

//! A private Redis: what it holds goes with it.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, TcpStream},
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
pub(crate) struct Redis {
    running: Running,
    port: u16,
    _folder: TempDir,
}

impl Redis {
    /// `REDIS_URL` where it is set, else a server of our own.
    pub(crate) fn url_or_start(checkout: &Checkout) -> anyhow::Result<(String, Option<Self>)> {
        if let Some(given) = std::env::var("REDIS_URL")
            .ok()
            .filter(|url| !url.is_empty())
        {
            Step::quiet("Redis").done("the one that REDIS_URL names");
            return Ok((given, None));
        }
        let server = Self::start(checkout)?;
        Ok((format!("redis://127.0.0.1:{}/0", server.port), Some(server)))
    }

    fn start(checkout: &Checkout) -> anyhow::Result<Self> {
        let hint = ", or name a server in REDIS_URL";
        let find = || apt::on_path(&["redis-server"]);
        let program = apt::ensure(checkout, "redis-server", hint, find)?;
        let step = Step::quiet("Redis");
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        let (port, log) = (ports::free()?, checkout.log("redis")?);
        let mut command = Command::new(program);
        command
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(folder.path());
        let mut running = Running::start("Redis", &mut command, Output::Log(&log))?;
        let bound = Duration::from_secs(10);
        process::wait_until("Redis did not answer", Some(&log), bound, || {
            running.require_alive()?;
            Ok(answers(port))
        })?;
        step.done(&format!("answers on 127.0.0.1:{port}"));
        Ok(Self {
            running,
            port,
            _folder: folder,
        })
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

//! A private RabbitMQ: its own node, its own ports, its own Erlang port mapper, all of which end with
//! it.

use std::{
    fs,
    net::{Ipv4Addr, TcpStream},
    path::{Path, PathBuf},
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

/// Debian's script; the one in sbin insists on its own account.
const PROGRAM: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/// A broker that stops when this is dropped.
#[derive(Debug)]
pub(crate) struct RabbitMq {
    mapper: Running,
    broker: Running,
    port: u16,
    _folder: TempDir,
}

impl RabbitMq {
    /// `AMQP_URL` where it is set, else a broker of our own.
    pub(crate) fn url_or_start(checkout: &Checkout) -> anyhow::Result<(String, Option<Self>)> {
        if let Some(given) = std::env::var("AMQP_URL").ok().filter(|url| !url.is_empty()) {
            Step::quiet("RabbitMQ").done("the one that AMQP_URL names");
            return Ok((given, None));
        }
        let broker = Self::start(checkout)?;
        let url = format!("amqp://guest:guest@127.0.0.1:{}/%2f", broker.port);
        Ok((url, Some(broker)))
    }

    fn start(checkout: &Checkout) -> anyhow::Result<Self> {
        let hint = ", or name a broker in AMQP_URL";
        let find = || Some(PathBuf::from(PROGRAM)).filter(|program| program.is_file());
        let program = apt::ensure(checkout, "rabbitmq-server", hint, find)?;
        let step = Step::announced("RabbitMQ", "starting");
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        let (port, mapper_port) = (ports::free()?, ports::free()?);
        let log = checkout.log("rabbitmq")?;

        // A mapper of our own, in the foreground, so that it can be stopped by its process id.
        let mut command = Command::new("epmd");
        command.args(["-port", &mapper_port.to_string(), "-address", "127.0.0.1"]);
        let mapper_log = checkout.log("epmd")?;
        let mapper = Running::start("epmd", &mut command, Output::Log(&mapper_log))?;
        let mut command = Command::new(program);
        configure(&mut command, folder.path(), port, mapper_port)?;
        let mut broker = Running::start("RabbitMQ", &mut command, Output::Log(&log))?;
        let bound = Duration::from_mins(1);
        process::wait_until("RabbitMQ did not answer", Some(&log), bound, || {
            broker.require_alive()?;
            Ok(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok())
        })?;
        step.done(&format!("answers on 127.0.0.1:{port}"));
        Ok(Self {
            mapper,
            broker,
            port,
            _folder: folder,
        })
    }
}

/// Everything that would else be shared with another RabbitMQ of this machine.
fn configure(
    command: &mut Command,
    folder: &Path,
    port: u16,
    mapper_port: u16,
) -> anyhow::Result<()> {
    let (settings, plugins) = (folder.join("conf"), folder.join("plugins"));
    fs::write(&settings, format!("listeners.tcp.1 = 127.0.0.1:{port}\n"))?;
    fs::write(&plugins, "[].\n")?;
    for name in ["home", "data", "log"] {
        fs::create_dir(folder.join(name))?;
    }
    let inside = |name: &str| folder.join(name).into_os_string();
    for (key, value) in [
        ("HOME", inside("home")),
        (
            "RABBITMQ_NODENAME",
            format!("cityguide{port}@localhost").into(),
        ),
        ("RABBITMQ_MNESIA_BASE", inside("data")),
        ("RABBITMQ_LOG_BASE", inside("log")),
        ("RABBITMQ_CONFIG_FILE", settings.into_os_string()),
        ("RABBITMQ_PID_FILE", inside("pid")),
        ("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.into_os_string()),
        ("RABBITMQ_DIST_PORT", ports::free()?.to_string().into()),
        ("ERL_EPMD_PORT", mapper_port.to_string().into()),
        ("ERL_EPMD_ADDRESS", "127.0.0.1".into()),
        ("RABBITMQ_CONF_ENV_FILE", "/dev/null".into()),
        (
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
            "-kernel inet_dist_use_interface {127,0,0,1}".into(),
        ),
    ] {
        command.env(key, value);
    }
    Ok(())
}

impl Drop for RabbitMq {
    fn drop(&mut self) {
        self.broker.stop(Signal::SIGTERM, Duration::from_secs(15));
        self.mapper.stop(Signal::SIGTERM, Duration::from_secs(5));
    }
}

//! A private RabbitMQ with its own node, ports and Erlang port mapper, which all stop on drop.

use std::{
    fs,
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

/// Timeout for the start or stop of a server, on a machine that is busy with tests.
const BOUND: Duration = Duration::from_mins(4);
/// RabbitMQ's log message when it stops accepting messages.
const SHORT_OF_SPACE: &str = "disk resource limit alarm set";

/// Debian's script; the script in sbin requires RabbitMQ's own account.
const PROGRAM: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";

/// The administration tool.
const CONTROL: &str = "/usr/lib/rabbitmq/bin/rabbitmqctl";

/// A broker that is stopped on drop.
#[derive(Debug)]
pub struct RabbitMq {
    mapper: Running,
    broker: Running,
    node: Node,
}

/// A node's program, folder and ports, which stay the same after a crash.
#[derive(Debug)]
struct Node {
    program: PathBuf,
    folder: TempDir,
    log: PathBuf,
    port: u16,
    mapper_port: u16,
    distribution_port: u16,
    tls: Option<Tls>,
}

/// The TLS port, and its lines of the configuration.
#[derive(Debug)]
struct Tls {
    port: u16,
    settings: String,
}

impl RabbitMq {
    /// Returns `AMQP_URL` if it is set, otherwise starts a broker.
    pub fn url_or_start(checkout: &Checkout) -> anyhow::Result<(String, Option<Self>)> {
        Self::url_or_start_with(checkout, None)
    }

    /// Like [`Self::url_or_start`]; with a certificate, a started broker also listens on a TLS port.
    pub fn url_or_start_with(
        checkout: &Checkout,
        certificate: Option<&Certificate>,
    ) -> anyhow::Result<(String, Option<Self>)> {
        if let Some(given) = std::env::var("AMQP_URL").ok().filter(|url| !url.is_empty()) {
            Step::quiet("RabbitMQ").done("the one that AMQP_URL names");
            return Ok((given, None));
        }
        let broker = Self::start_with(checkout, "rabbitmq", certificate)?;
        Ok((broker.url(), Some(broker)))
    }

    /// Finds the broker's program, or installs it.
    pub fn program(checkout: &Checkout) -> anyhow::Result<PathBuf> {
        let hint = ", or name a broker in AMQP_URL";
        let find = || Some(PathBuf::from(PROGRAM)).filter(|program| program.is_file());
        apt::ensure(checkout, "rabbitmq-server", hint, find)
    }

    /// Starts a broker regardless of the environment; `name` names its log.
    pub fn start(checkout: &Checkout, name: &str) -> anyhow::Result<Self> {
        Self::start_with(checkout, name, None)
    }

    fn start_with(
        checkout: &Checkout,
        name: &str,
        certificate: Option<&Certificate>,
    ) -> anyhow::Result<Self> {
        let program = Self::program(checkout)?;
        let step = Step::announced("RabbitMQ", "starting");
        let folder = tempfile::Builder::new().prefix("cityguide-").tempdir()?;
        let log = checkout.log(name)?;
        let node = Node {
            program,
            log,
            port: ports::free()?,
            mapper_port: ports::free()?,
            distribution_port: ports::free()?,
            tls: certificate.map(Tls::new).transpose()?,
            folder,
        };
        node.prepare()?;

        // Runs its own mapper in the foreground, so that it can be stopped by its process id.
        let mut command = Command::new("epmd");
        command
            .args(["-port", &node.mapper_port.to_string()])
            .args(["-address", "127.0.0.1"]);
        let mapper_log = checkout.log(&format!("{name}-epmd"))?;
        let mapper = Running::start("epmd", &mut command, Output::Log(&mapper_log))?;
        let broker = node.start()?;
        step.done(&format!("answers on 127.0.0.1:{}", node.port));
        Ok(Self {
            mapper,
            broker,
            node,
        })
    }

    /// The broker's URL; a restart does not change it.
    #[must_use]
    pub fn url(&self) -> String {
        format!("amqp://guest:guest@127.0.0.1:{}/%2f", self.node.port)
    }

    /// The broker's URL over TLS, if it has a certificate.
    #[must_use]
    pub fn tls_url(&self) -> Option<String> {
        let (name, port) = (certificate::NAME, self.node.tls.as_ref()?.port);
        Some(format!("amqps://guest:guest@{name}:{port}/%2f"))
    }

    /// `rabbitmqctl` for this node.
    #[must_use]
    pub fn control(&self) -> Command {
        let mut command = Command::new(CONTROL);
        self.node.configure(&mut command);
        command
    }

    /// Kills the broker, as in a crash; its folder contains all confirmed messages. Fails if the broker still listens
    /// after `BOUND`.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.broker.kill();
        // The broker is a child of the script and may end later than the script on a busy machine. Until then, it would
        // be mistaken for the next broker.
        process::wait_until("RabbitMQ did not end", Some(&self.node.log), BOUND, || {
            Ok(!listens(self.node.port))
        })
    }

    /// Restarts the broker on the same data, and waits until it answers.
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        self.start_again_as("")
    }

    /// Restarts the broker without disk space: it accepts connections, but no messages.
    pub fn start_again_without_space(&mut self) -> anyhow::Result<()> {
        self.start_again_as("disk_free_limit.absolute = 1000000GB\n")?;
        // The broker measures its disk space only while it starts to listen.
        let logs = self.node.folder.path().join("log");
        let is_short = || {
            for file in fs::read_dir(&logs)? {
                let log = fs::read(file?.path())?;
                if String::from_utf8_lossy(&log).contains(SHORT_OF_SPACE) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let log = Some(self.node.log.as_path());
        process::wait_until(
            "RabbitMQ did not notice that it is short of space",
            log,
            BOUND,
            is_short,
        )
    }

    fn start_again_as(&mut self, more: &str) -> anyhow::Result<()> {
        self.node.configure_broker(more)?;
        self.broker = self.node.start()?;
        Ok(())
    }
}

impl Tls {
    fn new(certificate: &Certificate) -> anyhow::Result<Self> {
        let port = ports::free()?;
        // Clients sign in with a password, without a certificate.
        let settings = format!(
            "listeners.ssl.1 = 127.0.0.1:{port}\nssl_options.cacertfile = {}\nssl_options.certfile = {}\n\
             ssl_options.keyfile = {}\nssl_options.verify = verify_none\n\
             ssl_options.fail_if_no_peer_cert = false\n",
            certificate.authority().display(),
            certificate.certificate().display(),
            certificate.key().display(),
        );
        Ok(Self { port, settings })
    }
}

impl Node {
    fn prepare(&self) -> anyhow::Result<()> {
        self.configure_broker("")?;
        fs::write(self.folder.path().join("plugins"), "[].\n")?;
        for name in ["home", "data", "log"] {
            fs::create_dir(self.folder.path().join(name))?;
        }
        Ok(())
    }

    /// Writes the node's configuration and additional lines.
    fn configure_broker(&self, more: &str) -> anyhow::Result<()> {
        let tls = self.tls.as_ref().map_or("", |tls| &tls.settings);
        let settings = format!("listeners.tcp.1 = 127.0.0.1:{}\n{tls}{more}", self.port);
        fs::write(self.folder.path().join("conf"), settings)?;
        Ok(())
    }

    fn start(&self) -> anyhow::Result<Running> {
        let mut command = Command::new(&self.program);
        self.configure(&mut command);
        // Erlang's crash dump is written here.
        command.current_dir(self.folder.path().join("home"));
        let mut broker = Running::start("RabbitMQ", &mut command, Output::Log(&self.log))?;
        process::wait_until("RabbitMQ did not answer", Some(&self.log), BOUND, || {
            broker.require_alive()?;
            let tls_port = self.tls.as_ref().map(|tls| tls.port);
            Ok([Some(self.port), tls_port]
                .into_iter()
                .flatten()
                .all(listens))
        })?;
        Ok(broker)
    }

    /// Sets all options that would otherwise be shared with another RabbitMQ on this machine.
    fn configure(&self, command: &mut Command) {
        let inside = |name: &str| self.folder.path().join(name).into_os_string();
        for (key, value) in [
            ("HOME", inside("home")),
            (
                "RABBITMQ_NODENAME",
                format!("cityguide{}@localhost", self.port).into(),
            ),
            ("RABBITMQ_MNESIA_BASE", inside("data")),
            ("RABBITMQ_LOG_BASE", inside("log")),
            ("RABBITMQ_CONFIG_FILE", inside("conf")),
            ("RABBITMQ_PID_FILE", inside("pid")),
            ("RABBITMQ_ENABLED_PLUGINS_FILE", inside("plugins")),
            (
                "RABBITMQ_DIST_PORT",
                self.distribution_port.to_string().into(),
            ),
            ("ERL_EPMD_PORT", self.mapper_port.to_string().into()),
            ("ERL_EPMD_ADDRESS", "127.0.0.1".into()),
            ("RABBITMQ_CONF_ENV_FILE", "/dev/null".into()),
            (
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                // Idle schedulers sleep instead of spinning, which leaves the processor to the tests.
                "-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none"
                    .into(),
            ),
        ] {
            command.env(key, value);
        }
    }
}

fn listens(port: u16) -> bool {
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok()
}

impl Drop for RabbitMq {
    fn drop(&mut self) {
        self.broker.stop(Signal::SIGTERM, Duration::from_secs(15));
        self.mapper.stop(Signal::SIGTERM, Duration::from_secs(5));
    }
}

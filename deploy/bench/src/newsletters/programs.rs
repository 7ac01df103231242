//! The programs that send and receive.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::json;
use tokio::process::{Child, Command};

use super::{CONNECTIONS, Draft, Plan, Signed};

/// The domain that signs.
const DOMAIN: &str = "guide.example";
const START_WITHIN: Duration = Duration::from_secs(30);

/// A site in one process.
pub(super) struct Site {
    process: Child,
    program: PathBuf,
    environment: Vec<(String, String)>,
}

impl Site {
    pub(super) async fn start(plan: &Plan, signed: Signed) -> anyhow::Result<Self> {
        let site = Self::begin(plan, signed)?;
        let url = format!("http://127.0.0.1:{}/health/ready", plan.internal_port);
        let begun = Instant::now();
        while begun.elapsed() < START_WITHIN {
            let answer = reqwest::get(&url).await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(site);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the site did not become ready")
    }

    /// The same without waiting until it is ready.
    pub(super) fn begin(plan: &Plan, signed: Signed) -> anyhow::Result<Self> {
        let environment = environment(plan, signed);
        let mut command = Command::new(&plan.program);
        command.arg("serve").envs(environment.iter().cloned());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self {
            process: command.kill_on_drop(true).spawn()?,
            program: plan.program.clone(),
            environment,
        })
    }

    /// Runs a command beside it; returns what it prints.
    async fn told(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(&self.program);
        command
            .args(arguments)
            .envs(self.environment.iter().cloned());
        let output = command.output().await?;
        let words = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{arguments:?}: {words}");
        Ok(String::from_utf8(output.stdout)?)
    }

    pub(super) async fn schedule(&self, draft: &Draft) -> anyhow::Result<()> {
        let file = draft.file.to_str().context("a path")?;
        self.told(&["newsletter", "schedule", file]).await?;
        Ok(())
    }

    /// Writes the letter into a folder, as HTML and as text.
    pub(super) async fn letter(&self, draft: &Draft, folder: &Path) -> anyhow::Result<()> {
        let file = draft.file.to_str().context("a path")?;
        let html = self
            .told(&["newsletter", "preview", file, "--html"])
            .await?;
        let text = self.told(&["newsletter", "preview", file]).await?;
        fs::write(folder.join("letter.html"), html)?;
        fs::write(folder.join("letter.txt"), text)?;
        Ok(())
    }

    /// The most memory that it has taken so far, MiB.
    pub(super) fn peak(&self) -> anyhow::Result<f64> {
        let id = self.process.id().context("the site has ended")?;
        let status = fs::read_to_string(format!("/proc/{id}/status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next());
        let kib: f64 = number.context("no memory")?.parse()?;
        Ok(kib / 1024.0)
    }

    /// Lets it end what it does.
    pub(super) async fn stop(mut self) -> anyhow::Result<()> {
        terminate(&self.process)?;
        self.process.wait().await?;
        Ok(())
    }

    /// Ends it wherever it is.
    pub(super) async fn kill(mut self) -> anyhow::Result<()> {
        self.process.kill().await?;
        Ok(())
    }
}

fn terminate(process: &Child) -> anyhow::Result<()> {
    let id = process.id().context("a process has ended by itself")?;
    let id = nix::unistd::Pid::from_raw(i32::try_from(id)?);
    nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM)?;
    Ok(())
}

fn environment(plan: &Plan, signed: Signed) -> Vec<(String, String)> {
    let mail = |name: &str, value: String| (format!("CITYGUIDE__MAIL__{name}"), value);
    let mut all: Vec<_> = plan
        .environment
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    all.extend([
        (
            "CITYGUIDE__CONTACT__TO".to_owned(),
            format!("editor@{DOMAIN}"),
        ),
        ("CITYGUIDE__LOG__FILTER".to_owned(), "error".to_owned()),
        mail("FROM", format!("City Guide <post@{DOMAIN}>")),
        mail("HOST", "127.0.0.1".to_owned()),
        mail("PORT", plan.mail_port.to_string()),
        mail("SECURITY", "none".to_owned()),
        mail("CONNECTIONS", CONNECTIONS.to_string()),
    ]);
    if let Some(key) = key(plan, signed) {
        all.extend([
            mail("DKIM__DOMAIN", DOMAIN.to_owned()),
            mail("DKIM__SELECTOR", "city".to_owned()),
            mail("DKIM__KEY_FILE", key.display().to_string()),
        ]);
    }
    all
}

/// The file of a key that signs.
fn key(plan: &Plan, signed: Signed) -> Option<PathBuf> {
    match signed {
        Signed::Not => None,
        Signed::Ed25519 => Some(plan.scripts.join("ed25519.pem")),
        Signed::Rsa => Some(plan.scripts.join("rsa.pem")),
    }
}

/// Postfix's programs that only send, and only take, letters.
#[derive(Debug, Deserialize)]
pub(crate) struct Postfix {
    sink: PathBuf,
    source: PathBuf,
}

/// A mail server of a bench.
pub(super) struct Sink(Child);

impl Sink {
    pub(super) fn new(command: &mut Command) -> anyhow::Result<Self> {
        Ok(Self(command.kill_on_drop(true).spawn()?))
    }

    /// What it reads.
    pub(super) fn input(&mut self) -> anyhow::Result<tokio::process::ChildStdin> {
        self.0.stdin.take().context("the mail server reads nothing")
    }

    pub(super) async fn stop(mut self) -> anyhow::Result<()> {
        self.0.kill().await?;
        Ok(())
    }
}

impl Postfix {
    /// Takes letters at a port and forgets them.
    pub(super) fn sink(&self, port: u16) -> anyhow::Result<Sink> {
        let mut command = Command::new(&self.sink);
        if nix::unistd::geteuid().is_root() {
            command.args(["-u", "nobody"]);
        }
        // Connections that may wait.
        command.arg(format!("127.0.0.1:{port}")).arg("1000");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Sink::new(&mut command)
    }

    /// Sends one letter of the size of an issue's as often as there are readers; returns the seconds.
    pub(super) async fn source(&self, plan: &Plan) -> anyhow::Result<f64> {
        let size = fs::metadata(plan.scripts.join("letter.html"))?.len();
        let size = size + fs::metadata(plan.scripts.join("letter.txt"))?.len();
        let mut command = Command::new(&self.source);
        command.args([
            "-s",
            &CONNECTIONS.to_string(),
            "-m",
            &plan.readers.to_string(),
        ]);
        command.args(["-l", &size.to_string(), "-f", "post@guide.example"]);
        command.args(["-t", "reader@example.com"]);
        command.arg(format!("127.0.0.1:{}", plan.mail_port));
        let begun = Instant::now();
        let output = command.output().await?;
        let words = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "smtp-source: {words}");
        Ok(begun.elapsed().as_secs_f64())
    }
}

/// Sends as many letters with nodemailer; returns the seconds.
pub(super) async fn nodemailer(plan: &Plan, signed: Option<Signed>) -> anyhow::Result<f64> {
    let plan_of_it = json!({
        "port": plan.mail_port,
        "connections": CONNECTIONS,
        "letters": plan.readers,
        "html": plan.scripts.join("letter.html"),
        "text": plan.scripts.join("letter.txt"),
        "key": signed.and_then(|signed| key(plan, signed)),
    });
    let mut command = Command::new("node");
    command.arg("nodemailer.mjs").arg(plan_of_it.to_string());
    let output = command.current_dir(&plan.scripts).output().await?;
    let words = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "nodemailer: {words}");
    Ok(serde_json::from_slice(&output.stdout)?)
}

//! `bench newsletters`: an issue for many readers, sent to Postfix's `smtp-sink`, compared with an email of the same
//! size that Postfix's `smtp-source` sends repeatedly.

use std::{
    fs,
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use tokio::process::{Child, Command};

use crate::{
    database::Database,
    harness::{Bench, Turn, float},
    plan::{Operator, output},
    results::{Measure, Target},
};

/// Connections to the mail server, on each side.
const CONNECTIONS: &str = "8";
/// Timeout of every step.
const PATIENCE: Duration = Duration::from_hours(1);
const START_WITHIN: Duration = Duration::from_secs(30);
/// Number of paragraphs in an email of about 20 kB.
const PARAGRAPHS: usize = 36;
const PARAGRAPH: &str = "The islands before the ferries wake, the river under the arches, and a place that nobody has thought \
     of yet, which is where we would go first of all, if you asked us, and you did ask us.\n\n";

/// The programs, and the size of issues.
#[derive(Debug, Clone, Deserialize)]
struct Plan {
    /// The port of the site's probes.
    internal_port: u16,
    /// A port for mail servers.
    mail_port: u16,
    /// A folder for issues.
    folder: PathBuf,
    /// `smtp-sink` and `smtp-source`.
    sink: PathBuf,
    source: PathBuf,
    /// Readers of an issue.
    readers: u64,
    #[serde(skip)]
    operator: Operator,
}

pub(crate) async fn run(bench: &mut Bench) -> anyhow::Result<()> {
    let mut plan: Plan = bench.plan.options()?;
    plan.operator = bench.plan.site.operator.clone();
    let mut set = |name: &str, value: &str| {
        let variable = (format!("CITYGUIDE__{name}"), value.to_owned());
        plan.operator.environment.push(variable);
    };
    set("CONTACT__TO", "editor@guide.example");
    set("LOG__FILTER", "error");
    set("MAIL__FROM", "City Guide <post@guide.example>");
    set("MAIL__HOST", "127.0.0.1");
    set("MAIL__PORT", &plan.mail_port.to_string());
    set("MAIL__SECURITY", "none");
    set("MAIL__CONNECTIONS", CONNECTIONS);
    let database = &Database::open(&bench.plan.site.database).await?;
    let rounds = bench.plan.rounds;
    bench.about(format!("{rounds} rounds, {CONNECTIONS} connections each"));
    replace_readers(database, plan.readers).await?;
    let (plan, mut issues) = (&plan, 0);
    let mut sink = plan.sink()?;
    let both = async || {
        issues += 1;
        let site = Site::start(plan).await?;
        let draft = Draft::write(plan, &format!("canoe-{issues}"))?;
        draft.schedule(plan).await?;
        draft.until(database, "state = 'sent'").await?;
        let accepted = draft.deliveries("count(*)") + " AND d.fate = 'accepted'";
        let accepted: i64 = database.value(&accepted).await?;
        let is_whole = u64::try_from(accepted)? == plan.readers;
        ensure!(is_whole, "{accepted} letters were accepted");
        // The time from the creation of the issue to the last recorded delivery.
        let seconds = "extract(epoch FROM max(d.at) - min(i.created_at))::float8";
        let ours: f64 = database.value(&draft.deliveries(seconds)).await?;
        let letter = draft.preview(plan).await?.len();
        site.stop().await?;
        let begun = Instant::now();
        plan.source(letter).await?;
        let theirs = begun.elapsed().as_secs_f64();
        let turn = |seconds: f64| Turn::of(vec![float(plan.readers) / seconds]);
        anyhow::Ok((turn(ours), turn(theirs)))
    };
    let rounds = bench.rounds("an issue", both).await?;
    let name = "an issue, letters/s";
    let measure = Measure::new(name, "smtp-source", Target::AtLeast(0.3));
    bench.record(&[measure], &rounds);
    Ok(sink.kill().await?)
}

impl Plan {
    /// Starts Postfix's server that accepts and discards emails.
    fn sink(&self) -> anyhow::Result<Child> {
        let mut command = Command::new(&self.sink);
        if nix::unistd::geteuid().is_root() {
            command.args(["-u", "nobody"]);
        }
        // 1000 is the length of the connection backlog.
        let address = format!("127.0.0.1:{}", self.mail_port);
        command.args([&address, "1000"]).stderr(Stdio::null());
        Ok(command.kill_on_drop(true).spawn()?)
    }

    /// Lets Postfix's client send an email of this size, once per reader.
    async fn source(&self, size: usize) -> anyhow::Result<()> {
        let (letters, size) = (self.readers.to_string(), size.to_string());
        let address = format!("127.0.0.1:{}", self.mail_port);
        let mut command = Command::new(&self.source);
        command.args(["-s", CONNECTIONS, "-m", &letters, "-l", &size]);
        command.args(["-t", "reader@example.com", &address]);
        output(&mut command).await.map(drop)
    }
}

/// A single-process site.
struct Site(Child);

impl Site {
    /// Starts a site, and waits until it is ready.
    async fn start(plan: &Plan) -> anyhow::Result<Self> {
        let mut command = plan.operator.command(&["serve"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn()?;
        let url = format!("http://127.0.0.1:{}/health/ready", plan.internal_port);
        let begun = Instant::now();
        while begun.elapsed() < START_WITHIN {
            let answer = reqwest::get(&url).await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(Self(process));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("the site did not become ready")
    }

    /// Stops the site gracefully.
    async fn stop(mut self) -> anyhow::Result<()> {
        let id = self.0.id().context("the site has ended by itself")?;
        let id = nix::unistd::Pid::from_raw(i32::try_from(id)?);
        nix::sys::signal::kill(id, nix::sys::signal::Signal::SIGTERM)?;
        self.0.wait().await?;
        Ok(())
    }
}

/// The file of an issue.
struct Draft {
    name: String,
    file: String,
}

impl Draft {
    fn write(plan: &Plan, name: &str) -> anyhow::Result<Self> {
        let file = plan.folder.join(format!("{name}.md"));
        let front = "kind = \"contests\"\nsubject = \"Win a canoe\"\npreheader = \"Until Friday\"";
        let text = PARAGRAPH.repeat(PARAGRAPHS);
        fs::write(&file, format!("+++\n{front}\n+++\n\n{text}"))?;
        let (name, file) = (name.to_owned(), file.display().to_string());
        Ok(Self { name, file })
    }

    async fn schedule(&self, plan: &Plan) -> anyhow::Result<()> {
        let arguments = ["newsletter", "schedule", &self.file];
        plan.operator.run(&arguments).await.map(drop)
    }

    /// Returns the email, as text and as HTML.
    async fn preview(&self, plan: &Plan) -> anyhow::Result<String> {
        let arguments = ["newsletter", "preview", &self.file, "--html"];
        let text = plan.operator.run(&arguments[..3]).await?;
        Ok(text + &plan.operator.run(&arguments).await?)
    }

    /// Waits until the issue fulfils this condition.
    async fn until(&self, database: &Database, wanted: &str) -> anyhow::Result<()> {
        let name = &self.name;
        let state = format!("(SELECT {wanted} FROM newsletters.issues WHERE slot = '{name}')");
        database.wait(&state, PATIENCE).await
    }

    /// Returns a query for the issue's deliveries.
    fn deliveries(&self, columns: &str) -> String {
        format!(
            "SELECT {columns} FROM newsletters.deliveries d JOIN newsletters.issues i ON i.id = d.issue_id WHERE i.slot = '{}'",
            self.name
        )
    }
}

/// Replaces all subscribers of the contests newsletter by this number.
async fn replace_readers(database: &Database, readers: u64) -> anyhow::Result<()> {
    let replace = format!(
        "DELETE FROM newsletters.issues WHERE kind = 'contests';
         TRUNCATE newsletters.subscribers CASCADE;
         INSERT INTO newsletters.subscribers (email, email_key, is_confirmed, email_at, token, created_at, changed_at)
         SELECT address, address, true, now(), md5(address) || substr(md5(address || 'more'), 1, 11), now(), now()
         FROM (SELECT 'reader' || i || '@example.com' AS address FROM generate_series(1, {readers}) i) readers;
         INSERT INTO newsletters.subscriptions (subscriber_id, kind, since, is_welcomed)
         SELECT id, 'contests', now(), true FROM newsletters.subscribers;
         ANALYZE;
         CHECKPOINT"
    );
    database.run(&replace).await
}

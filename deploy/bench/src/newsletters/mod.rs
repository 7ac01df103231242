//! `bench newsletters`: an issue for many readers, handed to Postfix's `smtp-sink`, beside Postfix's own `smtp-source` and
//! nodemailer's pool; its memory for few and for many readers; and an issue whose sender is killed all the time.

mod kills;
mod programs;
mod readers;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use sqlx::{Connection, PgConnection};

use self::programs::{Postfix, Site};
use crate::progress;

/// Connections to the mail server, on each side.
const CONNECTIONS: u32 = 8;

/// A prepared database and what to measure.
#[derive(Debug, Deserialize)]
pub(crate) struct Plan {
    /// The site's database.
    database: String,
    program: PathBuf,
    /// The environment of the program, without that of its mail.
    environment: BTreeMap<String, String>,
    /// The port of its probes.
    internal_port: u16,
    /// A port for mail servers.
    mail_port: u16,
    /// The folder of the scripts and the packages that they need.
    scripts: PathBuf,
    postfix: Postfix,
    rounds: usize,
    /// Readers of the issue whose speed is measured.
    readers: i64,
    /// Readers of the larger issue whose memory is measured.
    many: i64,
    /// How often the sender of an issue for twice as many readers is killed.
    kills: usize,
}

/// The outcome.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    senders: Vec<Sender>,
    memory: Vec<Memory>,
    kills: Option<kills::Outcome>,
}

/// Letters per second of each round.
#[derive(Debug, Serialize)]
struct Sender {
    name: &'static str,
    is_ours: bool,
    rates: Vec<f64>,
}

/// A site that sends an issue.
#[derive(Debug, Serialize)]
struct Memory {
    readers: i64,
    /// MiB at most.
    peak: f64,
    /// Readers chosen per second while no mail could be sent.
    chosen: f64,
    /// Letters per second, rendered and handed over.
    sent: f64,
}

/// How letters are signed, by the file of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signed {
    Not,
    Ed25519,
    Rsa,
}

pub(crate) async fn run(plan: &Path) -> anyhow::Result<Results> {
    let plan: Plan = serde_json::from_slice(&fs::read(plan)?)?;
    let mut connection = PgConnection::connect(&plan.database).await?;
    let memory = memory(&plan, &mut connection).await?;
    let senders = senders(&plan, &mut connection).await?;
    let kills = match plan.kills {
        0 => None,
        _ => Some(kills::run(&plan, &mut connection).await?),
    };
    Ok(Results {
        senders,
        memory,
        kills,
    })
}

async fn senders(plan: &Plan, connection: &mut PgConnection) -> anyhow::Result<Vec<Sender>> {
    readers::replace(connection, plan.readers).await?;
    let sender = |name, is_ours| Sender {
        name,
        is_ours,
        rates: Vec::new(),
    };
    let mut all = vec![
        sender("an issue", true),
        sender("an issue, signed with Ed25519", true),
        sender("an issue, signed with RSA of 2,048 bits", true),
        sender("smtp-source, one letter again and again", false),
        sender("nodemailer's pool", false),
        sender("nodemailer's pool, signed with RSA", false),
    ];
    for round in 0..plan.rounds {
        let sink = plan.postfix.sink(plan.mail_port)?;
        for (at, signed) in [Signed::Not, Signed::Ed25519, Signed::Rsa]
            .into_iter()
            .enumerate()
        {
            let site = Site::start(plan, signed).await?;
            let draft = Draft::long(plan, &format!("canoe-{round}-{at}"))?;
            let sent = issue(plan, &site, connection, &draft).await?;
            all[at].rates.push(rate(plan.readers, sent));
            if round == 0 && at == 0 {
                site.letter(&draft, &plan.scripts).await?;
            }
            site.stop().await?;
        }
        let seconds = plan.postfix.source(plan).await?;
        all[3].rates.push(rate(plan.readers, seconds));
        for (at, key) in [(4, None), (5, Some(Signed::Rsa))] {
            let seconds = programs::nodemailer(plan, key).await?;
            all[at].rates.push(rate(plan.readers, seconds));
        }
        sink.stop().await?;
        progress(&format!("round {} of {}", round + 1, plan.rounds));
    }
    Ok(all)
}

async fn memory(plan: &Plan, connection: &mut PgConnection) -> anyhow::Result<Vec<Memory>> {
    let mut all = Vec::new();
    for readers in [plan.readers, plan.many] {
        readers::replace(connection, readers).await?;
        let site = Site::start(plan, Signed::Not).await?;
        // No mail server answers yet, so that readers are chosen and no letter is sent.
        let draft = Draft::short(plan, &format!("short-{readers}"))?;
        let begun = Instant::now();
        site.schedule(&draft).await?;
        readers::until(connection, &draft.name, "is_listed").await?;
        let chosen = rate(readers, begun.elapsed().as_secs_f64());
        let sink = plan.postfix.sink(plan.mail_port)?;
        readers::until(connection, &draft.name, "state = 'sent'").await?;
        let seconds = readers::seconds_of_sending(connection, &draft.name).await?;
        let (peak, sent) = (site.peak()?, rate(readers, seconds));
        progress(&format!(
            "{readers} readers: {peak:.0} MiB, {sent:.0} letters/s"
        ));
        all.push(Memory {
            readers,
            peak,
            chosen,
            sent,
        });
        site.stop().await?;
        sink.stop().await?;
    }
    Ok(all)
}

/// Sends an issue; returns the seconds from the operator's word to the last mark that a letter was taken.
async fn issue(
    plan: &Plan,
    site: &Site,
    connection: &mut PgConnection,
    draft: &Draft,
) -> anyhow::Result<f64> {
    site.schedule(draft).await?;
    readers::until(connection, &draft.name, "state = 'sent'").await?;
    let accepted = readers::accepted(connection, &draft.name).await?;
    ensure!(accepted == plan.readers, "{accepted} letters were taken");
    readers::seconds(connection, &draft.name).await
}

/// A file of an issue.
struct Draft {
    name: String,
    file: PathBuf,
}

impl Draft {
    /// One whose letter has about 20 kB.
    fn long(plan: &Plan, name: &str) -> anyhow::Result<Self> {
        let paragraph = "The islands before the ferries wake, the river under the arches, and a place that nobody has \
             thought of yet, which is where we would go first of all, if you asked us, and you did ask us.\n\n";
        Self::write(plan, name, &paragraph.repeat(36))
    }

    fn short(plan: &Plan, name: &str) -> anyhow::Result<Self> {
        Self::write(plan, name, "It is red.\n")
    }

    fn write(plan: &Plan, name: &str, text: &str) -> anyhow::Result<Self> {
        let file = plan.scripts.join(format!("{name}.md"));
        let front = "kind = \"contests\"\nsubject = \"Win a canoe\"\npreheader = \"Until Friday\"";
        fs::write(&file, format!("+++\n{front}\n+++\n\n{text}"))
            .with_context(|| format!("{}", file.display()))?;
        Ok(Self {
            name: name.to_owned(),
            file,
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn rate(letters: i64, seconds: f64) -> f64 {
    letters as f64 / seconds
}

/// How long something may take before the bench gives up.
const PATIENCE: Duration = Duration::from_hours(1);

//! An issue whose sender is killed all the time, while the mail server has a bad day: everybody has it then, few have it
//! twice, and the ledger says what the server's log says.

use std::{
    collections::HashMap,
    fs,
    hash::{BuildHasher, RandomState},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, ensure};
use serde::Serialize;
use sqlx::PgConnection;
use tokio::{io::AsyncWriteExt, process::Command};

use super::{
    Draft, Plan, Signed,
    programs::{Sink, Site},
    readers,
};
use crate::progress;

/// Letters that are on their way when a sender dies: ten for each of two parts.
const ON_THEIR_WAY: usize = 20;

/// What came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    readers: i64,
    kills: usize,
    /// Letters that the server took when all senders but the last had died.
    before: usize,
    accepted: usize,
    /// Those that the server did not want.
    refused: usize,
    /// How often it wanted a letter later, and closed the connection instead of answering.
    deferred: usize,
    dropped: usize,
    /// Letters that came once more.
    twice: usize,
    /// The most that may.
    most_twice: usize,
}

/// A line of the server's log.
struct Line<'a> {
    id: &'a str,
    address: &'a str,
    outcome: &'a str,
}

pub(super) async fn run(plan: &Plan, connection: &mut PgConnection) -> anyhow::Result<Outcome> {
    let many = plan.readers * 2;
    readers::replace(connection, many).await?;
    let log = plan.scripts.join("sink.log");
    let mut sink = server(plan)?;
    let site = Site::start(plan, Signed::Not).await?;
    let draft = Draft::short(plan, "killed")?;
    site.schedule(&draft).await?;
    let mut running = Some(site);
    for kill in 0..plan.kills {
        let site = match running.take() {
            Some(site) => site,
            None => Site::begin(plan, Signed::Not)?,
        };
        tokio::time::sleep(Duration::from_millis(500 + random(4_000))).await;
        site.kill().await?;
        if kill % 20 == 19 {
            progress(&format!("{} kills", kill + 1));
        }
    }
    let before = lines(&fs::read_to_string(&log)?)?
        .iter()
        .filter(|line| line.outcome == "accepted")
        .count();
    sink.input()?.write_all(b"the bad day ends\n").await?;
    let site = Site::start(plan, Signed::Not).await?;
    readers::until(connection, &draft.name, "state = 'sent'").await?;
    site.stop().await?;
    sink.stop().await?;
    let fates = readers::fates(connection, &draft.name).await?;
    ensure!(
        i64::try_from(fates.len())? == many,
        "{} deliveries",
        fates.len()
    );
    compare(plan, &lines(&fs::read_to_string(&log)?)?, &fates, before)
}

fn server(plan: &Plan) -> anyhow::Result<Sink> {
    let mut command = Command::new("node");
    command.arg("sink.mjs").arg(plan.mail_port.to_string());
    command.arg("sink.log").current_dir(&plan.scripts);
    Sink::new(command.stdin(Stdio::piped()))
}

fn random(below: u64) -> u64 {
    // Each has keys of its own.
    RandomState::new().hash_one(0) % below
}

fn lines(log: &str) -> anyhow::Result<Vec<Line<'_>>> {
    let lines = log.lines().map(|line| {
        let mut words = line.split(' ');
        Some(Line {
            id: words.next()?,
            address: words.next()?,
            outcome: words.next()?,
        })
    });
    lines.collect::<Option<_>>().context("a line of the log")
}

/// Compares the ledger with the log, recipient by recipient.
fn compare(
    plan: &Plan,
    lines: &[Line<'_>],
    fates: &[(String, String, String)],
    before: usize,
) -> anyhow::Result<Outcome> {
    let mut of_address: HashMap<&str, Vec<&Line<'_>>> = HashMap::new();
    for line in lines {
        of_address.entry(line.address).or_default().push(line);
    }
    let mut twice = 0;
    for (address, fate, answer) in fates {
        let lines = of_address.remove(address.as_str());
        let lines = lines.with_context(|| format!("{address}: {fate}, and not in the log"))?;
        let taken = lines.iter().filter(|line| line.outcome == "accepted");
        twice += taken.count().saturating_sub(1);
        let last = lines.last().context("a line")?;
        let expected = match last.outcome {
            "accepted" => "accepted",
            _ => "bounced",
        };
        let is_told = answer.ends_with(&format!("letter {}", last.id));
        ensure!(
            fate == expected && is_told,
            "{address}: {fate} ({answer}), but the log has {} for {}",
            last.outcome,
            last.id
        );
    }
    ensure!(of_address.is_empty(), "the log has letters to nobody");
    let most_twice = plan.kills * ON_THEIR_WAY;
    ensure!(twice <= most_twice, "{twice} letters came twice");
    let count = |outcome: &str| lines.iter().filter(|line| line.outcome == outcome).count();
    let fate = |fate: &str| fates.iter().filter(|(_, one, _)| one == fate).count();
    Ok(Outcome {
        readers: i64::try_from(fates.len())?,
        kills: plan.kills,
        before,
        accepted: fate("accepted"),
        refused: fate("bounced"),
        deferred: count("deferred"),
        dropped: count("dropped"),
        twice,
        most_twice,
    })
}

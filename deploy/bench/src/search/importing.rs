//! What an import costs those who search meanwhile.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::{Context, ensure};
use tokio::process::Command;

use super::{fill, searches};
use crate::{
    cpu,
    database::Database,
    figures::{Figures, Measure, Row, Target},
    load::Connection,
    plan::Plan,
    progress, walk,
};

const IMPORT: &str = "GET search/ while 20,000 events are imported";

/// Events of one import.
const EVENTS: usize = 20_000;

const AS_BEFORE: &[Measure] = &[
    Measure {
        unit: "ms p50",
        target: Target::AtMost(2.0),
    },
    Measure {
        unit: "ms p99",
        target: Target::AtMost(3.0),
    },
];

pub(super) async fn rows(
    plan: &Plan,
    database: &mut Database,
    names: &[String],
    is_wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Row>> {
    if !is_wanted(IMPORT) {
        return Ok(Vec::new());
    }
    progress(&format!("  {IMPORT}"));
    let requests = searches(names);
    let mut measured = Vec::new();
    for round in 0..plan.rounds {
        fill::indexed(database).await?;
        let at_rest = walk::times(&plan.site, &requests).await?;
        let at_rest = Figures::of_times(at_rest, cpu::Seconds::default());
        measured.push((meanwhile(plan, &requests, round).await?, at_rest));
    }
    let rows = (0..).zip(AS_BEFORE);
    Ok(rows
        .map(|(number, measure)| Row::new(IMPORT, "the same at rest", number, *measure, &measured))
        .collect())
}

/// The times of searches from the beginning of an import to its end.
async fn meanwhile(plan: &Plan, requests: &[Vec<u8>], round: usize) -> anyhow::Result<Figures> {
    let operator = plan.operator.as_ref().context("there is no program")?;
    let folder = std::env::temp_dir().join(format!("cityguide-import-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = calendar(&folder, round)?;
    let mut import = Command::new(&operator.program);
    import
        .args(["import", "events"])
        .arg(&file)
        .envs(operator.environment.iter().cloned())
        .stdout(Stdio::null())
        .kill_on_drop(true);
    let mut import = import.spawn()?;
    let mut connection = Connection::open(&plan.site).await?;
    let mut times = Vec::new();
    let ended = loop {
        for request in requests {
            times.push(walk::time(&mut connection, request).await?);
        }
        if let Some(ended) = import.try_wait()? {
            break ended;
        }
    };
    std::fs::remove_dir_all(&folder)?;
    ensure!(ended.success(), "the import failed");
    Ok(Figures::of_times(times, cpu::Seconds::default()))
}

/// A calendar of events that no import before had.
fn calendar(folder: &Path, round: usize) -> anyhow::Result<PathBuf> {
    let path = folder.join("events.ics");
    let mut file = BufWriter::new(File::create(&path)?);
    write!(file, "BEGIN:VCALENDAR\r\n")?;
    let this_time = std::process::id();
    for at in 0..EVENTS {
        write!(
            file,
            "BEGIN:VEVENT\r\nUID:{this_time}-{round}-{at}\r\nDTSTART:20991201T100000Z\r\nSUMMARY:Open rehearsal {round} {at}\r\n\
             DESCRIPTION:Bring a chair and stay as long as you like.\r\nLOCATION:Hall {at}\r\nEND:VEVENT\r\n"
        )?;
    }
    write!(file, "END:VCALENDAR\r\n")?;
    file.flush()?;
    Ok(path)
}

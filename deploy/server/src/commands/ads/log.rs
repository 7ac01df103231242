//! `cityguide ads log` and `verify`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{BufRead, BufReader, BufWriter, Read as _, Write as _},
    path::Path,
};

use ad_delivery::{Counts, Follower, LogKey, LoggedBatch, Totals, batch_from_wire, key_from_wire};
use ads_proto::v1::{ReadLogRequest, ReportCampaignResponse, ShowLogKeysRequest};
use chassis::signing::PublicKey;
use publishing::ads::{self, LogFile, LogFileKeys};
use serde::de::DeserializeOwned;

use super::{
    super::console::print,
    super::operated::failure,
    calls::{Client, call, campaigns_listed, long_call, report},
};

/// The positions of the complete log.
const ALL: (i64, i64) = (0, i64::MAX);
/// Maximum length of a line in a log file, in bytes: a batch has a hundred events.
const MAX_LINE: u64 = 1 << 20;

/// Passes the log's batches within a range to a function, in order.
async fn each_batch(
    client: &mut Client,
    (after, until): (i64, i64),
    mut take: impl FnMut(LoggedBatch) -> Result<(), String>,
) -> Result<(), String> {
    if after >= until {
        return Ok(());
    }
    let request = long_call().request(ReadLogRequest { after });
    let mut batches = client
        .read_log(request)
        .await
        .map_err(failure)?
        .into_inner();
    while let Some(batch) = batches.message().await.map_err(failure)? {
        let is_last = batch.position >= until;
        take(batch_from_wire(batch)?)?;
        if is_last {
            break;
        }
    }
    Ok(())
}

/// Verifies the log up to a position.
async fn follow(client: &mut Client, follower: &mut Follower, until: i64) -> Result<(), String> {
    each_batch(client, (follower.position(), until), |batch| {
        follower.take(&batch).map_err(|why| broken(&why))
    })
    .await
}

/// Returns the keys of the log, and the keys that the service has now.
async fn keys(client: &mut Client) -> Result<(Vec<LogKey>, Vec<PublicKey>), String> {
    let request = call().request(ShowLogKeysRequest {});
    let shown = client.show_log_keys(request).await.map_err(failure)?;
    let shown = shown.into_inner();
    let keys = shown.keys.into_iter().map(key_from_wire);
    let own = shown.own.into_iter().filter_map(|key| key.try_into().ok());
    Ok((keys.collect::<Result<_, _>>()?, own.collect()))
}

/// Writes the log to a file and prints the public key that signs it now.
pub(super) async fn write_log(client: &mut Client, path: &Path) -> Result<(), String> {
    let named = |why: String| format!("{}: {why}", path.display());
    let file = File::create(path).map_err(|error| named(error.to_string()))?;
    let mut file = BufWriter::new(file);
    let (used, _) = keys(client).await?;
    let line = serde_json::to_string(&LogFileKeys::of(&used)).map_err(|error| error.to_string())?;
    writeln!(file, "{line}").map_err(|error| named(error.to_string()))?;
    each_batch(client, ALL, |batch| {
        let line = serde_json::to_string(&LogFile::of(batch)).map_err(|error| error.to_string())?;
        writeln!(file, "{line}").map_err(|error| named(error.to_string()))
    })
    .await?;
    file.flush().map_err(|error| named(error.to_string()))?;
    if keys(client).await?.0 != used {
        return Err("the log's key was replaced meanwhile: write the log again".to_owned());
    }
    print_keys(&used)
}

/// Prints the keys of the log. A key that its predecessor has not signed must be verified in another way.
fn print_keys(keys: &[LogKey]) -> Result<(), String> {
    for (at, key) in keys.iter().enumerate() {
        let since = match (at, key.handover.is_empty()) {
            (0, _) => "",
            (_, false) => ", handed over by the key before it",
            (_, true) => ", not handed over by the key before it",
        };
        print(&format!(
            "key {} from batch {} on ({}){since}",
            chassis::digest::text(&key.public_key),
            key.position,
            chassis::instant::to_rfc3339(key.first_used_at),
        ))?;
    }
    Ok(())
}

fn print_followed(follower: &Follower) -> Result<(), String> {
    let mut by_item: BTreeMap<(&str, &str), Counts> = BTreeMap::new();
    for ((campaign, line_item, _), counts) in follower.totals() {
        *by_item.entry((campaign, line_item)).or_default() += *counts;
    }
    for ((campaign, line_item), counts) in by_item {
        print(&format!(
            "{campaign} / {line_item}: {} impressions, {} viewable, {} clicks, {} surplus, {} invalid",
            counts.impressions, counts.viewable, counts.clicks, counts.surplus, counts.invalid
        ))?;
    }
    let (batches, emptied) = follower.followed();
    print(&format!(
        "{batches} batches hold, {emptied} of them emptied after their time"
    ))
}

fn broken(broken: &ad_delivery::Broken) -> String {
    let ad_delivery::Broken { position, why } = broken;
    format!("the log is broken at batch {position}: {why}")
}

/// Verifies this site's log and compares its totals with the reports. Each report contains the position up to which it
/// counts, so that both are compared at the same position even if new events arrive.
pub(super) async fn verify(client: &mut Client) -> Result<(), String> {
    let (used, own) = keys(client).await?;
    print_keys(&used)?;
    let mut follower = Follower::new(used, &own);
    follow(client, &mut follower, i64::MAX).await?;
    print_followed(&follower)?;
    let (_, emptied) = follower.followed();
    if emptied > 0 {
        return print("reports are not compared: they count events that were deleted");
    }
    let logged = follower.totals().keys();
    let logged: Vec<String> = logged.map(|(campaign, ..)| campaign.clone()).collect();
    // Includes campaigns without events in the log.
    let listed = campaigns_listed(client).await?.into_iter();
    let campaigns: BTreeSet<String> = listed
        .map(|campaign| campaign.source_id)
        .chain(logged)
        .collect();
    let mut differing = 0;
    for campaign in campaigns {
        let report = report(client, &campaign).await?;
        follow(client, &mut follower, report.log_position).await?;
        differing += compare(&campaign, report, follower.totals())?;
    }
    if differing > 0 {
        return Err(format!("{differing} creatives differ from their reports"));
    }
    print("the reports say the same")
}

/// Prints the creatives of a campaign whose report differs from the log; returns their number.
fn compare(
    campaign: &str,
    report: ReportCampaignResponse,
    logged: &Totals,
) -> Result<usize, String> {
    let mut reported = Totals::new();
    for hour in report.hours {
        let name = (campaign.to_owned(), hour.line_item, hour.creative);
        let counts = hour.counts.unwrap_or_default();
        *reported.entry(name).or_default() += counts.into();
    }
    let logged: Totals = logged
        .iter()
        .filter(|((of, ..), _)| of == campaign)
        .map(|(name, counts)| (name.clone(), *counts))
        .collect();
    let names: BTreeSet<_> = logged.keys().chain(reported.keys()).collect();
    let mut differing = 0;
    for name in names {
        if logged.get(name) != reported.get(name) {
            differing += 1;
            let (campaign, line_item, creative) = name;
            print(&format!(
                "{campaign} / {line_item} / {creative} differs from its report"
            ))?;
        }
    }
    Ok(differing)
}

/// Verifies a log file with the keys that its reader trusts.
pub(super) fn verify_file(path: &Path, keys: &[String]) -> Result<(), String> {
    let trusted: Vec<PublicKey> = keys
        .iter()
        .map(|key| {
            let bytes = ads::bytes(key).and_then(|bytes| bytes.try_into().ok());
            bytes.ok_or_else(|| format!("{key:?} is no key: 64 digits in hexadecimal"))
        })
        .collect::<Result<_, _>>()?;
    let named = |why: String| format!("{}: {why}", path.display());
    let file = File::open(path).map_err(|error| named(error.to_string()))?;
    let mut lines = BufReader::new(file);
    let keys = next_line::<LogFileKeys>(&mut lines, 1).map_err(named)?;
    let keys = keys.ok_or_else(|| named("it is empty".to_owned()))?.keys();
    let mut follower = Follower::new(keys.map_err(named)?, &trusted);
    for number in 2.. {
        let Some(line) = next_line::<LogFile>(&mut lines, number).map_err(named)? else {
            break;
        };
        let batch = line.batch().map_err(named)?;
        follower.take(&batch).map_err(|why| named(broken(&why)))?;
    }
    print_followed(&follower)
}

/// Reads the next line of a log file; `None` at its end.
fn next_line<T: DeserializeOwned>(
    lines: &mut impl BufRead,
    number: u64,
) -> Result<Option<T>, String> {
    let mut line = Vec::new();
    let mut bounded = lines.take(MAX_LINE);
    let length = bounded.read_until(b'\n', &mut line);
    if length.map_err(|error| error.to_string())? == 0 {
        return Ok(None);
    }
    let read = serde_json::from_slice(&line);
    read.map(Some)
        .map_err(|error| format!("line {number}: {error}"))
}

//! `cityguide ads`: campaigns, what they have delivered, and the log that proves it.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use ad_delivery::{EventKind, Follower, LoggedBatch, Verdict};
use chassis::{
    blobs::Blobs,
    call::{Call, Caller},
    error::Fault,
    instant,
    rpc::Transport,
};
use cityguide_proto::{
    ads::v1::{
        CampaignState, Counts, ImportRequest, LineItemState, PauseCampaignRequest, Priority,
        ReadLogRequest, ReportCampaignRequest, ReportCampaignResponse, ShowCampaignsRequest,
        ShowLogKeysRequest, ShowRefusalsRequest, campaigns_client::CampaignsClient,
        import_request::Item,
    },
    intake::v1::{Finish, Report},
};
use clap::Subcommand;
use gateway::SiteFacts;

use super::{
    console::print,
    operated::Operated,
    report::{print_changes, print_report},
};
use crate::{
    ads::{self, AdsFolder, LogFile},
    settings::Settings,
    targets::Target,
};

const TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of imports, and of reading the whole log.
const LONG: Duration = Duration::from_mins(30);
/// The longest line of a file of the log: a batch has a hundred events.
const LONGEST_LINE: usize = 1 << 20;

#[derive(Debug, Subcommand)]
pub(crate) enum Ads {
    /// Store a folder of campaigns with their pictures, all or nothing; applying it again changes nothing.
    Apply {
        /// The folder.
        folder: PathBuf,
        /// Print what would change, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Show the campaigns: what they have delivered, what they should have by now, and when their goals will be reached.
    Status,
    /// Serve a campaign no more, until it is resumed.
    Pause {
        /// The name of its file.
        campaign: String,
    },
    /// Go on with a campaign.
    Resume {
        /// The name of its file.
        campaign: String,
    },
    /// Print what a campaign has delivered by hour and creative.
    Report {
        /// The name of its file.
        campaign: String,
    },
    /// Write the signed log of events to a file, a batch a line, and print the key for `ads verify --log`.
    Log {
        /// The file.
        file: PathBuf,
    },
    /// Follow the chain of the log, check every signature, and compare what it adds up to with the reports.
    Verify {
        /// A file of the log, in place of this site's.
        #[arg(long, requires = "key")]
        log: Option<PathBuf>,
        /// The key of the log's signatures, in hexadecimal; several if it was replaced.
        #[arg(long)]
        key: Vec<String>,
    },
    /// Show the events that were refused in the last 48 hours, and why.
    Refusals,
}

type Client = CampaignsClient<Transport>;

pub(super) async fn ads(settings: &Settings, what: Ads) -> Result<(), String> {
    if let Ads::Verify {
        log: Some(log),
        key,
    } = &what
    {
        return verify_file(log, key);
    }
    let system = Operated::connect(settings).await?;
    let mut client = CampaignsClient::new(system.transport(Target::Ads)?);
    match what {
        Ads::Apply { folder, dry_run } => apply(settings, &mut client, &folder, dry_run).await,
        Ads::Status => {
            let request = call().request(ShowCampaignsRequest {});
            let shown = client.show_campaigns(request).await.map_err(told)?;
            for campaign in &shown.get_ref().campaigns {
                print_campaign(campaign)?;
            }
            print(&format!("{} campaigns", shown.get_ref().campaigns.len()))
        }
        Ads::Pause { campaign } => pause(&mut client, campaign, true).await,
        Ads::Resume { campaign } => pause(&mut client, campaign, false).await,
        Ads::Report { campaign } => print_hours(&report(&mut client, &campaign).await?),
        Ads::Log { file } => write_log(&mut client, &file).await,
        Ads::Verify { .. } => verify(&mut client).await,
        Ads::Refusals => {
            let request = call().request(ShowRefusalsRequest {});
            let shown = client.show_refusals(request).await.map_err(told)?;
            for one in &shown.get_ref().hours {
                let hour = moment(one.hour.as_ref());
                print(&format!("{hour}  {:>8}  {}", one.count, one.reason))?;
            }
            Ok(())
        }
    }
}

fn call() -> Call {
    Call::new(Caller::Operator, TIMEOUT)
}

fn told(status: tonic::Status) -> String {
    Fault::from(status).message
}

async fn apply(
    settings: &Settings,
    client: &mut Client,
    folder: &Path,
    dry_run: bool,
) -> Result<(), String> {
    let name = folder.display().to_string();
    let site = SiteFacts::read(&settings.site.file).map_err(|fault| fault.message)?;
    let read = ads::read(folder, site.timezone).map_err(|mistakes| {
        format!(
            "{name} has mistakes; nothing was changed\n  {}",
            mistakes.join("\n  ")
        )
    })?;
    if !dry_run {
        let blobs = Blobs::open(&settings.blobs).map_err(|fault| fault.message)?;
        read.pictures.publish(&blobs).await?;
    }
    let report = import(client, read, dry_run).await?;
    if dry_run {
        print_changes(&report)?;
    }
    print_report(&report, &name)?;
    match (report.applied, dry_run) {
        (true, _) => Ok(()),
        (false, true) => print("nothing was changed: this was a dry run"),
        (false, false) => Err(format!("{name} was refused; nothing was changed")),
    }
}

async fn import(client: &mut Client, read: AdsFolder, dry_run: bool) -> Result<Report, String> {
    let finish = Finish {
        dry_run,
        all_or_nothing: true,
        refuse_at_most: None,
    };
    let advertisers = read.advertisers.into_iter().map(Item::Advertiser);
    let items: Vec<_> = advertisers
        .chain(read.campaigns.into_iter().map(Item::Campaign))
        .chain([Item::Finish(finish)])
        .map(|item| ImportRequest { item: Some(item) })
        .collect();
    let request = Call::new(Caller::Operator, LONG).request(tokio_stream::iter(items));
    let report = client.import(request).await.map_err(told)?;
    Ok(report.into_inner())
}

async fn pause(client: &mut Client, campaign: String, is_paused: bool) -> Result<(), String> {
    let request = PauseCampaignRequest {
        source_id: campaign.clone(),
        is_paused,
    };
    let done = client.pause_campaign(call().request(request)).await;
    done.map_err(|status| format!("{campaign}: {}", told(status)))?;
    let state = if is_paused { "is paused" } else { "goes on" };
    print(&format!("{campaign} {state}"))
}

async fn report(client: &mut Client, campaign: &str) -> Result<ReportCampaignResponse, String> {
    let request = ReportCampaignRequest {
        source_id: campaign.to_owned(),
    };
    let shown = client.report_campaign(call().request(request)).await;
    let shown = shown.map_err(|status| format!("{campaign}: {}", told(status)))?;
    Ok(shown.into_inner())
}

fn moment(at: Option<&prost_types::Timestamp>) -> String {
    let at = at.and_then(instant::from_proto);
    at.map(|at| at.format("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}

fn print_campaign(campaign: &CampaignState) -> Result<(), String> {
    let paused = if campaign.is_paused { ", paused" } else { "" };
    print(&format!(
        "{}  {} for {}, {} to {} UTC{paused}",
        campaign.source_id,
        campaign.name,
        campaign.advertiser,
        moment(campaign.starts_at.as_ref()),
        moment(campaign.ends_at.as_ref()),
    ))?;
    for item in &campaign.line_items {
        print(&line(item))?;
    }
    Ok(())
}

/// A line item in one line.
fn line(item: &LineItemState) -> String {
    let counts = item.counts.unwrap_or_default();
    let priority = match item.priority() {
        Priority::Sponsorship => "sponsorship",
        Priority::Standard => "standard",
        Priority::House | Priority::Unspecified => "house",
    };
    let goal = match item.goal {
        0 => String::new(),
        goal => {
            let end = match item.foreseen_end.as_ref() {
                Some(end) => format!("reached on {} UTC", moment(Some(end))),
                None => "not reached at this pace".to_owned(),
            };
            format!(" of {goal} ({} expected by now; {end})", item.expected)
        }
    };
    let Counts {
        impressions,
        viewable,
        clicks,
        surplus,
        invalid,
    } = counts;
    format!(
        "    {}, {priority}: {impressions} impressions{goal}, {viewable} viewable, {clicks} clicks, \
         {surplus} surplus, {invalid} invalid",
        item.source_id
    )
}

fn print_hours(report: &ReportCampaignResponse) -> Result<(), String> {
    if let Some(campaign) = &report.campaign {
        print_campaign(campaign)?;
    }
    print(
        "hour (UTC)        line item / creative                impressions viewable clicks surplus invalid",
    )?;
    for hour in &report.hours {
        let counts = hour.counts.unwrap_or_default();
        let name = format!("{} / {}", hour.line_item, hour.creative);
        print(&format!(
            "{}  {name:<36}{:>11}{:>9}{:>7}{:>8}{:>8}",
            moment(hour.hour.as_ref()),
            counts.impressions,
            counts.viewable,
            counts.clicks,
            counts.surplus,
            counts.invalid
        ))?;
    }
    Ok(())
}

/// Gives the log's batches to a function, in their order.
async fn each_batch(
    client: &mut Client,
    mut take: impl FnMut(LoggedBatch) -> Result<(), String>,
) -> Result<(), String> {
    let request = Call::new(Caller::Operator, LONG).request(ReadLogRequest { after: 0 });
    let mut batches = client.read_log(request).await.map_err(told)?.into_inner();
    while let Some(batch) = batches.message().await.map_err(told)? {
        take(ads::batch_of(batch)?)?;
    }
    Ok(())
}

async fn keys(client: &mut Client) -> Result<Vec<[u8; 32]>, String> {
    let request = call().request(ShowLogKeysRequest {});
    let keys = client.show_log_keys(request).await.map_err(told)?;
    let keys = keys.into_inner().keys.into_iter();
    Ok(keys.filter_map(|key| key.try_into().ok()).collect())
}

/// Writes the log to a file, and prints the key that its signatures are checked with.
async fn write_log(client: &mut Client, path: &Path) -> Result<(), String> {
    let named = |why: String| format!("{}: {why}", path.display());
    let file = File::create(path).map_err(|error| named(error.to_string()))?;
    let mut file = BufWriter::new(file);
    each_batch(client, |batch| {
        let line =
            serde_json::to_string(&LogFile::of(&batch)).map_err(|error| error.to_string())?;
        writeln!(file, "{line}").map_err(|error| named(error.to_string()))
    })
    .await?;
    file.flush().map_err(|error| named(error.to_string()))?;
    let keys = keys(client).await?;
    let keys: Vec<String> = keys.iter().map(|key| chassis::digest::text(key)).collect();
    print(&format!("key {}", keys.join(" ")))
}

/// What the log says of a line item, in the form of reports.
fn counted(follower: &Follower) -> BTreeMap<(String, String), Counts> {
    let mut all: BTreeMap<(String, String), Counts> = BTreeMap::new();
    for ((campaign, line_item, _), events) in follower.totals() {
        let counts = all
            .entry((campaign.clone(), line_item.clone()))
            .or_default();
        for ((kind, verdict), count) in events {
            let counter = match (kind, verdict) {
                (_, Verdict::Bot | Verdict::TooSoon | Verdict::NoImpression) => &mut counts.invalid,
                (_, Verdict::Surplus) => &mut counts.surplus,
                (EventKind::Impression, Verdict::Charged) => &mut counts.impressions,
                (EventKind::Viewable, Verdict::Charged) => &mut counts.viewable,
                (EventKind::Click, Verdict::Charged) => &mut counts.clicks,
            };
            *counter += i64::try_from(*count).unwrap_or(i64::MAX);
        }
    }
    all
}

fn print_followed(follower: &Follower) -> Result<(), String> {
    for ((campaign, line_item), counts) in counted(follower) {
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

async fn verify(client: &mut Client) -> Result<(), String> {
    let mut follower = Follower::new(keys(client).await?);
    each_batch(client, |batch| {
        follower.take(&batch).map_err(|why| broken(&why))
    })
    .await?;
    print_followed(&follower)?;
    let (_, emptied) = follower.followed();
    if emptied > 0 {
        return print("reports are not compared: they count events that were deleted");
    }
    let mut differing = 0;
    let mut campaigns: Vec<String> = counted(&follower)
        .into_keys()
        .map(|(campaign, _)| campaign)
        .collect();
    campaigns.dedup();
    for campaign in campaigns {
        let reported = report(client, &campaign).await?;
        differing += compare(&campaign, &follower, &reported)?;
    }
    if differing > 0 {
        return Err(format!("{differing} line items differ from their reports"));
    }
    print("the reports say the same")
}

/// Prints where a report differs from the log; returns in how many line items.
fn compare(
    campaign: &str,
    follower: &Follower,
    reported: &ReportCampaignResponse,
) -> Result<usize, String> {
    let mut by_item: BTreeMap<String, Counts> = BTreeMap::new();
    for hour in &reported.hours {
        let (sum, counts) = (
            by_item.entry(hour.line_item.clone()).or_default(),
            hour.counts.unwrap_or_default(),
        );
        sum.impressions += counts.impressions;
        sum.viewable += counts.viewable;
        sum.clicks += counts.clicks;
        sum.surplus += counts.surplus;
        sum.invalid += counts.invalid;
    }
    let mut logged = counted(follower);
    logged.retain(|(name, _), _| name == campaign);
    let logged: BTreeMap<String, Counts> = logged
        .into_iter()
        .map(|((_, line_item), counts)| (line_item, counts))
        .collect();
    let mut differing = 0;
    for name in logged
        .keys()
        .chain(by_item.keys())
        .collect::<std::collections::BTreeSet<_>>()
    {
        if logged.get(name) != by_item.get(name) {
            differing += 1;
            print(&format!("{campaign} / {name} differs from its report"))?;
        }
    }
    Ok(differing)
}

fn verify_file(path: &Path, keys: &[String]) -> Result<(), String> {
    let keys: Vec<[u8; 32]> = keys
        .iter()
        .map(|key| {
            let bytes = ads::bytes(key).and_then(|bytes| bytes.try_into().ok());
            bytes.ok_or_else(|| format!("{key:?} is no key: 64 digits in hexadecimal"))
        })
        .collect::<Result<_, _>>()?;
    let named = |why: String| format!("{}: {why}", path.display());
    let file = File::open(path).map_err(|error| named(error.to_string()))?;
    let mut follower = Follower::new(keys);
    let mut lines = BufReader::new(file);
    let mut number = 0;
    loop {
        let mut line = Vec::new();
        let mut bounded = std::io::Read::take(&mut lines, LONGEST_LINE as u64);
        let length = bounded.read_until(b'\n', &mut line);
        if length.map_err(|error| named(error.to_string()))? == 0 {
            break;
        }
        number += 1;
        let read: LogFile = serde_json::from_slice(&line)
            .map_err(|error| named(format!("line {number}: {error}")))?;
        let batch = read.batch().map_err(named)?;
        follower.take(&batch).map_err(|why| named(broken(&why)))?;
    }
    print_followed(&follower)
}

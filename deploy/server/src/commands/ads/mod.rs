//! `cityguide ads`: campaigns, their delivery, and the log that proves the delivery.

mod apply;
mod calls;
mod log;
mod preview;
mod show;

use std::path::PathBuf;

use ads_proto::v1::{campaigns_client::CampaignsClient, delivery_client::DeliveryClient};
use clap::Subcommand;

use super::operated::Operated;
use crate::{settings::Settings, targets::Target};

#[derive(Debug, Subcommand)]
pub(crate) enum Ads {
    /// Store a folder of campaigns with their pictures, all or nothing; applying it again changes nothing.
    Apply {
        /// The folder of campaigns.
        folder: PathBuf,
        /// Print the changes without making them.
        #[arg(long)]
        dry_run: bool,
    },
    /// Show the campaigns: their delivery so far, the expected delivery, and when their goals will be reached.
    Status,
    /// Pause a campaign until it is resumed.
    Pause {
        /// The name of the campaign's file.
        campaign: String,
    },
    /// Resume a paused campaign.
    Resume {
        /// The name of the campaign's file.
        campaign: String,
    },
    /// Print a link to a preview of each creative of a campaign. The links work for a day, even if the campaign is not
    /// running.
    Preview {
        /// The name of the campaign's file.
        campaign: String,
    },
    /// Print a campaign's delivery by hour and creative.
    Report {
        /// The name of the campaign's file.
        campaign: String,
    },
    /// Write the signed log of events to a file, one batch per line, and print its keys. `ads verify --log` needs one
    /// of these keys.
    Log {
        /// The file to write.
        file: PathBuf,
    },
    /// Verify the chain of the log and every signature, and compare the log's totals with the reports.
    Verify {
        /// A log file to verify instead of this site's log.
        #[arg(long, requires = "key")]
        log: Option<PathBuf>,
        /// A trusted key of the log's signatures, in hexadecimal; give several if a key was not signed by its
        /// predecessor.
        #[arg(long)]
        key: Vec<String>,
    },
    /// Show the events that were refused in the last 48 hours, and why.
    Refusals,
}

pub(super) async fn ads(settings: &Settings, what: Ads) -> Result<(), String> {
    if let Ads::Verify {
        log: Some(log),
        key,
    } = &what
    {
        return log::verify_file(log, key);
    }
    let system = Operated::connect(settings).await?;
    let mut client = CampaignsClient::new(system.transport(Target::Ads)?);
    match what {
        Ads::Apply { folder, dry_run } => {
            apply::apply(settings, &mut client, &folder, dry_run).await
        }
        Ads::Status => show::status(&mut client).await,
        Ads::Pause { campaign } => show::pause(&mut client, campaign, true).await,
        Ads::Resume { campaign } => show::pause(&mut client, campaign, false).await,
        Ads::Preview { campaign } => {
            let mut delivery = DeliveryClient::new(system.transport(Target::Ads)?);
            preview::preview(settings, &mut delivery, campaign).await
        }
        Ads::Report { campaign } => show::print_hours(&mut client, &campaign).await,
        Ads::Log { file } => log::write_log(&mut client, &file).await,
        Ads::Verify { .. } => log::verify(&mut client).await,
        Ads::Refusals => show::refusals(&mut client).await,
    }
}

//! `cityguide ads apply`.

use std::path::Path;

use ads_proto::v1::{ImportRequest, import_request::Item};
use chassis::blobs::Blobs;
use cityguide_proto::intake::v1::{Finish, Report};
use publishing::ads::{self, AdsFolder};
use site::Site;

use super::{
    super::operated::failure,
    super::report::print_applied,
    calls::{Client, long_call},
};
use crate::settings::Settings;

/// Stores a folder and publishes its pictures.
pub(super) async fn apply(
    settings: &Settings,
    client: &mut Client,
    folder: &Path,
    dry_run: bool,
) -> Result<(), String> {
    let name = folder.display().to_string();
    let site = Site::read(&settings.site.file).map_err(|fault| fault.message)?;
    let read = ads::read(folder, site.timezone).map_err(|mistakes| {
        format!(
            "{name} has mistakes; nothing was changed\n  {}",
            mistakes.join("\n  ")
        )
    })?;
    if !dry_run {
        let blobs = Blobs::open(&settings.blobs).map_err(|fault| fault.message)?;
        read.publish_pictures(&blobs).await?;
    }
    let report = import(client, read, dry_run).await?;
    print_applied(&report, &name, dry_run)
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
    let request = long_call().request(tokio_stream::iter(items));
    let report = client.import(request).await.map_err(failure)?;
    Ok(report.into_inner())
}

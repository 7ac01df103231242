//! `cityguide content`: publishing of content folders.

use std::path::{Path, PathBuf};

use chassis::blobs::Blobs;
use clap::Subcommand;
use publishing::content::{self, Folder, Services};
use site::Site;

use super::{
    drafts::{self, Editing},
    operated::Operated,
    report::{merged, print_applied},
};
use crate::{settings::Settings, targets::Target};

#[derive(Debug, Subcommand)]
pub(crate) enum Content {
    /// Publish a folder of Markdown and TOML, all or nothing; applying it again changes nothing.
    Apply {
        /// The content folder.
        folder: PathBuf,
        /// Print the changes without making them.
        #[arg(long)]
        dry_run: bool,
    },
    #[command(flatten)]
    Editing(Editing),
}

pub(super) async fn content(settings: &Settings, content: Content) -> Result<(), String> {
    match content {
        Content::Apply { folder, dry_run } => apply(settings, &folder, dry_run).await,
        Content::Editing(what) => drafts::drafts(settings, what).await,
    }
}

async fn apply(settings: &Settings, folder: &Path, dry_run: bool) -> Result<(), String> {
    let name = folder.display().to_string();
    let site = Site::read(&settings.site.file).map_err(|fault| fault.message)?;
    let read = Folder::read(folder, &site).map_err(|mistakes| {
        format!(
            "{name} has mistakes; nothing was changed\n  {}",
            mistakes.join("\n  ")
        )
    })?;
    let system = Operated::connect(settings).await?;
    let services = Services {
        places: system.transport(Target::Places)?,
        editorial: system.transport(Target::Editorial)?,
        photos: system.transport(Target::Photos)?,
        newsletters: system.transport(Target::Newsletters)?,
    };
    let blobs = Blobs::open(&settings.blobs).map_err(|fault| fault.message)?;
    let answers = content::apply(&services, &blobs, &read, dry_run).await?;
    let report = merged(merged(answers.places, answers.editorial), answers.photos);
    let report = merged(report, answers.newsletters);
    print_applied(&report, &name, dry_run)
}

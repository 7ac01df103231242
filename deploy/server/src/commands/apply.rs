//! `cityguide content apply`: the publishers' door.

use std::{path::PathBuf, sync::Arc};

use chassis::{blobs, clock::SystemClock};
use clap::Subcommand;

use super::{print, report::print_report};
use crate::{
    content::{self, Folder},
    settings::Settings,
    system::System,
    targets::Target,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Content {
    /// Publish a folder of Markdown and TOML, all or nothing; applying it again changes nothing.
    Apply {
        /// The folder.
        folder: PathBuf,
        /// Say what would change, and change nothing.
        #[arg(long)]
        dry_run: bool,
    },
}

pub(super) async fn content(settings: &Settings, content: Content) -> Result<(), String> {
    let Content::Apply { folder, dry_run } = content;
    let name = folder.display().to_string();
    let read = Folder::read(&folder).map_err(|mistakes| {
        format!(
            "{name} has mistakes; nothing was changed\n  {}",
            mistakes.join("\n  ")
        )
    })?;
    let system = System::create(settings, &Target::ALL, Arc::new(SystemClock))
        .await
        .map_err(|fault| fault.message)?;
    let places = system
        .transport(Target::Places)
        .map_err(|fault| fault.message)?;
    let blobs = blobs::in_folder(&settings.blobs.folder).map_err(|fault| fault.message)?;
    let report = content::apply(places, &blobs, read, dry_run).await?;
    print_report(&name, &report)?;
    match (report.applied, dry_run) {
        (true, _) => Ok(()),
        (false, true) => print("nothing was changed: this was a dry run"),
        (false, false) => Err(format!("{name} was refused; nothing was changed")),
    }
}

//! `cityguide backup`, `verify`, `restore` and `promote`.

use std::path::PathBuf;

use chassis::error::Fault;
use clap::Args;

use super::console::print;
use crate::{
    backup::{self, Identities, Manifest, Purpose},
    settings::Settings,
};

#[derive(Debug, Clone, Args)]
pub(crate) struct Backup {
    /// Number of backups to keep; `backup.keep` of the settings if absent.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Back up only pictures and the site's file; for a database with its own backups.
    #[arg(long)]
    without_database: bool,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Verify {
    /// The backup's name; the latest if absent.
    backup: Option<String>,
    /// File with the private key (age-keygen). Without it, only the digests of the encrypted parts are verified.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct Restore {
    /// The backup's name; the latest if absent.
    backup: Option<String>,
    /// File with the private key (age-keygen).
    #[arg(long, value_name = "FILE")]
    identity: PathBuf,
    /// Restore a copy, which sends no mail and polls no sources until `cityguide promote`.
    #[arg(long)]
    as_copy: bool,
}

fn message(fault: Fault) -> String {
    fault.message
}

pub(super) async fn backup(settings: &Settings, what: Backup) -> Result<(), String> {
    let keep = what.keep.map_or(settings.backup.keep, |keep| keep as usize);
    let done = backup::back_up(settings, keep, !what.without_database);
    let done = done.await.map_err(message)?;
    let new = done.sent.blobs;
    let contents = contents(&done.manifest);
    let deleted = done.deleted;
    print(&format!(
        "backup {}: {contents}; {new} files are new, {deleted} old backups deleted",
        done.id
    ))
}

pub(super) async fn verify(settings: &Settings, what: Verify) -> Result<(), String> {
    let identities = what.identity.as_deref().map(Identities::read);
    let identities = identities.transpose().map_err(message)?;
    let verified = backup::verify(settings, what.backup, identities.as_ref());
    let verified = verified.await.map_err(message)?;
    for problem in &verified.problems {
        print(&format!("BAD   {problem}"))?;
    }
    let id = verified.id;
    if verified.problems.is_empty() {
        let contents = contents(&verified.manifest);
        return print(&format!("ok    backup {id}: {contents}"));
    }
    let problems = verified.problems.len();
    Err(format!("the backup {id} has problems: {problems}"))
}

pub(super) async fn restore(settings: &Settings, what: Restore) -> Result<(), String> {
    let identities = Identities::read(&what.identity).map_err(message)?;
    let purpose = if what.as_copy {
        Purpose::Copy
    } else {
        Purpose::Site
    };
    let restored = backup::restore(settings, what.backup, &identities, purpose);
    let restored = restored.await.map_err(message)?;
    let (id, contents) = (restored.id, contents(&restored.manifest));
    let erased = match restored.erased {
        Some(erased) => format!("{erased} accounts that were erased since are erased again"),
        None => {
            "without a register of erasures, accounts that were erased since exist again".to_owned()
        }
    };
    let next = match purpose {
        Purpose::Site => "",
        Purpose::Copy => {
            "; it is a copy, which sends no mail and polls no sources until `cityguide promote`"
        }
    };
    print(&format!("restored backup {id}: {contents}; {erased}{next}"))
}

pub(super) async fn promote(settings: &Settings) -> Result<(), String> {
    backup::promote(settings).await.map_err(message)?;
    print("the copy is the site now: restart its processes")
}

fn contents(manifest: &Manifest) -> String {
    let tables = manifest.schemas.iter().flat_map(|schema| &schema.tables);
    let rows: u64 = tables.clone().map(|table| table.rows).sum();
    let (tables, files) = (tables.count(), manifest.blobs.count);
    format!("{rows} rows of {tables} tables, {files} files")
}

//! Backups: the database at one snapshot, all blobs, and the site's file, compressed and encrypted, in a folder or a
//! bucket. A backup is complete once it has its manifest.
//!
//! | in the store | contents |
//! |---|---|
//! | `backups/{instant}/database/{schema}.{table}` | a table in the text format of `COPY` |
//! | `backups/{instant}/site/{file}` | the site's file and its logo |
//! | `backups/{instant}/blobs` | the list of encrypted blobs |
//! | `backups/{instant}/manifest.json`, `manifest.tag` | the list of all parts, and its code by `internal.key` |
//! | `blobs/{..}/{name}-{digest}` | an encrypted blob, shared by all backups |

mod blobs;
mod manifest;
mod parts;
mod restore;
mod retention;
mod sealing;
mod settings;
mod source;
mod store;
mod verify;

use std::path::PathBuf;

use bytes::Bytes;
use chassis::{
    blobs::Blobs,
    error::{Code, Fault},
    postgres::State,
};
use futures::stream;
use identity::Register;
use site::Site;

pub use self::settings::BackupSettings;
pub(crate) use self::{
    blobs::Sent,
    manifest::Manifest,
    restore::{Purpose, promote, restore},
    sealing::Identities,
    verify::verify,
};
use self::{
    manifest::{FORMAT, FileCopy, file_name, fingerprints, id_of, key_of},
    sealing::Recipients,
    source::{keys, schemas},
    store::dump::Snapshot,
};
use crate::settings::Settings;

/// A completed backup.
pub(crate) struct Completed {
    pub(crate) id: String,
    pub(crate) manifest: Manifest,
    /// The blobs that earlier backups did not contain.
    pub(crate) sent: Sent,
    /// The number of old backups that were deleted.
    pub(crate) deleted: usize,
}

/// Makes a backup, then deletes old ones. Changes that are committed meanwhile are not in it. The blobs are read after the
/// snapshot, so that blobs of every row are included unless they were deleted in the meantime.
pub(crate) async fn back_up(
    settings: &Settings,
    keep: usize,
    with_database: bool,
) -> Result<Completed, Fault> {
    let backup = &settings.backup;
    let (store, recipients) = (backup.open()?, Recipients::parse(&backup.recipients)?);
    // Without recipients, no part can be encrypted.
    recipients.sealer().map(drop)?;
    let keys = keys(settings)?;
    let pool = store::connect(&settings.database).await?;
    let _lock = store::lock(&pool).await?;
    for schema in schemas() {
        // With the site's settings, backups of a copy would replace the site's backups.
        if schema.state(&pool).await? == State::Copy {
            let message = "the database is a restored copy, which is not backed up";
            return Err(Fault::new(Code::Conflict, message));
        }
    }
    let mut snapshot = Snapshot::take(&pool).await?;
    let id = id_of(snapshot.at);
    let mut copies = Vec::new();
    if with_database {
        for schema in schemas() {
            let copy = snapshot.copy_schema(schema, &store, &recipients, &id);
            copies.push(copy.await?);
        }
    }
    let at = snapshot.at;
    // An old snapshot would prevent PostgreSQL from removing deleted rows.
    drop(snapshot);
    let source = Blobs::open(&settings.blobs)?;
    let (blobs, sent) = blobs::back_up(&source, &store, &recipients, &id).await?;
    let manifest = Manifest {
        format: FORMAT,
        program: chassis::VERSION.to_owned(),
        site: settings.site.url.clone(),
        at,
        schemas: copies,
        blobs,
        files: copy_files(settings, &store, &recipients, &id).await?,
        keys: keys.as_ref().map(fingerprints).unwrap_or_default(),
        recipients: backup.recipients.clone(),
    };
    manifest.write(&store, &id, keys.as_ref()).await?;
    store::record(&pool, at).await?;
    let (deleted, oldest) = retention::apply(&store, keep, at).await?;
    if let (true, Some(oldest), Some(keys)) = (with_database, oldest, &keys)
        && let Some(register) = Register::open(&settings.erasures, keys)?
    {
        register.forget(oldest).await?;
    }
    Ok(Completed {
        id,
        manifest,
        sent,
        deleted,
    })
}

/// The site's file, and the logo beside it.
fn files(settings: &Settings) -> Result<Vec<PathBuf>, Fault> {
    let file = &settings.site.file;
    let site = Site::read(file)?;
    let logo = site.logo.map(|logo| file.with_file_name(logo.file));
    Ok(std::iter::once(file.clone()).chain(logo).collect())
}

async fn copy_files(
    settings: &Settings,
    store: &Blobs,
    recipients: &Recipients,
    id: &str,
) -> Result<Vec<FileCopy>, Fault> {
    let mut copies = Vec::new();
    for path in files(settings)? {
        let refuse = |why: &str| {
            let message = format!("the file {}: {why}", path.display());
            Fault::new(Code::Unavailable, message)
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| refuse("its name is not text"))?;
        let content = tokio::fs::read(&path).await;
        let content = Bytes::from(content.map_err(|error| refuse(&error.to_string()))?);
        let (key, sealer) = (key_of(id, &file_name(name)), recipients.sealer()?);
        let content = stream::iter([Ok(content)]);
        let part = parts::write(store, &key, Some(sealer), content).await?;
        let name = name.to_owned();
        copies.push(FileCopy { name, part });
    }
    Ok(copies)
}

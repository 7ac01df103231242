//! Restores a backup into an empty database and an empty store of blobs.

use chassis::{
    blobs::Blobs,
    error::{Code, Fault},
    postgres::{self, Schema, State},
};
use identity::Register;
use tokio::io::AsyncWriteExt;

use super::{
    Identities, Manifest, blobs,
    manifest::{self, SchemaCopy, file_name, key_of},
    parts,
    source::{keys, schemas},
    store,
    verify::missing_keys,
};
use crate::{settings::Settings, system::System};

/// The purpose of a restored database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It replaces the site.
    Site,
    /// It is a copy, which sends no mail and polls no sources.
    Copy,
}

/// A restored backup.
pub(crate) struct Restored {
    pub(crate) id: String,
    pub(crate) manifest: Manifest,
    /// The number of accounts that are erased again; `None` without a register of erasures.
    pub(crate) erased: Option<usize>,
}

/// Restores a backup, the latest if none is named. A restore that fails can be repeated;
/// until then, no process starts on the database.
pub(crate) async fn restore(
    settings: &Settings,
    id: Option<String>,
    identities: &Identities,
    purpose: Purpose,
) -> Result<Restored, Fault> {
    let (store, keys) = (settings.backup.open()?, keys(settings)?);
    let id = match id {
        Some(id) => id,
        None => manifest::latest(&store).await?,
    };
    let manifest = Manifest::read(&store, &id, keys.as_ref()).await?;
    let missing = missing_keys(&manifest, keys.as_ref(), Some(identities));
    // A copy may lack the site's own keys; nothing can be read without the identity.
    let is_readable = identities.open_any(&manifest.recipients);
    if !missing.is_empty() && (purpose == Purpose::Site || !is_readable) {
        return Err(Fault::new(Code::Invalid, missing.join("; ")));
    }
    let mut erased = None;
    if !manifest.schemas.is_empty() {
        let register = keys
            .as_ref()
            .map(|keys| Register::open(&settings.erasures, keys));
        let since = match register.transpose()?.flatten() {
            Some(register) => Some(register.since(manifest.at).await?),
            None => None,
        };
        let accounts = since
            .iter()
            .flatten()
            .map(|one| one.profile_id)
            .collect::<Vec<_>>();
        let loaded = restore_database(settings, &id, &manifest, (&store, identities), &accounts);
        let repeated = loaded.await?;
        erased = since.map(|_| repeated);
    }
    let target = Blobs::open(&settings.blobs)?;
    let objects = blobs::objects(&store, &id, &manifest.blobs.part).await?;
    blobs::restore(&store, &target, objects, identities).await?;
    restore_files(settings, &id, &manifest, &store, identities).await?;
    if !manifest.schemas.is_empty() {
        // The backup may be of an earlier release.
        System::migrate(settings).await?;
        let state = match purpose {
            Purpose::Site => State::Live,
            Purpose::Copy => State::Copy,
        };
        set_state(&settings.database, state).await?;
    }
    Ok(Restored {
        id,
        manifest,
        erased,
    })
}

/// Makes a restored copy the site: mail is sent, and sources are polled, after the next start.
pub(crate) async fn promote(settings: &Settings) -> Result<(), Fault> {
    let pool = store::connect(&settings.database).await?;
    for schema in schemas() {
        schema.check(&pool).await?;
    }
    set_state(&settings.database, State::Live).await
}

async fn set_state(database: &postgres::Settings, state: State) -> Result<(), Fault> {
    let pool = store::connect(database).await?;
    let mut transaction = pool.begin().await?;
    for schema in schemas() {
        schema.set_state(&mut *transaction, state).await?;
    }
    Ok(transaction.commit().await?)
}

async fn restore_database(
    settings: &Settings,
    id: &str,
    manifest: &Manifest,
    (store, identities): (&Blobs, &Identities),
    erased: &[i64],
) -> Result<usize, Fault> {
    let database = &settings.database;
    let pool = store::connect(database).await?;
    let copies: Vec<_> = manifest
        .schemas
        .iter()
        .map(|copy| pair(copy))
        .collect::<Result<_, _>>()?;
    for (schema, copy) in &copies {
        check_target(schema, copy, &pool).await?;
    }
    for (schema, copy) in &copies {
        schema.set_state(&pool, State::Restoring).await?;
        let own = postgres::connect(database, schema.name).await?;
        schema.apply_versions(&own, &copy.versions).await?;
        own.close().await;
    }
    store::load::load(&pool, &manifest.schemas, store, identities, id, erased).await
}

/// Finds the schema of this program that a copy is for.
fn pair(copy: &SchemaCopy) -> Result<(&'static Schema<'static>, &SchemaCopy), Fault> {
    let schema = schemas().find(|schema| schema.name == copy.name);
    let known = schema.map(Schema::versions).unwrap_or_default();
    match schema {
        Some(schema) if copy.versions.iter().all(|one| known.contains(one)) => Ok((schema, copy)),
        _ => {
            let message = format!(
                "the backup's schema {} is newer than this program: restore it with the program that made it",
                copy.name
            );
            Err(Fault::new(Code::Invalid, message))
        }
    }
}

/// Refuses a database with data. Schemas that an earlier restore has left are empty, because it loads all rows in one
/// transaction.
async fn check_target(
    schema: &Schema<'_>,
    copy: &SchemaCopy,
    pool: &sqlx::PgPool,
) -> Result<(), Fault> {
    let Some(applied) = schema.applied_versions(pool).await? else {
        return Ok(());
    };
    let is_left = schema.state(pool).await? == State::Restoring;
    if is_left && applied.iter().all(|one| copy.versions.contains(one)) {
        return Ok(());
    }
    let message = format!(
        "the database already has the schema {}: a backup is restored into an empty database",
        schema.name
    );
    Err(Fault::new(Code::Conflict, message))
}

/// Writes the site's file and its logo, unless files exist there.
async fn restore_files(
    settings: &Settings,
    id: &str,
    manifest: &Manifest,
    store: &Blobs,
    identities: &Identities,
) -> Result<(), Fault> {
    let Some(folder) = settings.site.file.parent() else {
        return Ok(());
    };
    for (index, file) in manifest.files.iter().enumerate() {
        let path = match index {
            0 => settings.site.file.clone(),
            _ => folder.join(
                std::path::Path::new(&file.name)
                    .file_name()
                    .unwrap_or_default(),
            ),
        };
        if path.exists() {
            continue;
        }
        let key = key_of(id, &file_name(&file.name));
        let stored = parts::read(store, &key, &file.part).await?;
        let content = parts::collect(parts::open(&key, stored, identities)).await?;
        let written = async {
            tokio::fs::create_dir_all(folder).await?;
            let mut created = tokio::fs::File::create_new(&path).await?;
            created.write_all(&content).await?;
            created.sync_all().await
        };
        written.await.map_err(|error| {
            let message = format!("the file {}: {error}", path.display());
            Fault::new(Code::Unavailable, message)
        })?;
    }
    Ok(())
}

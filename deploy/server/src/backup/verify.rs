//! Verifies a backup part by part.

use chassis::{blobs::Blobs, error::Fault};
use futures::{StreamExt, stream};

use super::{
    Identities, Manifest, blobs,
    manifest::{self, key_of},
    parts::{self, Part},
    source::keys,
};
use crate::settings::Settings;

/// Parts that are read concurrently.
const CONCURRENT: usize = 4;

/// The result of a verification.
pub(crate) struct Verified {
    pub(crate) id: String,
    pub(crate) manifest: Manifest,
    /// A line for each missing key and each missing or damaged part.
    pub(crate) problems: Vec<String>,
}

/// Reads all parts of a backup, the latest if none is named. Without identities, only the digests of the encrypted parts
/// are checked.
pub(crate) async fn verify(
    settings: &Settings,
    id: Option<String>,
    identities: Option<&Identities>,
) -> Result<Verified, Fault> {
    let (store, keys) = (settings.backup.open()?, keys(settings)?);
    let id = match id {
        Some(id) => id,
        None => manifest::latest(&store).await?,
    };
    let manifest = Manifest::read(&store, &id, keys.as_ref()).await?;
    let mut problems = missing_keys(&manifest, keys.as_ref(), identities);
    for (name, part) in manifest.parts() {
        problems.extend(problem(
            check_part(&store, &id, &name, part, identities).await,
        ));
    }
    match blobs::objects(&store, &id, &manifest.blobs.part).await {
        Ok(objects) => {
            let checked =
                stream::iter(&objects).map(|object| check_blob(&store, object, identities));
            let mut checked = std::pin::pin!(checked.buffer_unordered(CONCURRENT));
            while let Some(outcome) = checked.next().await {
                problems.extend(problem(outcome));
            }
        }
        Err(fault) => problems.push(fault.message),
    }
    Ok(Verified {
        id,
        manifest,
        problems,
    })
}

fn problem(outcome: Result<(), Fault>) -> Option<String> {
    outcome.err().map(|fault| fault.message)
}

/// The keys that the backup needs and that are missing here.
pub(super) fn missing_keys(
    manifest: &Manifest,
    keys: Option<&chassis::keys::Keys>,
    identities: Option<&Identities>,
) -> Vec<String> {
    let missing = match keys {
        Some(keys) => manifest.missing_keys(keys),
        None => manifest.keys.clone(),
    };
    let mut problems: Vec<_> = missing
        .iter()
        .map(|key| format!("internal.key lacks the key with the fingerprint {key}"))
        .collect();
    if identities.is_some_and(|identities| !identities.open_any(&manifest.recipients)) {
        let recipients = manifest.recipients.join(", ");
        problems.push(format!(
            "the identity file lacks the private key: the backup is encrypted for {recipients}"
        ));
    }
    problems
}

async fn check_part(
    store: &Blobs,
    id: &str,
    name: &str,
    part: &Part,
    identities: Option<&Identities>,
) -> Result<(), Fault> {
    let key = key_of(id, name);
    let stored = parts::read(store, &key, part).await?;
    let mut content = match identities {
        Some(identities) => parts::open(&key, stored, identities).boxed(),
        None => stored,
    };
    while let Some(piece) = content.next().await {
        piece?;
    }
    Ok(())
}

async fn check_blob(
    store: &Blobs,
    object: &str,
    identities: Option<&Identities>,
) -> Result<(), Fault> {
    let sealed = blobs::read(store, object).await?;
    match identities {
        Some(identities) => blobs::open(object, &sealed, identities).map(drop),
        None => Ok(()),
    }
}

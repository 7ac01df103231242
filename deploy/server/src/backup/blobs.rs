//! Blobs in backups: each is encrypted once, under a name that is derived from its key and size, and shared by all
//! backups. The content at a key never changes, so a blob with a known key and size is not sent again.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use chassis::{
    blobs::{Blobs, Listed},
    digest,
    error::{Code, Fault},
};
use futures::{StreamExt, TryStreamExt, stream};

use super::{
    manifest::{BlobList, key_of},
    parts::{self, Part},
    sealing::{Identities, Recipients},
};

/// The folder of encrypted blobs in the store of backups.
pub(super) const FOLDER: &str = "blobs";
/// The name of the list of a backup's blobs. The list is not encrypted, so that old blobs can be deleted without the
/// private key. It contains only digests.
pub(super) const LIST: &str = "blobs";
/// Blobs that are transferred concurrently. Each is in memory twice, and has at most about 25 MiB.
const CONCURRENT: usize = 4;
/// The length of the digest of a blob's key and size, in hexadecimal characters.
const NAME: usize = 32;

/// The result of a blob's transfer.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    pub(crate) blobs: usize,
    pub(crate) bytes: u64,
}

/// The name of a blob in the store of backups, without the digest of its encrypted content.
fn name(blob: &Listed) -> String {
    digest::hex(format!("{}\n{}", blob.key, blob.size), NAME / 2)
}

/// The key of an encrypted blob. `object` consists of the digest of the blob's key and size, and of the digest of the
/// encrypted content.
pub(super) fn place(object: &str) -> String {
    let folder = object.get(..2).unwrap_or_default();
    format!("{FOLDER}/{folder}/{object}")
}

/// Encrypts all blobs that the store of backups does not have yet, and writes the list of the backup's blobs. The names
/// of all blobs are in memory: about 150 bytes for each.
pub(super) async fn back_up(
    source: &Blobs,
    store: &Blobs,
    recipients: &Recipients,
    id: &str,
) -> Result<(BlobList, Sent), Fault> {
    let mut stored = BTreeMap::new();
    let mut list = store.list(FOLDER);
    while let Some(listed) = list.try_next().await? {
        if let Some((_, object)) = listed.key.rsplit_once('/')
            && let Some((name, content)) = object.split_once('-')
        {
            stored.insert(name.to_owned(), content.to_owned());
        }
    }
    let stored = &stored;
    let all = source.list("").map(|blob| async move {
        let blob = blob?;
        let name = name(&blob);
        if let Some(content) = stored.get(&name) {
            return Ok::<_, Fault>(Some((format!("{name}-{content}"), blob.size, false)));
        }
        let object = send(source, store, recipients, &blob, &name).await?;
        Ok(object.map(|object| (object, blob.size, true)))
    });
    let mut all = std::pin::pin!(all.buffer_unordered(CONCURRENT));
    let (mut objects, mut bytes, mut sent) = (BTreeSet::new(), 0, Sent::default());
    while let Some(done) = all.try_next().await? {
        let Some((object, size, is_new)) = done else {
            continue;
        };
        bytes += size;
        if is_new {
            sent.blobs += 1;
            sent.bytes += size;
        }
        objects.insert(object);
    }
    let count = objects.len();
    let lines = stream::iter(objects).map(|object| Ok(Bytes::from(object + "\n")));
    let part = parts::write(store, &key_of(id, LIST), None, lines).await?;
    Ok((BlobList { count, bytes, part }, sent))
}

/// Encrypts a blob; returns its object, or `None` if the blob has been deleted in the meantime.
async fn send(
    source: &Blobs,
    store: &Blobs,
    recipients: &Recipients,
    blob: &Listed,
    name: &str,
) -> Result<Option<String>, Fault> {
    let Some(found) = source.read(&blob.key, None).await? else {
        return Ok(None);
    };
    let content = found.collect().await?;
    if content.len() as u64 != blob.size {
        let message = format!("blob {} changed while it was read", blob.key);
        return Err(Fault::new(Code::Unavailable, message));
    }
    // The key is inside, because the list does not reveal it.
    let plain = [blob.key.as_bytes(), b"\n", &content].concat();
    let sealed = recipients.seal(&plain)?;
    let object = format!("{name}-{}", digest::hex(&sealed, 32));
    store.keep(&place(&object), sealed).await?;
    Ok(Some(object))
}

/// The objects in a backup's list of blobs.
pub(super) async fn objects(store: &Blobs, id: &str, part: &Part) -> Result<Vec<String>, Fault> {
    let list = parts::read(store, &key_of(id, LIST), part).await?;
    let list = String::from_utf8(parts::collect(list).await?);
    let damaged = |_| Fault::new(Code::Invalid, format!("{} is damaged", key_of(id, LIST)));
    Ok(list.map_err(damaged)?.lines().map(str::to_owned).collect())
}

/// Reads an encrypted blob and checks its digest.
pub(super) async fn read(store: &Blobs, object: &str) -> Result<Bytes, Fault> {
    let refuse = |why: &str| {
        let message = format!("{} is {why}", place(object));
        Fault::new(Code::Invalid, message)
    };
    let found = store.read(&place(object), None).await?;
    let sealed = found.ok_or_else(|| refuse("missing"))?.collect().await?;
    match object.split_once('-') {
        Some((_, content)) if content == digest::hex(&sealed, 32) => Ok(sealed),
        _ => Err(refuse(
            "damaged: delete it, and the next backup stores it again",
        )),
    }
}

/// Decrypts a blob that [`read`] returned; returns its key and content.
pub(super) fn open(
    object: &str,
    sealed: &[u8],
    identities: &Identities,
) -> Result<(String, Bytes), Fault> {
    let refuse = |why: &str| {
        let message = format!("{} cannot be opened: {why}", place(object));
        Fault::new(Code::Invalid, message)
    };
    let plain = identities.open_whole(sealed);
    let plain = Bytes::from(plain.map_err(|error| refuse(&error.to_string()))?);
    let end = plain.iter().position(|byte| *byte == b'\n');
    let end = end.ok_or_else(|| refuse("it has no key"))?;
    let key = String::from_utf8(plain[..end].to_vec());
    let key = key.map_err(|_| refuse("its key is not text"))?;
    Ok((key, plain.slice(end + 1..)))
}

/// Decrypts a backup's blobs into the site's store. Blobs that the store already has are not written again.
pub(super) async fn restore(
    store: &Blobs,
    target: &Blobs,
    objects: Vec<String>,
    identities: &Identities,
) -> Result<(), Fault> {
    let all = stream::iter(objects).map(|object| async move {
        let sealed = read(store, &object).await?;
        let (key, content) = open(&object, &sealed, identities)?;
        if target.size(&key).await? == Some(content.len() as u64) {
            return Ok(());
        }
        target.keep(&key, content).await
    });
    all.buffer_unordered(CONCURRENT).try_collect().await
}

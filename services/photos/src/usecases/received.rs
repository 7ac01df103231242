//! Received files: inspected before anything is stored, and processed by jobs.

use std::{thread, time::Duration};

use chassis::error::{Code, Fault};
use futures::{StreamExt, TryStreamExt, stream};
use pictures::{File, MAX_BYTES, Made, Refusal, Size, inspect, make};
use sha2::{Digest, Sha256};
use tokio::{
    sync::{oneshot, watch},
    time::{Instant, timeout_at},
};
use uuid::Uuid;

use super::folder;
use crate::{context::Context, error::Error};

/// How long a call waits for the sizes, so that a reader immediately learns about a damaged file. Under load, the sizes
/// are made later.
const WAIT: Duration = Duration::from_secs(3);
/// The maximum delay until sizes made by another process are noticed.
const POLL: Duration = Duration::from_millis(250);
/// The number of files written to the blob store concurrently.
const WRITES: usize = 4;
/// The reason for a refusal if every attempt to process the picture has failed.
pub(super) const UNREADABLE: &str =
    "The picture could not be read: save it again and upload it once more.";
/// The reason for a refusal if the received file no longer exists.
pub(super) const LOST: &str = "The picture was lost before it could be stored: upload it again.";

/// A received file from which pictures can be made.
pub(super) struct Checked {
    /// The SHA-256 digest of the file.
    pub(super) digest: [u8; 32],
    /// The memory for the file and its processing, in bytes.
    pub(super) memory: u64,
}

/// Inspects a received file. Nothing is decoded; only the file itself is held in memory.
pub(super) async fn check(context: &Context, incoming: Uuid) -> Result<Checked, Error> {
    let found = context.blobs.read_incoming(incoming).await?;
    let file = found.ok_or_else(|| Fault::new(Code::Invalid, "no file was received"))?;
    if file.size > MAX_BYTES {
        return Err(Refusal::TooManyBytes.into());
    }
    let size = file.size;
    let room = context.inspections.reserve(size).await?;
    let file = file.collect().await?;
    // The work releases the memory when it ends, even if its caller stops waiting.
    let checked = on_own_thread(move || {
        let checked = inspect(&file).map(|header| Checked {
            digest: Sha256::digest(&file).into(),
            memory: size + header.memory,
        });
        drop((file, room));
        checked
    });
    checked.await?.map_err(|refusal| {
        count_refusal(refusal);
        refusal.into()
    })
}

/// Counts a refused file by its reason.
fn count_refusal(refusal: Refusal) {
    metrics::counter!("photos_refused_total", "reason" => refusal.code()).increment(1);
}

/// Makes the sizes of a received file, or returns the reason why that is not possible. `memory` is the total number of
/// bytes needed.
pub(super) async fn read_and_make(
    context: &Context,
    incoming: Uuid,
    memory: u64,
    sizes: &'static [&'static Size],
) -> Result<Result<Made, String>, Fault> {
    let room = context.pictures.reserve(memory).await?;
    let Some(file) = context.blobs.read_incoming(incoming).await? else {
        return Ok(Err(LOST.to_owned()));
    };
    let file = file.collect().await?;
    // The work releases the memory when it ends, even if its caller stops waiting.
    let work = on_own_thread(move || {
        let made = make(&file, sizes);
        drop((file, room));
        made
    });
    Ok(work.await?.map_err(|refusal| {
        count_refusal(refusal);
        refusal.to_string()
    }))
}

/// Runs CPU-bound work on a new thread that ends with it. The allocator keeps memory freed by a thread for that thread:
/// on long-lived threads, each would keep as much as the largest picture needed.
async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    let (done, outcome) = oneshot::channel();
    let thread = thread::Builder::new().name("picture".to_owned());
    let started = thread.spawn(move || {
        // The caller may have stopped waiting.
        let _ = done.send(work());
    });
    started.map_err(|error| {
        let message = format!("no thread for a picture: {error}");
        Fault::new(Code::Unavailable, message)
    })?;
    outcome
        .await
        .map_err(|_| Fault::new(Code::Internal, "the work on a picture has panicked"))
}

/// Writes the files of a picture, after deleting partial files of a killed attempt.
pub(super) async fn store(context: &Context, name: Uuid, files: Vec<File>) -> Result<(), Fault> {
    context.blobs.delete_folder(&folder(name)).await?;
    let writes = files.into_iter().map(|file| async move {
        let (folder, size) = (folder(name), file.size.name);
        let key = format!("{folder}/{size}.{}", file.encoding.extension());
        context.blobs.keep(&key, file.content.into()).await
    });
    stream::iter(writes)
        .buffer_unordered(WRITES)
        .try_collect()
        .await
}

/// A call's wait for a job that processes a received file.
pub(super) struct Wait {
    made: watch::Receiver<()>,
    end: Instant,
}

impl Wait {
    /// Begins before the first check, so that no notification is missed.
    pub(super) fn begin(context: &Context) -> Self {
        Self {
            made: context.made.subscribe(),
            end: Instant::now() + WAIT,
        }
    }

    /// Waits until another check may show a change; returns false when the call should stop waiting.
    pub(super) async fn goes_on(&mut self) -> bool {
        let now = Instant::now();
        if now >= self.end {
            return false;
        }
        let next = (now + POLL).min(self.end);
        let _ = timeout_at(next, self.made.changed()).await;
        true
    }
}

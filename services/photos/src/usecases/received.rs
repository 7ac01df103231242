//! A received file: its inspection before anything is stored, and the sizes that jobs make of it.

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

/// A call waits this long for the sizes, so that a reader is told at once what is wrong with a file. Under load they are
/// made later.
const WAIT: Duration = Duration::from_secs(3);
/// Sizes that another process makes are noticed this late at most.
const POLL: Duration = Duration::from_millis(250);
/// Files that are written to the blobs at a time.
const WRITES: usize = 4;
/// Why there is no picture if each attempt to make it has failed.
pub(super) const UNREADABLE: &str =
    "The picture could not be read: save it again and upload it once more.";
/// Why there is no picture if the received file is gone.
pub(super) const LOST: &str = "The picture was lost before it could be stored: upload it again.";

/// A received file that pictures can be made of.
pub(super) struct Checked {
    /// SHA-256.
    pub(super) digest: [u8; 32],
    /// Bytes that the file and the work on it need.
    pub(super) memory: u64,
}

/// Inspects a received file. Nothing is decoded, and no more than the file is in memory.
pub(super) async fn check(context: &Context, incoming: Uuid) -> Result<Checked, Error> {
    let found = context.blobs.read_incoming(incoming).await?;
    let file = found.ok_or_else(|| Fault::new(Code::Invalid, "no file was received"))?;
    if file.size > MAX_BYTES {
        return Err(Refusal::TooManyBytes.into());
    }
    let size = file.size;
    let room = context.inspections.reserve(size).await?;
    let file = file.collect().await?;
    // The memory is given back when the work ends, even if nobody waits for it any more.
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

/// Counts a file that is refused, by its reason.
fn count_refusal(refusal: Refusal) {
    metrics::counter!("photos_refused_total", "reason" => refusal.code()).increment(1);
}

/// The sizes of a received file, or why it has none. `memory` bytes are needed for it all.
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
    // As above.
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

/// Does work that keeps a core busy, on a thread that ends with it. The allocator keeps what a thread has freed for this
/// thread's next wish: on threads that stay, each would keep as much as the largest picture has taken.
async fn on_own_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    let (done, outcome) = oneshot::channel();
    let thread = thread::Builder::new().name("picture".to_owned());
    let started = thread.spawn(move || {
        // Nobody may wait for it any more.
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

/// Writes the files of a picture. Half a file of an attempt that was killed goes first.
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

/// The wait of a call for what a job makes of a received file.
pub(super) struct Wait {
    made: watch::Receiver<()>,
    end: Instant,
}

impl Wait {
    /// Begins before the first look, so that nothing is missed.
    pub(super) fn begin(context: &Context) -> Self {
        Self {
            made: context.made.subscribe(),
            end: Instant::now() + WAIT,
        }
    }

    /// Waits until another look may show more; false once the call should wait no longer.
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

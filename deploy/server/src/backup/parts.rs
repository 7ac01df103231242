//! A backup's parts as streams: encrypted while they are written, and checked while they are read.

use std::io::{self, BufReader, Read};

use bytes::Bytes;
use chassis::{
    blobs::Blobs,
    digest,
    error::{Code, Fault},
};
use futures::{Stream, StreamExt, TryStreamExt, stream, stream::BoxStream};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::sealing::{Identities, Sealer};

/// Pieces in memory between the steps of a stream.
const PIECES: usize = 4;
/// The size of a decrypted piece, in bytes.
const PIECE: usize = 128 * 1024;

/// A stored part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// The size as stored, in bytes.
    pub(crate) size: u64,
    /// SHA-256 of the stored bytes, in hexadecimal.
    pub(crate) sha256: String,
}

/// The size and digest of the bytes so far.
#[derive(Default)]
struct Measured {
    size: u64,
    digest: Sha256,
}

impl Measured {
    fn add(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.digest.update(piece);
    }

    fn part(self) -> Part {
        Part {
            size: self.size,
            sha256: digest::text(&self.digest.finalize()),
        }
    }
}

/// Writes a part. If the content ends with an error, nothing is stored.
pub(super) async fn write(
    store: &Blobs,
    key: &str,
    mut sealer: Option<Sealer>,
    content: impl Stream<Item = Result<Bytes, Fault>> + Send,
) -> Result<Part, Fault> {
    let (send, pieces) = mpsc::channel(PIECES);
    let sealing = async move {
        let mut content = std::pin::pin!(content);
        let mut measured = Measured::default();
        loop {
            let next = content.next().await;
            let is_last = next.is_none();
            let piece = match (next, sealer.as_mut()) {
                (Some(Err(fault)), _) => Err(fault),
                (Some(Ok(piece)), Some(sealer)) => sealer.push(&piece),
                (Some(Ok(piece)), None) => Ok(piece),
                (None, _) => sealer.take().map_or(Ok(Bytes::new()), Sealer::finish),
            };
            if let Ok(piece) = &piece {
                measured.add(piece);
            }
            let is_whole = piece.is_ok();
            // A closed channel means that the store has failed, which it reports itself.
            if send.send(piece).await.is_err() || !is_whole || is_last {
                return measured.part();
            }
        }
    };
    let storing = store.store(key, ReceiverStream::new(pieces));
    let (stored, part) = tokio::join!(storing, sealing);
    stored.map(|_| part)
}

/// Reads the stored bytes of a part. The stream ends with an error that names the part if they are not the bytes that
/// were written.
pub(super) async fn read(
    store: &Blobs,
    key: &str,
    part: &Part,
) -> Result<BoxStream<'static, Result<Bytes, Fault>>, Fault> {
    let Some(found) = store.read(key, None).await? else {
        return Err(Fault::new(Code::NotFound, format!("{key} is missing")));
    };
    let (key, part) = (key.to_owned(), part.clone());
    let state = (found.parts, Measured::default());
    let checked = stream::try_unfold(state, move |(mut pieces, mut measured)| {
        let (key, part) = (key.clone(), part.clone());
        async move {
            let Some(piece) = pieces.try_next().await? else {
                if measured.part() == part {
                    return Ok(None);
                }
                return Err(Fault::new(Code::Invalid, format!("{key} is damaged")));
            };
            measured.add(&piece);
            Ok(Some((piece, (pieces, measured))))
        }
    });
    Ok(checked.boxed())
}

/// Decrypts and decompresses a part that [`read`] returned.
pub(super) fn open(
    key: &str,
    stored: BoxStream<'static, Result<Bytes, Fault>>,
    identities: &Identities,
) -> ReceiverStream<Result<Bytes, Fault>> {
    let (feed, encrypted) = mpsc::channel(PIECES);
    let (send, opened) = mpsc::channel(PIECES);
    let (key, identities) = (key.to_owned(), identities.clone());
    tokio::spawn(async move {
        let mut stored = stored;
        while let Some(piece) = stored.next().await {
            if feed.send(piece).await.is_err() {
                return;
            }
        }
    });
    tokio::task::spawn_blocking(move || {
        let pieces = BufReader::new(Pieces {
            encrypted,
            piece: Bytes::new(),
        });
        let read = identities
            .open(pieces)
            .and_then(zstd::Decoder::new)
            .and_then(|content| send_all(content, &send));
        if let Err(error) = read {
            let message = error.to_string();
            let message = if message.starts_with(&key) {
                message
            } else {
                format!("{key} cannot be opened: {message}")
            };
            // The reader may have stopped.
            let _ = send.blocking_send(Err(Fault::new(Code::Invalid, message)));
        }
    });
    ReceiverStream::new(opened)
}

fn send_all(mut content: impl Read, send: &mpsc::Sender<Result<Bytes, Fault>>) -> io::Result<()> {
    loop {
        let mut piece = vec![0; PIECE];
        let size = content.read(&mut piece)?;
        piece.truncate(size);
        if size == 0 || send.blocking_send(Ok(piece.into())).is_err() {
            return Ok(());
        }
    }
}

/// Reads pieces that an asynchronous task sends.
struct Pieces {
    encrypted: mpsc::Receiver<Result<Bytes, Fault>>,
    piece: Bytes,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            match self.encrypted.blocking_recv() {
                Some(Ok(piece)) => self.piece = piece,
                Some(Err(fault)) => return Err(io::Error::other(fault.message)),
                None => return Ok(0),
            }
        }
        let size = buffer.len().min(self.piece.len());
        buffer[..size].copy_from_slice(&self.piece.split_to(size));
        Ok(size)
    }
}

/// Collects a small part.
pub(super) async fn collect(
    mut content: impl Stream<Item = Result<Bytes, Fault>> + Unpin,
) -> Result<Vec<u8>, Fault> {
    let mut all = Vec::new();
    while let Some(piece) = content.next().await {
        all.extend_from_slice(&piece?);
    }
    Ok(all)
}

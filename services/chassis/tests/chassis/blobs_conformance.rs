//! A suite for every blob store: a folder, and an S3 server that checks signatures.

use std::{net::SocketAddr, path::Path};

use bytes::Bytes;
use chassis::{
    blobs::{Blobs, NotReceived, Settings, key_of},
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
};
use chrono::{TimeDelta, Utc};
use futures::{StreamExt, stream};
use testkit::bucket;
use tokio::net::TcpListener;

/// Large enough for several parts of an S3 multipart upload, which are 5 MiB each.
const LARGE: usize = 12 << 20;

/// A stream of parts, as sent by a client; it fails at a part that is an error.
fn parts(
    all: Vec<Result<Bytes, String>>,
) -> impl futures::Stream<Item = Result<Bytes, String>> + Send {
    stream::iter(all)
}

async fn content(blobs: &Blobs, key: &str) -> Option<Bytes> {
    let found = blobs.read(key, None).await.expect("answers")?;
    Some(found.collect().await.expect("reads"))
}

/// The behaviour of every store. `leftovers` counts the remains of broken uploads.
async fn conforms(blobs: &Blobs, leftovers: impl Fn() -> usize) {
    small_ones(blobs).await;
    large_ones(blobs, &leftovers).await;
    lists(blobs).await;
    let before = leftovers();
    streams(blobs).await;
    assert_eq!(leftovers(), before);
}

/// A listing has the blobs of a folder with their sizes.
async fn lists(blobs: &Blobs) {
    for (key, content) in [
        ("listed/a", "x"),
        ("listed/b/c", "xyz"),
        ("listed-not/a", "x"),
    ] {
        blobs.keep(key, content.into()).await.expect("kept");
    }
    let found = blobs.list("listed").map(|found| {
        let found = found.expect("listed");
        (found.key, found.size)
    });
    let mut found: Vec<_> = found.collect().await;
    found.sort();
    let expected = [("listed/a", 1), ("listed/b/c", 3)];
    let expected = expected.map(|(key, size)| (key.to_owned(), size));
    assert_eq!(found, expected);
    assert!(blobs.list("").count().await > 2);
    assert_eq!(blobs.list("not/there").count().await, 0);
}

/// A blob is stored while its content is made, and not at all if that fails.
async fn streams(blobs: &Blobs) {
    let piece = Bytes::from(vec![7; LARGE / 8]);
    let pieces = || stream::iter(std::iter::repeat_n(Ok(piece.clone()), 8));
    let stored = blobs.store("streamed/whole", pieces()).await;
    assert_eq!(stored, Ok(LARGE as u64));
    let whole = content(blobs, "streamed/whole").await.expect("stored");
    assert_eq!(whole, vec![7; LARGE]);
    let failing = pieces().chain(stream::iter([Err(Fault::new(Code::Internal, "broken"))]));
    let failed = blobs.store("streamed/broken", failing).await;
    assert_eq!(failed.expect_err("broken").message, "broken");
    assert_eq!(content(blobs, "streamed/broken").await, None);
}

/// Blobs that are stored and read as a whole.
async fn small_ones(blobs: &Blobs) {
    let key = key_of(b"a picture", "png");
    assert_eq!(content(blobs, &key).await, None);
    assert_eq!(blobs.size(&key).await, Ok(None));
    for _ in 0..2 {
        let kept = blobs.keep(&key, "a picture".into()).await;
        kept.expect("kept, and again");
        assert_eq!(content(blobs, &key).await, Some("a picture".into()));
    }
    assert_eq!(blobs.size(&key).await, Ok(Some(9)));
    let range = blobs
        .read(&key, Some(2..5))
        .await
        .expect("answers")
        .expect("there");
    assert_eq!((range.size, range.range.clone()), (9, 2..5));
    assert_eq!(range.collect().await, Ok("pic".into()));
}

/// Blobs that are received and read part by part.
async fn large_ones(blobs: &Blobs, leftovers: impl Fn() -> usize) {
    let large = Bytes::from(
        (0..LARGE)
            .map(|at| (at / 7).to_le_bytes()[0])
            .collect::<Vec<_>>(),
    );
    let pieces = || {
        (0..LARGE)
            .step_by(1 << 16)
            .map(|at| Ok(large.slice(at..LARGE.min(at + (1 << 16)))))
    };
    let limit = LARGE as u64;
    let id = uuid(&OsEntropy);
    let received = blobs.receive(id, parts(pieces().collect()), limit).await;
    assert_eq!(received, Ok(limit));
    let incoming = blobs.read_incoming(id).await.expect("answers");
    let incoming = incoming.expect("there").collect().await.expect("reads");
    assert_eq!(incoming, large);
    let key = key_of(&large, "jpg");
    blobs.keep(&key, incoming).await.expect("kept");
    let mut read = blobs
        .read(&key, Some(1..LARGE as u64 - 1))
        .await
        .expect("answers")
        .expect("there");
    let mut at = 1;
    while let Some(part) = read.parts.next().await {
        let part = part.expect("reads");
        assert_eq!(part, large[at..at + part.len()]);
        at += part.len();
    }
    assert_eq!(at, LARGE - 1);

    // Uploads that are too large, interrupted or discarded leave no files.
    let too_large = blobs
        .receive(uuid(&OsEntropy), parts(pieces().collect()), limit - 1)
        .await;
    assert_eq!(too_large.map(|_| ()), Err(NotReceived::TooLarge(limit - 1)));
    let mut broken: Vec<_> = pieces().collect();
    broken.push(Err("the connection is gone".to_owned()));
    let broken = blobs.receive(uuid(&OsEntropy), parts(broken), limit).await;
    assert!(matches!(broken, Err(NotReceived::Broken(_))), "{broken:?}");
    assert_eq!(leftovers(), 1, "the first one");
    for _ in 0..2 {
        let discarded = blobs.discard_incoming(id).await;
        discarded.expect("discarded, or gone already");
        assert!(blobs.read_incoming(id).await.expect("answers").is_none());
    }
    assert_eq!(leftovers(), 0);

    // An upload whose process was killed is listed later.
    let orphan = uuid(&OsEntropy);
    let received = blobs.receive(orphan, parts(Vec::new()), limit).await;
    assert_eq!(received, Ok(0));
    #[expect(
        clippy::disallowed_methods,
        reason = "stores stamp files by the clock of the machine"
    )]
    let now = Utc::now();
    let old = async |at, limit| blobs.old_incoming(at, limit).await;
    assert_eq!(old(now - TimeDelta::hours(1), 9).await, Ok(Vec::new()));
    assert_eq!(old(now + TimeDelta::hours(1), 0).await, Ok(Vec::new()));
    assert_eq!(old(now + TimeDelta::hours(1), 9).await, Ok(vec![orphan]));
    blobs.discard_incoming(orphan).await.expect("discarded");
    assert_eq!(content(blobs, &key).await, Some(large));

    // A folder is deleted as a whole, and its neighbours stay.
    for name in ["one/a.jpg", "one/b.webp", "one-more/a.jpg"] {
        blobs.keep(name, "x".into()).await.expect("kept");
    }
    for _ in 0..2 {
        assert_eq!(blobs.delete_folder("one").await, Ok(()));
        assert_eq!(content(blobs, "one/a.jpg").await, None);
        assert_eq!(content(blobs, "one/b.webp").await, None);
    }
    assert_eq!(content(blobs, "one-more/a.jpg").await, Some("x".into()));

    // Deleting is idempotent.
    for _ in 0..2 {
        blobs.delete(&key).await.expect("deleted, or gone already");
        assert_eq!(content(blobs, &key).await, None);
    }
}

/// Returns the number of files below a folder whose path contains a word.
fn files_of(folder: &Path, word: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let count = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_of(&path, word)
        } else {
            usize::from(path.to_string_lossy().contains(word))
        }
    };
    entries.map(count).sum()
}

fn in_bucket(address: SocketAddr, secret: &str) -> Settings {
    Settings {
        folder: "unused".into(),
        is_shared: false,
        s3: bucket::settings(address, "pictures", secret),
    }
}

#[tokio::test]
async fn a_folder_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::in_folder(&folder.path().join("not/yet/there")).expect("a folder");
    // The names of unfinished uploads contain `#`.
    conforms(&blobs, || {
        files_of(folder.path(), "incoming") + files_of(folder.path(), "#")
    })
    .await;
}

#[tokio::test]
async fn a_folder_keeps_nothing_of_what_a_killed_process_has_half_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::in_folder(folder.path()).expect("a folder");
    #[expect(
        clippy::disallowed_methods,
        reason = "stores stamp files by the clock of the machine"
    )]
    let now = Utc::now();
    let later = now + TimeDelta::hours(1);
    assert_eq!(blobs.forget_half_received(later).await, Ok(0));
    let upload = blobs.receive(uuid(&OsEntropy), parts(Vec::new()), 9).await;
    assert_eq!(upload, Ok(0));
    blobs
        .keep("photos/a/b.jpg", "x".into())
        .await
        .expect("kept");
    for half in ["incoming/one#1", "photos/a/b.jpg#1"] {
        std::fs::write(folder.path().join(half), "half").expect("written");
    }
    let earlier = now - TimeDelta::hours(1);
    assert_eq!(blobs.forget_half_received(earlier).await, Ok(0));
    assert_eq!(blobs.forget_half_received(later).await, Ok(1));
    assert_eq!(blobs.delete_folder("photos/a").await, Ok(()));
    assert_eq!(files_of(folder.path(), "#"), 0);
    assert_eq!(files_of(folder.path(), "incoming"), 1, "the whole one");
}

#[tokio::test]
async fn a_bucket_conforms_and_a_wrong_secret_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("pictures")).expect("a bucket");
    let address = bucket::serve(folder.path()).await;
    let blobs = Blobs::open(&in_bucket(address, bucket::SECRET)).expect("valid");
    conforms(&blobs, || {
        files_of(folder.path(), "incoming") + files_of(folder.path(), "upload_id")
    })
    .await;

    let stranger = Blobs::open(&in_bucket(address, "another")).expect("valid");
    let key = key_of(b"a picture", "png");
    assert!(stranger.read(&key, None).await.is_err());
    assert!(stranger.keep(&key, "a picture".into()).await.is_err());
}

#[tokio::test]
async fn a_store_that_is_away_fails_and_says_which_blob() {
    let gone = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = gone.local_addr().expect("an address");
    drop(gone);
    let blobs = Blobs::open(&in_bucket(address, bucket::SECRET)).expect("valid");
    let fault = blobs
        .read("a.png", None)
        .await
        .expect_err("nobody is there");
    assert!(fault.message.contains("a.png"), "{fault}");
}

#[test]
fn settings_that_cannot_be_are_refused_by_name() {
    let valid = in_bucket(([127, 0, 0, 1], 9000).into(), "a secret");
    assert!(!valid.is_private());
    let mut without = valid.clone();
    without.s3.secret_access_key.clear();
    let refusal = Blobs::open(&without).expect_err("refused").message;
    assert!(
        refusal.contains("blobs.s3.secret_access_key is missing"),
        "{refusal}"
    );
    let mut folder = valid;
    folder.s3.bucket.clear();
    assert!(folder.is_private());
    folder.is_shared = true;
    assert!(!folder.is_private());
}

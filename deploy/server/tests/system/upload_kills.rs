//! Uploads while the process is killed, and more simultaneous uploads than its memory allows.

use std::{fs, time::Duration};

use reqwest::{Body, Method};
use serde_json::Value;
use sqlx::Executor as _;
use testkit::{picture, until};

use crate::{
    app::{Browser, answer, set_timeouts},
    city,
    crash::{migrated, start},
    photos::{OWN, PHOTOS, form},
};

const KILLS: u64 = 10;
/// Each kill happens this much later in the upload than the previous kill.
const STEP: Duration = Duration::from_millis(40);
/// The files of a photo: five sizes in two encodings.
const FILES: usize = 10;

/// Sends a photo in pieces, as over a slow connection; returns its id if the upload was acknowledged.
async fn upload(browser: &Browser, seed: u8) -> Option<i64> {
    let file = picture::jpeg(1600, 1200, seed);
    let (kind, body) = form(&[("listing", "7")], &file).into_parts();
    let pieces: Vec<_> = body
        .chunks(body.len().div_ceil(8))
        .map(<[u8]>::to_vec)
        .collect();
    let pieces = futures::stream::unfold(pieces.into_iter(), |mut pieces| async move {
        tokio::time::sleep(Duration::from_millis(10)).await;
        let piece = pieces.next()?;
        Some((Ok::<_, std::io::Error>(piece), pieces))
    });
    let request = browser.request(Method::POST, PHOTOS);
    let request = request.header("content-type", kind);
    let sent = request.body(Body::wrap_stream(pieces)).send().await.ok()?;
    let (status, photo) = answer(sent).await;
    (status == 201).then(|| photo["id"].as_i64().expect("an id"))
}

async fn own(browser: &Browser) -> Vec<Value> {
    let page = browser.json(&format!("{OWN}?limit=100")).await;
    page["results"].as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_at_any_step_of_an_upload_leaves_nothing_or_a_whole_photo() {
    let (settings, database, _blobs) = migrated().await;
    city::build(&settings).await;
    let mut child = start(&settings).await;
    let ada = Browser::at(&format!("http://{}", settings.http.listen));
    ada.sign_up("ada@example.com").await;
    let mut acknowledged = Vec::new();
    for kill in 0..KILLS {
        let seed = u8::try_from(kill).expect("few kills");
        let killed = async {
            tokio::time::sleep(STEP * u32::from(seed)).await;
            child.kill().await.expect("killed");
        };
        let (photo, ()) = tokio::join!(upload(&ada, seed), killed);
        acknowledged.extend(photo);
        child = start(&settings).await;
    }
    // Otherwise the lease would block the killed process's job for two more minutes.
    let mut connection = database.connection().await;
    let end_leases = "UPDATE photos.jobs SET due_at = now()";
    connection.execute(end_leases).await.expect("updates");
    let photos = until("the sizes are made", async || {
        let photos = own(&ada).await;
        let is_made = photos.iter().all(|photo| photo["status"] == "waiting");
        is_made.then_some(photos)
    })
    .await;
    for id in acknowledged {
        assert!(photos.iter().any(|photo| photo["id"] == id), "{id} is lost");
    }
    let blobs = &settings.blobs.folder;
    until("each has all files", async || {
        (city::files_below(&blobs.join("photos")).len() == FILES * photos.len()).then_some(())
    })
    .await;
    // The received part of an interrupted upload is purged after an hour; nothing waits for it.
    let needed = "SELECT count(*) FROM photos.photos WHERE incoming IS NOT NULL";
    assert_eq!(database.number(needed).await, 0);
    let left = city::files_below(&blobs.join("incoming")).len();
    assert!(left as u64 <= KILLS, "{left} received files are left");
    child.kill().await.expect("killed");
}

/// The default number of simultaneous uploads; `CITYGUIDE_UPLOADS` overrides it.
const USUAL: usize = 6;
/// The maximum memory of the whole system during the uploads.
const MAX: u64 = 600 * 1024;

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::print_stdout, reason = "the figures of a long run")]
async fn many_uploads_at_once_of_the_largest_pictures_take_no_more_memory_than_they_may() {
    let (mut settings, _database, _blobs) = migrated().await;
    set_timeouts(&mut settings, Duration::from_mins(1));
    let uploads = std::env::var("CITYGUIDE_UPLOADS");
    let uploads = uploads.map_or(USUAL, |number| number.parse().expect("a number"));
    city::build(&settings).await;
    let mut child = start(&settings).await;
    let file = picture::jpeg(8064, 5952, 1);
    let mut sending = Vec::new();
    for number in 0..uploads {
        let reader = Browser::at(&format!("http://{}", settings.http.listen));
        reader.sign_up(&format!("reader{number}@example.com")).await;
        let (kind, body) = form(&[("listing", "7")], &file).into_parts();
        sending.push(tokio::spawn(async move {
            // Like the page, this repeats an upload that was refused with a 503.
            loop {
                let request = reader.request(Method::POST, PHOTOS).body(body.clone());
                let sent = request.header("content-type", &kind).send().await;
                match answer(sent.expect("answers")).await {
                    (201, _) => return reader,
                    (503, _) => tokio::time::sleep(Duration::from_secs(1)).await,
                    other => panic!("{other:?}"),
                }
            }
        }));
    }
    for sent in sending {
        let reader = sent.await.expect("uploaded");
        until("its sizes are made", async || {
            (own(&reader).await[0]["status"] == "waiting").then_some(())
        })
        .await;
    }
    let id = child.id().expect("it runs");
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("its status");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.split_whitespace().next());
    let peak: u64 = peak.expect("a peak").parse().expect("kB");
    println!("{uploads} uploads at once: {} MiB", peak / 1024);
    assert!(peak <= MAX, "{peak} kB");
    child.kill().await.expect("killed");
}

//! kill -9 during writes: every acknowledged write is stored once, and the outbox drains after the restart.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use cityguide::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{AT_MOST, database::TestDatabase, outbox, until};
use tokio::process::Child;

use crate::{
    app::Browser,
    city, commands,
    site::{self, free},
};

const READERS: usize = 6;
const KILLS: usize = 3;

/// A system whose ports stay the same after a restart.
pub(crate) async fn migrated() -> (Settings, TestDatabase, TempDir) {
    let (mut settings, database, blobs) = commands::migrated().await;
    settings.http.listen = free();
    settings.http.internal_listen = free();
    (settings, database, blobs)
}

/// Starts the whole system as a process.
pub(crate) async fn start(settings: &Settings) -> Child {
    let mut command = commands::program(settings);
    command.arg("serve");
    site::ready(command, settings).await
}

/// Turns favourites on and off until the system is killed; records the last acknowledged state of each place,
/// and drops places whose last request was not answered: they may be in either state.
async fn write(
    browser: Browser,
    acknowledged: Arc<Mutex<BTreeMap<i64, Option<i64>>>>,
    writes: Arc<AtomicUsize>,
) {
    for round in 0_i64.. {
        let listing = round % i64::try_from(city::PLACES).expect("small") + 1;
        let there = acknowledged
            .lock()
            .expect("no panic")
            .remove(&listing)
            .flatten();
        let state = match there {
            None => {
                let request = browser.request(reqwest::Method::POST, "/api/v2/favourites/");
                let Ok(answer) = request.json(&json!({"listing": listing})).send().await else {
                    return;
                };
                // A busy system may refuse a request.
                if !answer.status().is_success() {
                    continue;
                }
                let Ok(record) = answer.json::<Value>().await else {
                    return;
                };
                record["id"].as_i64()
            }
            Some(id) => {
                let path = format!("/api/v2/favourites/{id}/");
                let Ok(answer) = browser.request(reqwest::Method::DELETE, &path).send().await
                else {
                    return;
                };
                if !answer.status().is_success() {
                    continue;
                }
                None
            }
        };
        acknowledged
            .lock()
            .expect("no panic")
            .insert(listing, state);
        writes.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_favourite_is_lost_and_the_outbox_drains() {
    let (settings, database, _blobs) = migrated().await;
    city::build(&settings).await;

    let base = format!("http://{}", settings.http.listen);
    let mut child = start(&settings).await;
    let mut readers = Vec::new();
    for number in 0..READERS {
        let browser = Browser::at(&base);
        browser
            .sign_up(&format!("reader{number}@example.com"))
            .await;
        readers.push((browser, Arc::new(Mutex::new(BTreeMap::new()))));
    }
    for kill in 0..KILLS {
        let acknowledged = Arc::new(AtomicUsize::new(0));
        let writers: Vec<_> = readers
            .iter()
            .map(|(browser, known)| {
                let (known, number) = (Arc::clone(known), Arc::clone(&acknowledged));
                tokio::spawn(write(browser.clone(), known, number))
            })
            .collect();
        let some = READERS * 5 + kill * 7;
        until("the writers write", async || {
            (acknowledged.load(Ordering::SeqCst) >= some).then_some(())
        })
        .await;
        child.kill().await.expect("killed");
        for writer in writers {
            writer.await.expect("it noticed");
        }
        child = start(&settings).await;
    }

    let mut total = 0;
    for (browser, known) in &readers {
        let map = browser.json("/api/v2/favourites/listing_ids/").await;
        let map: BTreeMap<i64, i64> = map["results"]
            .as_array()
            .expect("a map")
            .iter()
            .map(|entry| {
                (
                    entry["listing_id"].as_i64().expect("an id"),
                    entry["id"].as_i64().expect("an id"),
                )
            })
            .collect();
        for (listing, state) in known.lock().expect("no panic").iter() {
            assert_eq!(map.get(listing), state.as_ref(), "listing {listing}");
            total += 1;
        }
        let counted = browser.json("/api/v2/profiles/me/dashboard/").await;
        assert_eq!(
            counted["favourites"],
            json!(map.len()),
            "the kept count equals a recount"
        );
    }
    assert!(total > READERS, "the writers wrote");

    for schema in ["bookmarks", "places"] {
        outbox::assert_drains(&database, schema).await;
    }
    let behind = "SELECT count(*) FROM bookmarks.stamps s
        LEFT JOIN identity.last_updates l ON (l.profile_id, l.kind) = (s.profile_id, s.kind)
        WHERE l.at IS DISTINCT FROM s.at";
    assert_eq!(database.number(behind).await, 0, "identity's copy is right");
    child.kill().await.expect("killed");
}

/// With huge pages, the memory would grow for as long as the program runs.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn memory_comes_in_small_pages() {
    let (settings, _database, _blobs) = migrated().await;
    let child = start(&settings).await;
    let id = child.id().expect("it runs");
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("its status");
    assert!(status.contains("THP_enabled:\t0"), "{status}");
}

#[tokio::test]
async fn a_request_to_stop_drains_and_ends_well() {
    let (settings, _database, _blobs) = migrated().await;
    let mut child = start(&settings).await;
    let id = child.id().expect("it runs").to_string();
    let asked = tokio::process::Command::new("kill")
        .args(["-TERM", &id])
        .status()
        .await;
    assert!(asked.expect("kill runs").success());
    let status = tokio::time::timeout(AT_MOST, child.wait()).await;
    assert!(status.expect("it ends").expect("a status").success());
}

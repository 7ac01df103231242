//! Writes that end after their reader's erasure or sign-out are refused.

use std::convert::Infallible;

use futures::{SinkExt, channel::mpsc, future::join_all};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use reqwest::{Body, Method, header::CONTENT_TYPE};
use serde_json::{Value, json};
use testkit::{picture, until};
use tokio::task::JoinHandle;

use crate::{
    app::{Browser, PASSWORD},
    departures::{
        ADA, Counts, ME, blob_files, connection, counted, erase, reader, receipt, traces,
    },
    items, photos,
    site::{Site, journeys},
};

/// An upload whose body has been sent in part.
struct BegunUpload {
    rest: mpsc::Sender<Result<Vec<u8>, Infallible>>,
    end: Vec<u8>,
    answer: JoinHandle<u16>,
}

impl BegunUpload {
    /// Begins an upload; returns once the site stores the file, and therefore has authenticated the reader.
    async fn of(site: &Site, browser: &Browser) -> Self {
        let before = blob_files(site);
        let file = picture::jpeg(640, 480, 9);
        let (kind, mut body) = photos::form(&[("listing", "1")], &file).into_parts();
        let end = body.split_off(body.len() / 2);
        let (mut rest, pieces) = mpsc::channel(1);
        rest.try_send(Ok(body)).expect("room");
        let request = browser.request(Method::POST, "/api/v2/photos/");
        let request = request
            .header(CONTENT_TYPE, kind)
            .body(Body::wrap_stream(pieces));
        let answer = tokio::spawn(async move {
            let answered = request.send().await.expect("answers");
            answered.status().as_u16()
        });
        until("the file arrives", async || {
            (blob_files(site).len() > before.len()).then_some(())
        })
        .await;
        Self { rest, end, answer }
    }

    /// Sends the rest; returns the status.
    async fn finish(mut self) -> u16 {
        self.rest.send(Ok(self.end)).await.expect("it reads");
        drop(self.rest);
        self.answer.await.expect("no panic")
    }
}

async fn an_upload_whose_reader_signs_out_meanwhile_is_refused(site: &Site) {
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let before = blob_files(site);
    let upload = BegunUpload::of(site, &browser).await;
    let left = browser
        .post("/api/v2/profiles/logout/v1/validate/", &json!({}))
        .await;
    assert_eq!(left.status(), 204);
    assert_eq!(upload.finish().await, 401);
    assert_eq!(blob_files(site), before);
}

/// A write that a reader makes once: the kind in receipts, if its records are counted, the path and the body. A photo has
/// the number of its picture as body.
type Write = (Option<&'static str>, String, Value);

/// Writes of each kind.
async fn writes(browser: &Browser) -> Vec<Write> {
    let article = items::id_at(browser, "/news/bridge/").await;
    let of_places = (1..=3).flat_map(|listing| {
        [
            ("favourites", "favourites", json!({"listing": listing})),
            ("todos", "todos", json!({"listing": listing})),
            (
                "ratings",
                "ratings",
                json!({"listing": listing, "rating": 4}),
            ),
            ("photos", "photos", json!(listing)),
        ]
    });
    let bookmark = json!({"object_id": article});
    let counted = of_places.chain([("article_bookmarks", "article-bookmarks", bookmark)]);
    let counted = counted.map(|(kind, path, body)| (Some(kind), format!("/api/v2/{path}/"), body));
    let news = json!({"newsletter_settings": {"news": true}});
    let name = json!({"full_name": "Augusta Lovelace"});
    let feed = "/api/v2/profiles/me/calendar-feed/".to_owned();
    let others = [
        (None, ME.to_owned(), news),
        (None, ME.to_owned(), name),
        (None, feed, json!({})),
    ];
    counted.chain(others).collect()
}

/// Makes a write; returns whether it was accepted. It may only be refused because the reader has left.
async fn make(browser: &Browser, (_, path, body): &Write) -> bool {
    let status = match path.as_str() {
        ME => browser.patch(ME, body).await.status().as_u16(),
        photos::PHOTOS => {
            let listing = body.as_i64().expect("a listing");
            let picture = u8::try_from(listing).expect("few");
            photos::upload(browser, listing, picture).await.0
        }
        path => browser.post(path, body).await.status().as_u16(),
    };
    match status {
        200..=204 => true,
        401 | 409 => false,
        other => panic!("{path}: {other}"),
    }
}

/// A reader's records by kind: those that certainly preceded the erasure, and all that were attempted.
#[derive(Default)]
struct Written {
    certain: Counts,
    attempted: Counts,
}

/// Makes a random number of writes one after the other, then erases the account while three tasks make the remaining
/// writes. The order of the writes is random.
async fn leave(browser: &Browser, upload: BegunUpload, seed: u64) -> Written {
    let mut random = StdRng::seed_from_u64(seed);
    let mut writes = writes(browser).await;
    writes.shuffle(&mut random);
    let late = writes.split_off(random.random_range(0..writes.len()));
    let mut written = Written::default();
    for write in &writes {
        assert!(make(browser, write).await, "{write:?} with seed {seed}");
        if let Some(kind) = write.0 {
            *written.certain.entry(kind.to_owned()).or_default() += 1;
        }
    }
    for kind in writes.iter().chain(&late).filter_map(|write| write.0) {
        *written.attempted.entry(kind.to_owned()).or_default() += 1;
    }
    let tasks = late.chunks(late.len().div_ceil(3)).map(async |writes| {
        for write in writes {
            make(browser, write).await;
        }
    });
    let (erased, _) = tokio::join!(erase(browser, PASSWORD), join_all(tasks));
    assert_eq!(erased.0, 204, "{erased:?} with seed {seed}");
    assert_eq!(upload.finish().await, 401, "seed {seed}");
    written
}

async fn whatever_is_written_around_an_erasure_its_receipt_lists_and_nothing_stays(site: &Site) {
    let before = blob_files(site);
    let (first, _, id) = reader(site).await;
    let mut readers = vec![(first, ADA.to_owned(), id)];
    for number in 1..5 {
        let (browser, email) = (site.browser(), format!("ada.king+{number}@example.com"));
        let id = browser.sign_up(&email).await;
        readers.push((browser, email, id));
    }
    let mut leaving = Vec::new();
    for (seed, (browser, ..)) in (0..).zip(&readers) {
        let upload = BegunUpload::of(site, browser).await;
        leaving.push(leave(browser, upload, seed));
    }
    let written = join_all(leaving).await;
    for ((_, email, id), written) in readers.iter().zip(&written) {
        let receipt = receipt(site, email).await;
        // The first reader has further records.
        let erased = counted(&receipt);
        let is_first = email == ADA;
        for (kind, attempted) in &written.attempted {
            let least = written.certain.get(kind).copied().unwrap_or_default();
            let found = erased.get(kind).copied().unwrap_or_default();
            assert!(
                found >= least && (is_first || found <= *attempted),
                "{email}: {kind}: {least} to {attempted}, and {found} in {receipt}"
            );
        }
        until("only the record of the erasure is left", async || {
            let left = traces(site, *id).await;
            (left == ["identity.erasures: 1"]).then_some(())
        })
        .await;
    }
    assert_eq!(blob_files(site), before);
}

/// Tables whose rows end with the account itself need no trigger.
async fn each_table_with_rows_of_readers_refuses_erased_readers(site: &Site) {
    let unguarded: Vec<String> = sqlx::query_scalar(
        "SELECT format('%I.%I', n.nspname, c.relname)
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'profile_id'
         WHERE c.relkind IN ('r', 'p') AND c.relname <> 'erased_readers'
             AND NOT EXISTS (
                 SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                 WHERE t.tgrelid = c.oid AND p.proname = 'refuse_erased_reader')
             AND NOT EXISTS (
                 SELECT FROM pg_constraint k
                 WHERE k.conrelid = c.oid AND k.confrelid = to_regclass('identity.profiles'))
         ORDER BY 1",
    )
    .fetch_all(&mut connection(site).await)
    .await
    .expect("tables");
    assert_eq!(unguarded, ["identity.erasures"]);
}

journeys! {
    an_upload_whose_reader_signs_out_meanwhile_is_refused,
    each_table_with_rows_of_readers_refuses_erased_readers;
    split too:
    whatever_is_written_around_an_erasure_its_receipt_lists_and_nothing_stays,
}

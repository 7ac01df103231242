//! Writes that end after their reader's erasure or sign-out are refused.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures::{SinkExt, channel::mpsc};
use reqwest::{Body, Method, header::CONTENT_TYPE};
use serde_json::{Value, json};
use testkit::{picture, until};
use tokio::task::JoinHandle;

use crate::{
    app::{Browser, PASSWORD},
    departures::{ADA, ME, blob_files, connection, counted, erase, reader, receipt, traces},
    photos,
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

/// Writes of each kind are repeated until the session has ended, while the account is erased.
async fn writes_around_an_erasure_leave_nothing_that_its_receipt_does_not_list(site: &Site) {
    let before = blob_files(site);
    let (ada, _, id) = reader(site).await;
    let upload = BegunUpload::of(site, &ada).await;
    let written = Arc::new(AtomicUsize::new(0));
    let writers = [
        ("/api/v2/favourites/", json!({"listing": 7})),
        ("/api/v2/todos/", json!({"listing": 7})),
        ("/api/v2/ratings/", json!({"listing": 2, "rating": 4})),
        ("/api/v2/profiles/me/calendar-feed/", json!({})),
        ("photo", Value::Null),
        (
            "newsletters",
            json!({"newsletter_settings": {"news": true}}),
        ),
    ];
    let writing = writers.clone().map(|(path, body)| {
        let (ada, written) = (ada.clone(), Arc::clone(&written));
        tokio::spawn(async move {
            for round in 0_u8.. {
                let status = match path {
                    "photo" => photos::upload(&ada, 2, 10 + round % 100).await.0,
                    "newsletters" => ada.patch(ME, &body).await.status().as_u16(),
                    path => ada.post(path, &body).await.status().as_u16(),
                };
                match status {
                    401 => return,
                    200..=204 | 409 => written.fetch_add(1, Ordering::SeqCst),
                    other => panic!("{path}: {other}"),
                };
            }
        })
    });
    until("all write", async || {
        (written.load(Ordering::SeqCst) > 2 * writers.len()).then_some(())
    })
    .await;
    assert_eq!(erase(&ada, PASSWORD).await.0, 204);
    for writer in writing {
        writer.await.expect("only expected answers");
    }
    assert_eq!(upload.finish().await, 401);
    let receipt = receipt(site, ADA).await;
    until("only the record of the erasure is left", async || {
        let left = traces(site, id).await;
        (left == ["identity.erasures: 1"] && blob_files(site) == before).then_some(())
    })
    .await;
    let erased = counted(&receipt);
    assert!(
        erased["favourites"] >= 2 && erased["ratings"] >= 2,
        "{erased:?}"
    );
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
    writes_around_an_erasure_leave_nothing_that_its_receipt_does_not_list,
}

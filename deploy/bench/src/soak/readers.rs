//! Readers: they sign up, save, listen to their updates, leave and come back.

use std::time::Duration;

use anyhow::Context;
use futures::FutureExt;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};

use super::{KEPT_FOR, Kind, PATIENCE, Visit};

pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "readers",
        // Few: a password takes 19 MiB while it is hashed and, until the allocator returns it, a second longer. The
        // median of the samples is to be the memory without it.
        share: 3,
        visit: |visit| stay(visit).boxed(),
    },
    Kind {
        name: "messages to the site",
        share: 100,
        visit: |visit| message(visit).boxed(),
    },
];

const PASSWORD: &str = "correct horse battery";
/// Times that a reader saves places and removes them.
const ROUNDS: usize = 3;
/// Places that a reader saves each time.
const SAVED: usize = 8;
/// The time between two things that a reader does.
const PAUSE: Duration = Duration::from_millis(200);

/// A reader's browser, with cookies and an address of its own.
struct Browser {
    client: Client,
    visit: Visit,
    address: String,
}

impl Browser {
    fn new(visit: Visit) -> anyhow::Result<Self> {
        let client = Client::builder()
            .cookie_store(true)
            .pool_idle_timeout(KEPT_FOR)
            .build()?;
        let address = visit.address();
        Ok(Self {
            client,
            visit,
            address,
        })
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, self.visit.url(path));
        request.header("x-forwarded-for", &self.address)
    }

    async fn get(&self, path: &str) -> anyhow::Result<()> {
        tokio::time::sleep(PAUSE).await;
        self.visit
            .fetch(self.request(Method::GET, path), &[200])
            .await
    }

    async fn post(&self, path: &str, body: &Value, expected: &[u16]) -> anyhow::Result<Response> {
        tokio::time::sleep(PAUSE).await;
        let request = self.request(Method::POST, path).json(body);
        self.visit.ask(request, expected).await
    }

    async fn sign_in(&self, email: &str) -> anyhow::Result<()> {
        let body = json!({"email": email, "password": PASSWORD});
        let path = "/api/v2/profiles/email-login/";
        self.post(path, &body, &[200]).await?.bytes().await?;
        self.get("/api/v2/profiles/status/").await
    }

    async fn sign_out(&self) -> anyhow::Result<()> {
        let path = "/api/v2/profiles/logout/v1/validate/";
        let request = self.request(Method::POST, path);
        self.visit.fetch(request, &[204]).await
    }

    /// An open stream of updates, on which the first has come.
    async fn listen(&self) -> anyhow::Result<Response> {
        // Its time is without end, which the usual request's is not.
        let request = self.request(Method::GET, "/api/v2/profiles/hi/stream/");
        let mut stream = request.send().await?;
        let status = stream.status().as_u16();
        self.visit
            .load
            .tally
            .note(self.visit.kind, status, &[200], "hi/stream/");
        next(&mut stream).await?;
        Ok(stream)
    }
}

/// Waits for an update.
async fn next(stream: &mut Response) -> anyhow::Result<()> {
    let update = tokio::time::timeout(PATIENCE, stream.chunk()).await;
    let update = update.context("no update came")??;
    update.context("the stream has ended").map(drop)
}

async fn stay(visit: Visit) -> anyhow::Result<()> {
    let browser = Browser::new(visit.clone())?;
    let email = format!("soak-{}@example.com", visit.word());
    let registration = json!({"full_name": "Ada King", "email": email, "password": PASSWORD,
        "password_repeat": PASSWORD});
    let path = "/api/v2/profiles/email-registration/";
    let signed_up = browser.post(path, &registration, &[201]).await?;
    signed_up.bytes().await?;
    for path in ["/api/v2/profiles/status/", "/api/v2/profiles/me/", "/"] {
        browser.get(path).await?;
    }
    let mut stream = browser.listen().await?;
    for _ in 0..ROUNDS {
        // The stream of before ends without a word.
        stream = browser.listen().await?;
        let records = save(&browser).await?;
        next(&mut stream).await?;
        for path in ["/api/v2/favourites/", "/api/v2/favourites/listing_ids/"] {
            browser.get(path).await?;
        }
        for id in records {
            tokio::time::sleep(PAUSE).await;
            let path = format!("/api/v2/favourites/{id}/");
            let request = browser.request(Method::DELETE, &path);
            visit.fetch(request, &[200, 204]).await?;
        }
        next(&mut stream).await?;
        browser.get("/api/v2/profiles/hi/").await?;
    }
    // Some close their window first, some sign out before they do.
    if visit.number.is_multiple_of(2) {
        drop(stream);
        browser.sign_out().await?;
        browser.sign_in(&email).await?;
    } else {
        browser.sign_out().await?;
        let stranger = Browser::new(visit)?;
        stranger.sign_in(&email).await?;
    }
    Ok(())
}

/// Saves some places; returns the ids of the records.
async fn save(browser: &Browser) -> anyhow::Result<Vec<i64>> {
    let places = &browser.visit.load.city.places;
    let first = browser.visit.number.to_le_bytes()[0].into();
    let mut records = Vec::new();
    for listing in places
        .iter()
        .cycle()
        .skip(first)
        .take(SAVED.min(places.len()))
    {
        let body = json!({"listing": listing});
        let path = "/api/v2/favourites/";
        let saved = browser.post(path, &body, &[200, 201]).await?;
        let record: Value = saved.json().await?;
        records.push(record["id"].as_i64().context("a record without its id")?);
    }
    Ok(records)
}

/// A message to the site; most of them have something wrong.
async fn message(visit: Visit) -> anyhow::Result<()> {
    let is_right = visit.number.is_multiple_of(10);
    let email = if is_right { "ada@example.com" } else { "ada" };
    let body = json!({"name": "Ada King", "email": email, "subject": visit.word(), "message": "Where is it?"});
    let request = visit.load.client.post(visit.url("/api/v2/contact/"));
    let request = request
        .header("x-forwarded-for", visit.address())
        .header("idempotency-key", visit.word())
        .json(&body);
    let expected = if is_right { 201 } else { 400 };
    visit.fetch(request, &[expected]).await
}

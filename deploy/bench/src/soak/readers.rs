//! Readers, who sign up, save places, listen to their updates, sign out and sign in again.

use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::visitors::{PATIENCE, Visit};
use crate::{
    load::{self, Connection},
    stream::Device,
};

/// How often a reader saves and removes places, and the number of places each time.
const ROUNDS: usize = 3;
const SAVED: usize = 8;
/// The time between two requests of a reader.
const PAUSE: Duration = Duration::from_millis(200);
const FAVOURITES: &str = "/api/v2/favourites/";

/// A reader's browser, with its connection and its session.
struct Browser<'a> {
    visit: &'a Visit,
    connection: Connection,
    cookie: String,
}

impl<'a> Browser<'a> {
    async fn open(visit: &'a Visit) -> anyhow::Result<Self> {
        let connection = Connection::open(visit.site()).await?;
        let cookie = String::new();
        Ok(Self {
            visit,
            connection,
            cookie,
        })
    }

    /// Sends a request and counts its status; returns the response if it is JSON.
    async fn send(&mut self, method: &str, path: &str, body: &Value) -> anyhow::Result<Value> {
        sleep(PAUSE).await;
        let headers = format!(
            "x-forwarded-for: {}\r\n{}",
            self.visit.address(),
            self.cookie
        );
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let request = load::request(method, path, &headers, &body);
        let answer = timeout(PATIENCE, self.connection.send(&request)).await;
        let answer = answer.context("no answer")??;
        self.visit.note(answer.status, &request);
        if let Some(cookie) = answer.header("set-cookie") {
            let (cookie, _) = cookie.split_once(';').unwrap_or((&cookie, ""));
            self.cookie = format!("cookie: {cookie}\r\n");
        }
        Ok(serde_json::from_slice(&answer.body).unwrap_or_default())
    }

    async fn get(&mut self, path: &str) -> anyhow::Result<()> {
        self.send("GET", path, &Value::Null).await.map(drop)
    }

    async fn sign_in(&mut self, account: &Value) -> anyhow::Result<()> {
        let path = "/api/v2/profiles/email-login/";
        self.send("POST", path, account).await?;
        self.get("/api/v2/profiles/status/").await
    }

    async fn sign_out(&mut self) -> anyhow::Result<()> {
        let path = "/api/v2/profiles/logout/v1/validate/";
        self.send("POST", path, &json!({})).await.map(drop)
    }
}

pub(super) async fn stay(visit: Visit) -> anyhow::Result<()> {
    let mut browser = Browser::open(&visit).await?;
    let password = "correct horse battery";
    let email = format!("soak-{}@example.com", visit.word());
    let account = json!({"full_name": "Ada King", "email": email, "password": password,
        "password_repeat": password});
    let path = "/api/v2/profiles/email-registration/";
    browser.send("POST", path, &account).await?;
    for path in ["/api/v2/profiles/status/", "/api/v2/profiles/me/", "/"] {
        browser.get(path).await?;
    }
    let mut device = Device::open(visit.site(), &browser.cookie).await?;
    for _ in 0..ROUNDS {
        // Drops the earlier stream without signing out.
        device = Device::open(visit.site(), &browser.cookie).await?;
        let mut records = Vec::new();
        let places = visit.city().places.iter().cycle();
        for listing in places
            .skip(visit.number.to_le_bytes()[0].into())
            .take(SAVED)
        {
            let body = json!({"listing": listing});
            let record = browser.send("POST", FAVOURITES, &body).await?;
            records.push(record["id"].clone());
        }
        device.receive("\n\n").await?;
        browser.get(FAVOURITES).await?;
        for id in records {
            let path = format!("{FAVOURITES}{id}/");
            browser.send("DELETE", &path, &Value::Null).await?;
        }
        device.receive("\n\n").await?;
        browser.get("/api/v2/profiles/hi/").await?;
    }
    let account = json!({"email": email, "password": password});
    // Half of the readers close their window before they sign out; the others sign in from another browser.
    if visit.number.is_multiple_of(2) {
        drop(device);
        browser.sign_out().await?;
        return browser.sign_in(&account).await;
    }
    browser.sign_out().await?;
    Browser::open(&visit).await?.sign_in(&account).await
}

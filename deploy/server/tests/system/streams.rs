//! `hi/stream/`: other devices receive one device's changes.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};
use testkit::{AT_MOST, until};

use crate::app::{App, Browser, answer};
use crate::site::{Site, journeys};

/// A stream that is read event by event.
pub(crate) struct Stream {
    response: Response,
    read: String,
}

impl Stream {
    pub(crate) async fn open(browser: &Browser) -> Self {
        let response = browser.get("/api/v2/profiles/hi/stream/").await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            read: String::new(),
        }
    }

    /// The next event's data; `None` if the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let data = event
                    .lines()
                    .find_map(|line| line.strip_prefix("data: "))
                    .map(str::to_owned);
                self.read = rest.into();
                if let Some(data) = data {
                    return Some(serde_json::from_str(&data).expect("JSON"));
                }
                continue;
            }
            let chunk = tokio::time::timeout(AT_MOST, self.response.chunk());
            let chunk = chunk.await.expect("an event in time").expect("a stream")?;
            self.read
                .push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
        }
    }
}

pub(crate) async fn another_device_hears_of_a_favourite_and_of_its_removal(app: &Site) {
    let (phone, laptop, stranger) = (app.browser(), app.browser(), app.browser());
    let id = phone.sign_up("stream@example.com").await;
    laptop.sign_in("stream@example.com").await;
    stranger.sign_up("stranger@example.com").await;
    let mut stream = Stream::open(&laptop).await;
    let mut strange = Stream::open(&stranger).await;
    let first = stream.next().await.expect("the state on connecting");
    assert_eq!(
        (&first["id"], &first["last_updates"]["favourites"]),
        (&json!(id), &Value::Null)
    );
    strange.next().await.expect("the state on connecting");

    let (_, made) = answer(
        phone
            .post("/api/v2/favourites/", &json!({"listing": 1}))
            .await,
    )
    .await;
    let change = stream.next().await.expect("the change");
    assert_eq!(change["last_updates"]["favourites"], made["server_time"]);
    let removed = phone
        .delete(&format!("/api/v2/favourites/{}/", made["id"]))
        .await;
    let change = stream.next().await.expect("the change");
    assert_eq!(
        change["last_updates"]["favourites"],
        removed.headers()["x-server-time"].to_str().expect("text")
    );

    // The streamed instant equals the instant that `hi/` returns and that identity stores.
    let asked = laptop.json("/api/v2/profiles/hi/").await;
    assert_eq!(asked["last_updates"], change["last_updates"]);
    until("the profile has the instant", async || {
        let profile = laptop.json("/api/v2/profiles/me/").await;
        (profile["last_updates"] == change["last_updates"]).then_some(())
    })
    .await;
    assert!(strange.read.is_empty(), "a stranger hears nothing");
}

#[tokio::test]
async fn a_browser_has_a_few_streams_and_a_closed_one_makes_room() {
    let app = App::start().await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    let mut streams = Vec::new();
    for _ in 0..4 {
        streams.push(Stream::open(&browser).await);
    }
    let refused = browser.get("/api/v2/profiles/hi/stream/").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    streams.pop();
    until("there is room", async || {
        let answer = browser.get("/api/v2/profiles/hi/stream/").await;
        (answer.status() == StatusCode::OK).then_some(())
    })
    .await;
}

#[tokio::test]
async fn streams_close_when_the_system_stops() {
    let app = App::start().await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    let mut stream = Stream::open(&browser).await;
    stream.next().await.expect("the state on connecting");
    tokio::time::timeout(AT_MOST, app.stop())
        .await
        .expect("it drains");
    assert_eq!(stream.next().await, None);
}

journeys! {
    split too:
    another_device_hears_of_a_favourite_and_of_its_removal,
}

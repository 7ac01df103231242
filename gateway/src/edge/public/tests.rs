use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{body::Body, response::Response};
use chassis::{
    actor::{Actor, with_actor},
    bus::{Handler, Message},
    cache::{InProcessCache, SharedCache},
    call::{deadline, with_deadline},
    clock::SharedClock,
    error::{Code, Fault},
    lifecycle::Lifecycle,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{
    events::v1::{ItemSummary, ItemsChanged, ListingSummary, ListingsChanged},
    exchange, key,
};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_ENCODING, ETAG, VARY},
};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use testkit::clock::ManualClock;
use tokio::sync::Semaphore;

use super::{
    CacheKey, Content, Freshness, PublicCache, PublicRequest, Tag, encoding::Encoding,
    entry::Lookup,
};
use crate::edge::{
    error::ApiError,
    limits::{Limits, READS},
    params::Params,
};

mod flights;
mod reads;
mod replays;
mod votes;

const PATH: &str = "/l/";

/// A cache with a resource that can change and fail.
struct Desk {
    clock: Arc<ManualClock>,
    cache: PublicCache,
    thing: Arc<Thing>,
}

struct Thing {
    word: std::sync::Mutex<Result<&'static str, Code>>,
    computed: AtomicUsize,
    /// Computations wait for a permit of this semaphore.
    gate: Semaphore,
    until: std::sync::Mutex<Option<DateTime<Utc>>>,
}

impl Desk {
    fn new() -> Self {
        Self::with_reads("1000000/s")
    }

    /// Creates a desk with this limit of computed responses per client.
    fn with_reads(rate: &str) -> Self {
        Self::beside(&Arc::new(InProcessCache::new(1 << 20)), rate)
    }

    /// Creates a replica with this shared cache.
    fn beside(shared: &Arc<InProcessCache>, rate: &str) -> Self {
        let clock = ManualClock::shared();
        let life = Lifecycle::new();
        let limits = Limits::with_reads(rate, &(Arc::clone(&clock) as SharedClock));
        Self {
            cache: PublicCache::new(
                Arc::clone(&clock) as SharedClock,
                Arc::clone(shared) as SharedCache,
                limits,
                life,
                1 << 20,
            ),
            clock,
            thing: Arc::new(Thing {
                word: std::sync::Mutex::new(Ok("one")),
                computed: AtomicUsize::new(0),
                gate: Semaphore::new(Semaphore::MAX_PERMITS),
                until: std::sync::Mutex::default(),
            }),
        }
    }

    fn says(&self, word: Result<&'static str, Code>) {
        *self.thing.word.lock().expect("no panic") = word;
    }

    fn computed(&self) -> usize {
        self.thing.computed.load(Ordering::Relaxed)
    }

    async fn ask_for(&self, id: i64, request: &PublicRequest) -> Result<Response, ApiError> {
        self.ask_with(Freshness::Usual, id, request).await
    }

    async fn ask_with(
        &self,
        freshness: Freshness,
        id: i64,
        request: &PublicRequest,
    ) -> Result<Response, ApiError> {
        let key = CacheKey::one(PATH, id, &[Tag::Areas]).tagged(Tag::Listing(id));
        let thing = Arc::clone(&self.thing);
        let compute = async move || {
            thing.computed.fetch_add(1, Ordering::Relaxed);
            let word = *thing.word.lock().expect("no panic");
            let _passed = thing.gate.acquire().await.expect("open");
            let word = word.map_err(|code| Fault::new(code, "it is so"))?;
            let until = *thing.until.lock().expect("no panic");
            Ok(Content::json(&json!({"word": word}))?.until(until))
        };
        self.cache.serve(request, key, freshness, compute).await
    }

    /// Returns the word in the response, or its status.
    async fn ask(&self) -> String {
        match self.ask_for(1, &plain()).await {
            Ok(response) => word_of(response).await,
            Err(error) => error.status().as_str().to_owned(),
        }
    }

    /// Lets background tasks finish.
    async fn settle(&self) {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    async fn hear(&self, key: &str, event: &impl prost::Message) {
        let message = Message {
            id: uuid::Uuid::nil(),
            exchange: exchange::CATALOG.to_owned(),
            key: key.to_owned(),
            payload: event.encode_to_vec().into(),
            traceparent: None,
        };
        self.cache.handle(&message).await.expect("handles");
    }

    async fn hear_of_listings(&self, ids: &[i64]) {
        let listings = ids.iter().map(|id| ListingSummary {
            id: *id,
            ..ListingSummary::default()
        });
        let listings = listings.collect();
        self.hear(key::LISTINGS_CHANGED, &ListingsChanged { listings })
            .await;
    }
}

fn plain() -> PublicRequest {
    PublicRequest {
        query: Params::default(),
        if_none_match: None,
        encoding: Encoding::Identity,
        route: None,
        client: None,
        limit: READS,
    }
}

async fn word_of(response: Response) -> String {
    let bytes = response.into_body().collect().await.expect("a body");
    let body: Value = serde_json::from_slice(&bytes.to_bytes()).expect("JSON");
    assert!(body["server_time"].is_string());
    body["word"].as_str().expect("a word").to_owned()
}

#[tokio::test]
async fn nothing_is_looked_for_only_once_in_a_while() {
    let desk = Desk::new();
    desk.says(Err(Code::NotFound));
    for _ in 0..3 {
        assert_eq!(desk.ask().await, "404");
    }
    assert_eq!(desk.computed(), 1);
    desk.clock.advance(TimeDelta::seconds(5));
    assert_eq!(desk.ask().await, "404");
    assert_eq!(desk.computed(), 2);
    desk.says(Ok("two"));
    assert_eq!(desk.ask().await, "404", "nobody has said that it is there");
    desk.hear_of_listings(&[1]).await;
    assert_eq!(desk.ask().await, "two");
}

#[tokio::test]
async fn an_answer_that_is_asked_for_again_is_encoded_better_and_its_first_tag_stays_known() {
    let desk = Desk::new();
    let ask = async |known: Option<&HeaderValue>| {
        let request = PublicRequest {
            encoding: Encoding::Brotli,
            if_none_match: known.cloned(),
            ..plain()
        };
        desk.ask_for(1, &request).await.expect("answers")
    };
    let tag = |response: &Response| response.headers()[ETAG].clone();
    let first = tag(&ask(None).await);
    assert_eq!(tag(&ask(None).await), first);
    let better = testkit::until("the better encoding", async || {
        let tag = tag(&ask(None).await);
        (tag != first).then_some(tag)
    })
    .await;
    for known in [&first, &better] {
        let answer = ask(Some(known)).await;
        assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(tag(&answer), known);
    }
}

#[tokio::test]
async fn an_aged_answer_is_served_while_one_task_recomputes_it() {
    let desk = Desk::new();
    assert_eq!(desk.ask().await, "one");
    desk.says(Ok("two"));
    desk.clock.advance(TimeDelta::seconds(60));
    assert_eq!(desk.ask().await, "one");
    desk.settle().await;
    assert_eq!(desk.computed(), 1);
    desk.clock.advance(TimeDelta::seconds(1));
    assert_eq!(desk.ask().await, "one");
    assert_eq!(desk.ask().await, "one");
    desk.settle().await;
    assert_eq!(desk.ask().await, "two");
    assert_eq!(desk.computed(), 2);
    desk.says(Ok("three"));
    desk.clock.advance(TimeDelta::seconds(661));
    assert_eq!(desk.ask().await, "three");
}

#[tokio::test]
async fn replicas_answer_with_the_same_bytes_but_for_what_somebody_types() {
    let shared = Arc::new(InProcessCache::new(1 << 20));
    let [one, other] = [(); 2].map(|()| Desk::beside(&shared, "1000000/s"));
    other.clock.advance(TimeDelta::seconds(5));
    for (freshness, id, is_same) in [
        (Freshness::Usual, 1, true),
        (Freshness::Short, 2, true),
        (Freshness::Typed, 3, false),
    ] {
        let mut answers = Vec::new();
        for desk in [&one, &other, &one] {
            let response = desk.ask_with(freshness, id, &plain()).await;
            let body = response.expect("answers").into_body().collect().await;
            answers.push(body.expect("a body").to_bytes());
        }
        assert_eq!(answers[0] == answers[1], is_same, "{freshness:?}");
        assert_eq!(answers[0], answers[2], "{freshness:?}");
    }
}

#[tokio::test]
async fn the_same_content_keeps_its_bytes_and_tag() {
    let desk = Desk::new();
    let first = desk.ask_for(1, &plain()).await.expect("answers");
    desk.clock.advance(TimeDelta::seconds(700));
    let replay = desk.ask_for(1, &plain()).await.expect("answers");
    assert_eq!(desk.computed(), 2);
    assert_eq!(first.headers()[ETAG], replay.headers()[ETAG]);
    let known = PublicRequest {
        if_none_match: first.headers().get(ETAG).cloned(),
        ..plain()
    };
    let not_modified = desk.ask_for(1, &known).await.expect("answers");
    assert_eq!(not_modified.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(not_modified.headers()[VARY], "accept-encoding");
    let brotli = PublicRequest {
        encoding: Encoding::Brotli,
        ..known
    };
    let other = desk.ask_for(1, &brotli).await.expect("answers");
    assert_eq!(other.status(), StatusCode::OK);
    assert_eq!(other.headers()[CONTENT_ENCODING], "br");
}

#[tokio::test]
async fn a_change_drops_what_shows_it_and_nothing_else() {
    let desk = Desk::new();
    assert_eq!(desk.ask().await, "one");
    desk.says(Ok("two"));
    desk.hear_of_listings(&[2, 3]).await;
    let item = ItemSummary {
        id: 1,
        ..ItemSummary::default()
    };
    desk.hear(key::ITEMS_CHANGED, &ItemsChanged { items: vec![item] })
        .await;
    assert_eq!(desk.ask().await, "one");
    desk.hear_of_listings(&[1]).await;
    assert_eq!(desk.ask().await, "two");
    // A change of types or neighbourhoods may affect every place.
    desk.says(Ok("three"));
    desk.hear_of_listings(&[]).await;
    assert_eq!(desk.ask().await, "three");
    desk.says(Ok("four"));
    desk.cache.resumed().await;
    assert_eq!(desk.ask().await, "four");
}

#[tokio::test]
async fn an_answer_computed_during_a_change_is_neither_cached_nor_joined_after_it() {
    let desk = Desk::new();
    let closed = desk.thing.gate.forget_permits(Semaphore::MAX_PERMITS);
    let changing = async {
        desk.settle().await;
        desk.says(Ok("two"));
        desk.hear_of_listings(&[1]).await;
        let opening = async {
            desk.settle().await;
            desk.thing.gate.add_permits(closed);
        };
        tokio::join!(desk.ask(), opening).0
    };
    let (before, after) = tokio::join!(desk.ask(), changing);
    assert_eq!((before.as_str(), after.as_str()), ("one", "two"));
    assert_eq!(desk.ask().await, "two");
    assert_eq!(desk.computed(), 2);
}

#[tokio::test]
async fn without_the_service_the_last_answer_is_served_for_a_day_and_errors_are_not_cached() {
    let desk = Desk::new();
    assert_eq!(desk.ask().await, "one");
    desk.says(Err(Code::Unavailable));
    assert_eq!(
        desk.ask_for(2, &plain()).await.expect_err("cold").status(),
        503
    );
    assert_eq!(
        desk.ask_for(2, &plain()).await.expect_err("cold").status(),
        503
    );
    assert_eq!(desk.computed(), 3);
    desk.clock.advance(TimeDelta::hours(1));
    assert_eq!(desk.ask().await, "one");
    assert_eq!(desk.computed(), 4);
    // Further requests are served from the cache without waiting; the next recomputation is attempted only after a
    // pause.
    assert_eq!(desk.ask().await, "one");
    desk.settle().await;
    assert_eq!(desk.computed(), 4);
    desk.clock.advance(TimeDelta::seconds(3));
    assert_eq!(desk.ask().await, "one");
    desk.settle().await;
    assert_eq!(desk.computed(), 5);
    // The bus was unavailable too, so it has reported no changes.
    desk.cache.resumed().await;
    assert_eq!(desk.ask().await, "one");
    desk.clock.advance(TimeDelta::hours(24));
    assert_eq!(desk.ask().await, "503");
    desk.says(Ok("two"));
    assert_eq!(desk.ask().await, "two");
}

#[tokio::test]
async fn an_answer_that_has_changed_is_never_served() {
    let desk = Desk::new();
    assert_eq!(desk.ask().await, "one");
    desk.says(Err(Code::Unavailable));
    desk.hear_of_listings(&[1]).await;
    assert_eq!(desk.ask().await, "503");
    desk.says(Err(Code::NotFound));
    assert_eq!(desk.ask().await, "404");
    desk.says(Ok("two"));
    desk.clock.advance(TimeDelta::seconds(5));
    assert_eq!(desk.ask().await, "two");
}

#[tokio::test]
async fn an_answer_is_recomputed_at_the_instant_at_which_it_changes() {
    let desk = Desk::new();
    let turn = chassis::clock::Clock::now(&*desk.clock) + TimeDelta::seconds(5);
    *desk.thing.until.lock().expect("no panic") = Some(turn);
    assert_eq!(desk.ask().await, "one");
    desk.says(Ok("two"));
    desk.clock.advance(TimeDelta::seconds(4));
    assert_eq!(desk.ask().await, "one");
    desk.clock.advance(TimeDelta::seconds(1));
    assert_eq!(desk.ask().await, "two");
}

/// A line that was requested before, as the outermost layer sees it.
struct Line(http::uri::PathAndQuery);

impl Line {
    fn new() -> Self {
        Self("/l/1/".parse().expect("a line"))
    }

    /// Requests the line through the routes, as `request`.
    async fn routed(&self, desk: &Desk, request: &PublicRequest) {
        let response = desk.ask_for(1, request).await.expect("answers");
        desk.cache.remember(&self.0, &response);
    }

    /// Replays the line without the routes.
    fn replay(&self, desk: &Desk, headers: &[(http::HeaderName, HeaderValue)]) -> Option<Response> {
        let headers = headers.iter().cloned().collect();
        let replay = desk.cache.replay(&self.0, &headers)?;
        Some(replay.response)
    }

    async fn word(&self, desk: &Desk) -> Option<String> {
        Some(word_of(self.replay(desk, &[])?).await)
    }
}

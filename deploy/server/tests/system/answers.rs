//! The conventions of the API, for every operation that documents them. The requests of these tests are derived from
//! the document, so new operations are tested too.

use std::{collections::HashMap, sync::Arc};

use chassis::clock::SystemClock;
use futures::{StreamExt, future::join_all, stream};
use reqwest::{Body, Method, Response, header};
use serde_json::{Value, json};
use testkit::picture;

use crate::{
    ads,
    app::{App, Browser, PASSWORD, rate, registration},
    contact,
    document::{DOCUMENT, Operation},
    entries, guide, items, newsletters, photos,
    request::Request,
    site::{Site, Split},
    telemetry,
};

pub(crate) const READER: &str = "ada@example.com";
/// An id that no record has.
const NOBODY: u64 = (1 << 53) - 1;

/// The operations whose document lists a status.
fn answering(status: u16) -> impl Iterator<Item = &'static Operation> {
    let operations = DOCUMENT.operations.iter();
    operations.filter(move |operation| operation.answers(status))
}

/// The address of an existing object, by each operation's path.
pub(crate) struct City(HashMap<&'static str, String>);

impl City {
    /// Publishes an object of every kind and reads their ids.
    pub(crate) async fn publish(site: &Site, browser: &Browser) -> Self {
        items::publish(site.settings(), items::output()).await;
        guide::publish_more(site).await;
        let mut ids = HashMap::new();
        for list in ["listings", "articles", "events", "contests", "videos"] {
            let found = browser.json(&format!("/api/v2/{list}/?limit=1")).await;
            ids.insert(list, found["results"][0]["id"].to_string());
        }
        let photo = photos::publish(site, 1).await;
        ids.insert("photos", photo.to_string());
        let issue = newsletters::publish(site).await;
        ids.insert("newsletters", issue.to_string());
        Self(ids)
    }

    pub(crate) fn address(&self, operation: &Operation) -> String {
        let kind = operation.path.split('/').nth(3).unwrap_or_default();
        let id = self.0.get(kind).map_or("1", String::as_str);
        let slug = match kind {
            "neighbourhoods" => "west-end",
            "best-of-lists" => "benches",
            _ => "privacy",
        };
        let path = operation.path.replace("{id}", id);
        let path = path.replace("{slug}", slug).replace("{token}", "none");
        path.replace("{provider}", "generic")
    }

    /// Returns the operation's path with the required query.
    pub(crate) fn path(&self, operation: &Operation) -> String {
        let path = self.address(operation);
        if path.ends_with("/resolve/") {
            return format!("{path}?path=/restaurants/");
        }
        if path.ends_with("/ads/") {
            return format!("{path}?page=home&screen=large");
        }
        if path.ends_with("/suggest/") {
            // No cached name begins with this text, so gateways call editorial.
            return format!("{path}?q=xylophone");
        }
        path
    }
}

/// A body that an operation accepts.
pub(crate) fn body(operation: &Operation) -> Value {
    match operation.path.as_str() {
        "/api/v2/favourites/" | "/api/v2/todos/" => json!({"listing": 1}),
        "/api/v2/ratings/" => json!({"listing": 1, "rating": 4}),
        "/api/v2/ratings/{id}/" => json!({"rating": 4}),
        "/api/v2/todos/{id}/" => json!({"is_done": true}),
        "/api/v2/article-bookmarks/" | "/api/v2/event-bookmarks/" => json!({"object_id": 1}),
        "/api/v2/video-bookmarks/" => json!({"video": 1}),
        "/api/v2/profiles/email-login/" => json!({"email": READER, "password": PASSWORD}),
        "/api/v2/profiles/email-registration/" => registration("grace@example.com"),
        // This body is refused, so that the reader's account remains for the following operations.
        "/api/v2/profiles/me/" if operation.method == Method::DELETE => {
            json!({"current_password": "not the one"})
        }
        "/api/v2/profiles/me/" if operation.method == Method::PUT => {
            json!({"calendar_sync": true})
        }
        "/api/v2/profiles/me/" => json!({"full_name": "Ada King"}),
        "/api/v2/profiles/me/password/" => {
            json!({"current_password": PASSWORD, "new_password": "a streetcar in October"})
        }
        "/api/v2/profiles/reset-password/" => json!({"email": READER}),
        "/api/v2/profiles/reset-password/confirm/" => {
            json!({"token": "none", "new_password": "a streetcar in October"})
        }
        "/api/v2/profiles/passkeys/options/" | "/api/v2/profiles/passkeys/" => {
            json!({"for": "sign-in", "ceremony": "none", "credential": {}})
        }
        "/api/v2/profiles/facebook/v1/validate/" => json!({"fb_token": "none", "user_id": "1"}),
        "/api/v2/profiles/facebook/deletion/" => json!({"signed_request": "none"}),
        "/api/v2/profiles/confirm-email/" | "/api/v2/profiles/reset-password/check/" => {
            json!({"token": "none"})
        }
        "/api/v2/profiles/me/consent/" => json!({"choice": "needed"}),
        "/api/v2/profiles/me/takeout/save/" => json!({"listings": [1], "kind": "favourites"}),
        "/api/v2/contests/{id}/entries/" => entries::entry(READER),
        "/api/v2/photos/{id}/report/" => json!({"reason": "other"}),
        "/api/v2/ads/events/" => ads::event(),
        "/api/v2/telemetry/" => telemetry::view(),
        "/api/v2/contact/" => contact::message("Hello"),
        "/api/v2/profiles/guest-newsletters/" => json!({"email": READER, "type": "news"}),
        "/api/v2/newsletters/confirm/{token}/" => json!({}),
        "/api/v2/newsletters/preferences/{token}/" => json!({"news": true}),
        "/api/v2/newsletters/webhooks/{provider}/" => {
            json!({"events": [{"type": "bounce", "email": "nobody@example.com"}]})
        }
        path => panic!("give {path} a body, so that its conventions are tested"),
    }
}

/// A form for an operation, with a file.
pub(crate) fn form(operation: &Operation, texts: &[(&str, &str)], file: &[u8]) -> photos::Form {
    let named = if is_of_places(operation) {
        ("file", "list.csv")
    } else {
        ("image", "a.jpg")
    };
    photos::form_with(texts, named, file)
}

/// Whether an upload contains places, not a picture.
fn is_of_places(operation: &Operation) -> bool {
    operation.path.ends_with("/takeout/")
}

/// Whether an operation may be called from any origin (RFC 8058).
pub(crate) fn is_one_click(operation: &Operation) -> bool {
    operation
        .path
        .starts_with("/api/v2/newsletters/unsubscribe/")
}

pub(crate) fn request(browser: &Browser, operation: &Operation, path: &str) -> Request {
    let request = browser.request(operation.method.clone(), path);
    if operation.is_upload {
        let file = if is_of_places(operation) {
            b"Title,Note,URL\nPlace 01,,\n".to_vec()
        } else {
            picture::jpeg(64, 64, 1)
        };
        form(operation, &[("listing", "1")], &file).send_with(request)
    } else if operation.path.contains("/webhooks/") {
        let body = body(operation).to_string();
        let request = request.header("x-cityguide-signature", newsletters::signature(&body));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        request.body(body)
    } else if operation.takes_a_body {
        request.json(&body(operation))
    } else {
        request
    }
}

async fn ask(browser: &Browser, operation: &Operation, path: &str) -> Response {
    let request = request(browser, operation, path);
    request.send().await.expect("answers")
}

fn assert_status(answer: &Response, expected: u16, operation: &Operation) {
    let Operation { method, path, .. } = operation;
    assert_eq!(answer.status().as_u16(), expected, "{method} {path}");
}

#[tokio::test]
async fn a_guest_is_told_to_sign_in_wherever_that_is_asked_for() {
    let app = App::start().await;
    for operation in answering(401) {
        let answer = ask(
            &app.browser(),
            operation,
            &operation.path.replace("{id}", "1"),
        )
        .await;
        assert_status(&answer, 401, operation);
    }
}

#[tokio::test]
async fn what_a_page_may_not_ask_for_is_forbidden() {
    let app = App::start().await;
    let browser = app.browser();
    for operation in answering(403) {
        // Both reasons for a 403 apply: a request from another site's page, and a reader without confirmed age.
        let path = operation.path.replace("{id}", "1");
        let request = request(&browser, operation, &path).header("sec-fetch-site", "cross-site");
        let answer = request.send().await.expect("answers");
        assert_status(&answer, 403, operation);
    }
    let unsafe_ones = DOCUMENT
        .operations
        .iter()
        .filter(|one| one.method != Method::GET && !is_one_click(one));
    for operation in unsafe_ones {
        assert!(
            operation.answers(403),
            "{} says nothing of it",
            operation.path
        );
    }
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let app = App::start().await;
    let browser = app.browser();
    browser.sign_up(READER).await;
    for operation in answering(404) {
        let path = operation.path.replace("{id}", &NOBODY.to_string());
        let path = match path.replace("{slug}", "nothing") {
            path if path.ends_with("/ads/") => ads::PAGE.to_owned(),
            path if path.ends_with("/resolve/") => format!("{path}?path=/nothing/"),
            path => path,
        };
        let request = request(&browser, operation, &path).header("x-of-legal-age", "1");
        let answer = request.send().await.expect("answers");
        assert_status(&answer, 404, operation);
    }
    let by_name = DOCUMENT
        .operations
        .iter()
        .filter(|one| one.path.contains('{'));
    for operation in by_name {
        assert!(
            operation.answers(404),
            "{} says nothing of it",
            operation.path
        );
    }
}

#[tokio::test]
async fn what_cannot_be_is_invalid() {
    let site = Site::Whole(App::start().await);
    let browser = site.browser();
    let city = City::publish(&site, &browser).await;
    browser.sign_up(READER).await;
    // Refusals of removals without a body are tested with each resource.
    let is_tested = |one: &&Operation| one.takes_a_body || one.method == Method::GET;
    for operation in answering(400).filter(is_tested) {
        let path = city.address(operation);
        let request = browser.request(operation.method.clone(), &path);
        let request = if operation.is_upload {
            form(operation, &[("listing", "one")], b"").send_with(request)
        } else if operation.takes_a_body {
            request.json(&json!({"listing": "one", "email": 1, "refuse": 1, "news": 1}))
        } else {
            browser.request(
                Method::GET,
                &format!("{path}?limit=x&path=&include=x&next_url=/&next_url=/&q=&q="),
            )
        };
        let answer = request.send().await.expect("answers");
        assert_status(&answer, 400, operation);
    }
}

#[tokio::test]
async fn a_body_is_json_of_a_bounded_size() {
    let app = App::start().await;
    let browser = app.browser();
    browser.sign_up(READER).await;
    let send = async |operation: &Operation, form: &str, body: String| {
        let path = operation.path.replace("{id}", "1");
        let request = browser.request(operation.method.clone(), &path);
        let request = request.header(header::CONTENT_TYPE, form).body(body);
        request.send().await.expect("answers")
    };
    for operation in DOCUMENT.operations.iter().filter(|one| one.takes_a_body) {
        let answer = send(operation, "text/html", "{}".to_owned()).await;
        assert_status(&answer, 415, operation);
        // Amazon sends its signed reports with a text content type.
        if !operation.path.contains("/webhooks/") {
            let answer = send(operation, "text/plain", "{}".to_owned()).await;
            assert_status(&answer, 415, operation);
        }
        if operation.is_upload {
            let long = form(operation, &[("listing", "1")], &vec![0; (25 << 20) + 1]);
            let path = operation.path.replace("{id}", "1");
            let request = long.send_with(browser.request(operation.method.clone(), &path));
            assert_status(&request.send().await.expect("answers"), 413, operation);
            continue;
        }
        let long = format!("{{\"x\": \"{}\"}}", "a".repeat(70_000));
        let answer = send(operation, "application/json", long).await;
        assert_status(&answer, 413, operation);
    }
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.http.upload_stall_seconds = 2;
    })
    .await;
    let browser = app.browser();
    browser.sign_up(READER).await;
    let with_body = DOCUMENT.operations.iter().filter(|one| one.takes_a_body);
    let sending = with_body.map(async |operation| {
        let path = operation.path.replace("{id}", "1");
        let (form, begin) = if operation.is_upload {
            form(operation, &[], b"").begun()
        } else {
            ("application/json".to_owned(), "{\"listing\": ".to_owned())
        };
        let begin = stream::iter([Ok::<_, std::io::Error>(begin)]);
        let body = Body::wrap_stream(begin.chain(stream::pending()));
        let request = browser
            .request(operation.method.clone(), &path)
            .header(header::CONTENT_TYPE, form)
            .body(body);
        (operation, request.send().await.expect("answers"))
    });
    for (operation, answer) in join_all(sending).await {
        assert_status(&answer, 408, operation);
    }
}

#[tokio::test]
async fn what_a_client_has_already_is_not_sent_again() {
    let site = Site::Whole(App::start().await);
    let browser = site.browser();
    let city = City::publish(&site, &browser).await;
    for operation in answering(304) {
        let path = city.path(operation);
        let first = ask(&browser, operation, &path).await;
        assert_status(&first, 200, operation);
        let tag = &first.headers()[header::ETAG];
        let again = request(&browser, operation, &path).header("if-none-match", tag);
        let again = again.send().await.expect("answers");
        assert_status(&again, 304, operation);
        assert_eq!(&again.headers()[header::ETAG], tag);
    }
}

#[tokio::test]
async fn who_is_of_age_is_answered_whatever_is_restricted() {
    let site = Site::Whole(App::start().await);
    let browser = site.browser();
    let city = City::publish(&site, &browser).await;
    let operations = DOCUMENT.operations.iter();
    for operation in operations.filter(|one| one.path.ends_with("/gated/")) {
        let request = request(&browser, operation, &city.path(operation));
        let answer = request.header("x-of-legal-age", "1").send().await;
        assert_status(&answer.expect("answers"), 200, operation);
    }
}

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        let limits = &mut settings.limits;
        (limits.sign_in, limits.registration) = (rate("1/h"), rate("1/h"));
        (limits.writes, limits.contact) = (rate("1/h"), rate("1/h"));
        (limits.mailed_links, limits.reads) = (rate("1/h"), rate("1/h"));
        (limits.exports, limits.uploads) = (rate("1/h"), rate("1/h"));
        (limits.takeouts, limits.ad_events) = (rate("1/h"), rate("1/h"));
        (limits.guest_newsletters, limits.searches) = (rate("1/h"), rate("1/h"));
        (limits.entries, limits.ads) = (rate("1/h"), rate("1/h"));
        limits.telemetry = rate("1/h");
    })
    .await;
    let browser = app.browser();
    browser.sign_up(READER).await;
    // All searches share one limit, and all other public responses share another.
    browser.json("/api/v2/search/?q=park").await;
    browser.json("/api/v2/listings/?limit=7").await;
    for operation in answering(429) {
        let path = operation.path.replace("{id}", "1");
        let path = match path.replace("{slug}", "nothing") {
            path if path.ends_with("/ads/") => ads::PAGE.to_owned(),
            path if path.ends_with("/resolve/") => format!("{path}?path=/nothing/"),
            path => path,
        };
        // Streams are limited by the number of open streams, all other calls by their rate.
        let (most, headers): (_, &[_]) = if path.ends_with("/stream/") {
            (4, &["retry-after"])
        } else if operation.method == Method::GET {
            (1, &["retry-after"])
        } else {
            (1, &["retry-after", "ratelimit", "ratelimit-policy"])
        };
        let ask = async || {
            let request = request(&browser, operation, &path).header("x-of-legal-age", "1");
            request.send().await.expect("answers")
        };
        let mut open = Vec::new();
        for _ in 0..most {
            open.push(ask().await);
        }
        let answer = ask().await;
        assert_status(&answer, 429, operation);
        for &name in headers {
            assert!(answer.headers().contains_key(name), "{path}: {name}");
        }
    }
    let reads = DOCUMENT.operations.iter();
    // Documents of ads are served from memory.
    let unlimited = reads.filter(|one| one.method == Method::GET && !one.answers(429));
    let unlimited: Vec<_> = unlimited.map(|one| one.path.as_str()).collect();
    assert_eq!(unlimited, ["/api/v2/ads/creatives/{id}/"]);
    for path in [
        "/calendar/0123456789012345678901234567890123456789012.ics",
        "/media/0123456789abcdef0123456789abcdef.png",
        "/newsletters/issues/",
        "/newsletters/issues/1/",
        "/newsletters/issues/1/1/",
        "/newsletters/confirm/none/",
        "/newsletters/preferences/none/",
        "/newsletters/unsubscribe/none/",
        "/ads/previews/none/",
        "/ads/previews/none/creative/",
    ] {
        assert_eq!(browser.get(path).await.status(), 429, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_servers_behind_it_every_call_that_needs_one_says_when_to_come_back() {
    let (split, faults) = Split::start_among_faults().await;
    let site = Site::Split(split);
    let (guest, reader) = (site.browser(), site.browser());
    // The other gateway caches public responses that the reader's gateway does not.
    let city = City::publish(&site, &guest).await;
    reader.sign_up(READER).await;
    faults.database.cut();
    faults.cache.cut();
    let asking = answering(503).map(async |operation| {
        let request = request(&reader, operation, &city.path(operation));
        let answer = request.header("x-of-legal-age", "1").send();
        (operation, answer.await.expect("answers"))
    });
    for (operation, answer) in join_all(asking).await {
        assert_status(&answer, 503, operation);
        let wait = answer.headers()[header::RETRY_AFTER]
            .to_str()
            .expect("text");
        assert!(wait.parse::<u64>().is_ok(), "{wait}");
    }
}

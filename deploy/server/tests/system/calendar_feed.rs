//! Saved events as a private feed, which calendar programs fetch without a session.

use editorial_proto::v1::Kind;
use http::header::{ETAG, IF_NONE_MATCH};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::{
    app::{Browser, answer},
    items,
    site::{Site, journeys},
};

const FEED: &str = "/api/v2/profiles/me/calendar-feed/";

/// Creates the feed, or replaces its address; returns the path.
async fn make(browser: &Browser) -> String {
    let (status, made) = answer(browser.post(FEED, &json!({})).await).await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(browser.json(FEED).await, made, "it is shown again");
    path(&made)
}

fn path(feed: &Value) -> String {
    let url = feed["url"].as_str().expect("an address");
    let at = url.find("/calendar/").expect("a feed");
    url[at..].to_owned()
}

async fn fetch(site: &Site, path: &str) -> Response {
    // A calendar program has no cookies.
    site.browser().get(path).await
}

async fn save(browser: &Browser, path: &str) {
    let id = items::id_at(browser, path).await;
    let body = json!({"object_id": id});
    let (status, saved) = answer(browser.post("/api/v2/event-bookmarks/", &body).await).await;
    assert_eq!(status, 201, "{saved}");
}

async fn a_calendar_follows_what_a_reader_saves_without_a_session(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    let ada = site.browser();
    ada.sign_up("ada@example.com").await;
    let off = json!({"url": null, "date_created": null});
    assert_eq!(ada.json(FEED).await, off);
    let path = make(&ada).await;

    let empty = fetch(site, &path).await;
    assert_eq!(empty.status(), StatusCode::OK);
    let headers = empty.headers().clone();
    assert_eq!(headers["content-type"], "text/calendar; charset=utf-8");
    assert_eq!(headers["cache-control"], "private, no-cache");
    assert_eq!(headers["x-robots-tag"], "noindex");
    assert!(!headers.contains_key("set-cookie"));
    let text = empty.text().await.expect("a text");
    assert!(
        text.contains("REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n"),
        "{text}"
    );
    assert!(!text.contains("VEVENT"), "{text}");

    save(&ada, "/events/market/").await;
    let filled = fetch(site, &path).await;
    let tag = filled.headers()[ETAG].clone();
    assert_ne!(tag, headers[ETAG]);
    let text = filled.text().await.expect("a text");
    for line in [
        "SUMMARY:MARKET\r\n",
        "DTSTART;TZID=America/Toronto:20260104T090000\r\n",
        "RRULE:FREQ=WEEKLY;BYDAY=SU\r\n",
        "BEGIN:VTIMEZONE\r\nTZID:America/Toronto\r\n",
        "SEQUENCE:0\r\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("STATUS:"), "{text}");
    let again = site.browser().request(Method::GET, &path);
    let again = again.header(IF_NONE_MATCH, tag).send().await;
    let again = again.expect("answers");
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);

    // The publisher removes the event from the site: the feed marks it as cancelled.
    let mut market = items::output()
        .into_iter()
        .find(|item| item.kind() == Kind::Event);
    let market = market.as_mut().expect("an event");
    market.unpublished_at = Some(items::at("2026-01-02T00:00:00Z"));
    items::publish(site.settings(), vec![market.clone()]).await;
    let text = fetch(site, &path).await.text().await.expect("a text");
    for line in [
        "SUMMARY:MARKET\r\n",
        "STATUS:CANCELLED\r\n",
        "SEQUENCE:1\r\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(
        !text.contains("URL:") && !text.contains("DESCRIPTION:"),
        "{text}"
    );
}

async fn an_address_stops_working_when_there_is_another_or_the_feed_is_off(site: &Site) {
    let ada = site.browser();
    ada.sign_up("ada@example.com").await;
    let first = make(&ada).await;
    let second = make(&ada).await;
    assert_eq!(fetch(site, &first).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(fetch(site, &second).await.status(), StatusCode::OK);
    for _ in 0..2 {
        let ended = ada.request(Method::DELETE, FEED).send().await;
        assert_eq!(ended.expect("answers").status(), StatusCode::NO_CONTENT);
        assert_eq!(fetch(site, &second).await.status(), StatusCode::NOT_FOUND);
    }
    for none in [
        "/calendar/.ics",
        "/calendar/x.ics",
        "/calendar/%00.ics",
        &second.replace(".ics", ".txt"),
        &format!("/calendar/{}.ics", "a".repeat(43)),
        &format!("/calendar/{}.ics", "a".repeat(4300)),
    ] {
        assert_eq!(
            fetch(site, none).await.status(),
            StatusCode::NOT_FOUND,
            "{none}"
        );
    }
}

journeys! {
    a_calendar_follows_what_a_reader_saves_without_a_session,
    an_address_stops_working_when_there_is_another_or_the_feed_is_off,
}

//! Articles, events, contests, videos and pages over HTTP.

use std::{sync::Arc, time::Duration};

use chassis::{
    call::{Call, Caller},
    clock::{Clock, SystemClock},
    instant,
};
use chrono::{DateTime, Utc};
use cityguide::{Settings, System, Target};
use cityguide_proto::intake::v1::Finish;
use editorial_proto::v1::{
    Contest, Event, ImportItem, ImportRequest, Kind, Video, editorial_client::EditorialClient,
    import_item::Detail, import_request::Item,
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use testkit::until;

use crate::{
    app::{Browser, answer},
    site::{Site, journeys},
};

pub(crate) fn at(text: &str) -> prost_types::Timestamp {
    let at: DateTime<Utc> = text.parse().expect("an instant");
    instant::to_proto(at)
}

pub(crate) fn item(kind: Kind, section: &str, slug: &str, day: u32) -> ImportItem {
    ImportItem {
        source_id: format!("test:{section}/{slug}"),
        kind: kind.into(),
        section: section.to_owned(),
        slug: slug.to_owned(),
        name: slug.to_uppercase(),
        excerpt: format!("About {slug}."),
        body_markdown: format!("All of *{slug}*."),
        published_at: Some(at(&format!("2026-01-{day:02}T03:00:00Z"))),
        authors: vec!["Ada King".to_owned()],
        ..ImportItem::default()
    }
}

/// A newsroom's output: three articles, one of them age-restricted, and one item of each other kind.
pub(crate) fn output() -> Vec<ImportItem> {
    let mut secret = item(Kind::Article, "news", "leaf", 3);
    secret.is_age_restricted = true;
    secret.image_url = Some("/media/leaf.jpg".to_owned());
    let mut moved = item(Kind::Article, "culture", "tram", 2);
    moved.moved_from = vec!["/news/tram/".to_owned()];
    let mut market = item(Kind::Event, "", "market", 1);
    market.detail = Some(Detail::Event(Event {
        zone: "Canada/Eastern".to_owned(),
        starts_local: "2026-01-04T09:00:00".to_owned(),
        ends_local: "2026-01-04T14:00:00".to_owned(),
        recurrence: "FREQ=WEEKLY;BYDAY=SU".to_owned(),
        category: "market".to_owned(),
        is_free: true,
        ..Event::default()
    }));
    let mut canoe = item(Kind::Contest, "", "canoe", 1);
    canoe.detail = Some(Detail::Contest(Contest {
        opens_at: Some(at("2026-01-01T00:00:00Z")),
        closes_at: Some(at("2026-01-31T00:00:00Z")),
        question: "Which river?".to_owned(),
        rules: "One each.".to_owned(),
        ..Contest::default()
    }));
    let mut ferry = item(Kind::Video, "", "ferry", 1);
    ferry.detail = Some(Detail::Video(Video {
        url: "https://video.example/ferry".to_owned(),
        duration_seconds: 90,
    }));
    let mut privacy = item(Kind::Page, "", "privacy", 1);
    "Words.".clone_into(&mut privacy.body_markdown);
    let news = item(Kind::Article, "news", "bridge", 1);
    vec![secret, moved, news, market, canoe, ferry, privacy]
}

/// Publishes items with the call that the publishing command makes, while the system runs.
pub(crate) async fn publish(settings: &Settings, items: Vec<ImportItem>) {
    let system = System::create(settings, Target::ALL, Arc::new(SystemClock))
        .await
        .expect("connects");
    let editorial = system.transport(Target::Editorial).expect("is here");
    let finish = Item::Finish(Finish {
        dry_run: false,
        all_or_nothing: true,
        ..Finish::default()
    });
    let items = items.into_iter().map(Item::Content).chain([finish]);
    let messages: Vec<_> = items
        .map(|item| ImportRequest { item: Some(item) })
        .collect();
    let call = Call::new(Caller::Operator, Duration::from_secs(10));
    let report = EditorialClient::new(editorial)
        .import(call.request(futures::stream::iter(messages)))
        .await
        .expect("imports")
        .into_inner();
    assert!(report.applied, "{report:?}");
}

fn names(list: &Value) -> Vec<&str> {
    let results = list["results"].as_array().expect("results");
    results
        .iter()
        .filter_map(|item| item["name"].as_str())
        .collect()
}

/// The id of the object at a page's path.
pub(crate) async fn id_at(browser: &Browser, path: &str) -> i64 {
    let found = browser.json(&format!("/api/v2/resolve/?path={path}")).await;
    found["id"].as_i64().expect("an id")
}

async fn status(browser: &Browser, path: &str) -> u16 {
    browser.get(path).await.status().as_u16()
}

async fn articles_are_listed_by_section_author_and_day_with_or_without_their_text(site: &Site) {
    publish(site.settings(), output()).await;
    let browser = site.browser();
    let all = browser.json("/api/v2/articles/").await;
    assert_eq!(names(&all), ["LEAF", "TRAM", "BRIDGE"]);
    assert_eq!(all["count"], 3);
    let bridge = &all["results"][2];
    assert_eq!(bridge["share_url"], "/news/bridge/");
    assert_eq!(bridge["section"]["share_url"], "/news/");
    assert_eq!(bridge["date_created"], "2026-01-01T03:00:00.000Z");
    assert!(bridge.get("body").is_none());
    let news = browser
        .json("/api/v2/articles/?section=news&bundle_type=full")
        .await;
    assert_eq!(
        (names(&news), &news["count"]),
        (vec!["LEAF", "BRIDGE"], &json!(2))
    );
    assert_eq!(
        news["results"][1]["body"],
        "<p>All of <em>bridge</em>.</p>\n"
    );
    // Three in the morning UTC is the evening before in the city.
    let day = "/api/v2/articles/?from=2026-01-01&to=2026-01-02";
    assert_eq!(names(&browser.json(day).await), ["TRAM"]);
    let by = browser
        .json("/api/v2/articles/?author=ada-king&limit=1")
        .await;
    assert_eq!((names(&by), &by["count"]), (vec!["LEAF"], &json!(-1)));
    let next = by["next"].as_str().expect("a next page");
    assert_eq!(names(&browser.json(next).await), ["TRAM"]);
    let months = browser.json("/api/v2/archives/").await;
    assert_eq!(
        months["results"],
        json!([
            {"year": 2026, "month": 1, "name": "January", "count": 2},
            {"year": 2025, "month": 12, "name": "December", "count": 1},
        ])
    );
    for wrong in [
        "section=No",
        "bundle_type=half",
        "from=tomorrow",
        "ordering=body_html",
    ] {
        let (status, body) = answer(browser.get(&format!("/api/v2/articles/?{wrong}")).await).await;
        let field = wrong.split('=').next().expect("a field");
        assert_eq!(status, 400, "{wrong}");
        assert!(body[field].is_array(), "{wrong}: {body}");
    }
}

async fn events_contests_videos_and_pages_answer_what_they_are(site: &Site) {
    publish(site.settings(), output()).await;
    let browser = site.browser();
    let events = browser.json("/api/v2/events/?category=market&free=1").await;
    let market = &events["results"][0];
    assert_eq!(market["timezone"], "America/Toronto");
    assert!(market["starts_at"].as_str().expect("a start") > "2026-01-04");
    let whole = browser
        .json(&format!("/api/v2/events/{}/", market["id"]))
        .await;
    assert!(whole["occurrences"].as_array().expect("occurrences").len() > 10);
    let window = "/api/v2/events/?from=2026-11-01&to=2026-11-02";
    let autumn = browser.json(window).await;
    assert!(names(&autumn).len() <= 1);
    let contest = browser.json("/api/v2/contests/").await["results"][0].clone();
    assert_eq!(
        (&contest["has_closed"], &contest["question"]),
        (&json!(true), &json!("Which river?"))
    );
    let video = browser.json("/api/v2/videos/").await["results"][0].clone();
    assert_eq!(
        (&video["duration_seconds"], &video["source_url"]),
        (&json!(90), &json!("https://video.example/ferry"))
    );
    let page = browser.json("/api/v2/pages/privacy/").await;
    assert_eq!(page["body"], "<p>Words.</p>\n");
    // The id of an item is not valid for another kind.
    let id = &video["id"];
    for (path, expected) in [
        (format!("/api/v2/videos/{id}/"), 200),
        (format!("/api/v2/contests/{id}/"), 404),
        (format!("/api/v2/articles/{id}/"), 404),
        ("/api/v2/pages/nothing/".to_owned(), 404),
        ("/api/v2/pages/%00/".to_owned(), 404),
        ("/api/v2/pages/%ff/".to_owned(), 404),
        ("/api/v2/articles/0/".to_owned(), 404),
    ] {
        assert_eq!(status(&browser, &path).await, expected, "{path}");
    }
}

async fn an_event_is_a_file_for_calendars_through_the_public_cache(site: &Site) {
    let mut items = output();
    items.push(ImportItem {
        source_id: "test:tasting".to_owned(),
        slug: "tasting".to_owned(),
        excerpt: "The secret menu.".to_owned(),
        is_age_restricted: true,
        ..items[3].clone()
    });
    publish(site.settings(), items).await;
    let browser = site.browser();
    let market = id_at(&browser, "/events/market/").await;
    let path = format!("/api/v2/events/{market}.ics");
    let response = browser.get(&path).await;
    assert_eq!(response.status(), StatusCode::OK);
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(header("content-type"), "text/calendar; charset=utf-8");
    let name = "attachment; filename=\"market.ics\"";
    assert_eq!(header("content-disposition"), name);
    let caching = "public, max-age=0, s-maxage=60, stale-while-revalidate=600";
    assert_eq!(header("cache-control"), caching);
    let tag = header("etag");
    let text = response.text().await.expect("a body");
    for line in [
        format!("UID:event-{market}@guide.test"),
        "SEQUENCE:0".to_owned(),
        "DTSTART;TZID=America/Toronto:20260104T090000".to_owned(),
        "RRULE:FREQ=WEEKLY;BYDAY=SU".to_owned(),
        "SUMMARY:MARKET".to_owned(),
        "DESCRIPTION:About market.".to_owned(),
        "URL:http://guide.test/events/market/".to_owned(),
    ] {
        assert!(text.contains(&format!("\r\n{line}\r\n")), "{line}: {text}");
    }
    // Both gateways recognise the file by its entity tag.
    for browser in [&browser, &site.browser()] {
        let again = browser.request(Method::GET, &path);
        let again = again.header("if-none-match", &tag).send().await;
        assert_eq!(again.expect("answers").status(), StatusCode::NOT_MODIFIED);
    }
    let tasting = id_at(&browser, "/events/tasting/").await;
    let gated = browser.get(&format!("/api/v2/events/{tasting}.ics")).await;
    let gated = gated.text().await.expect("a body");
    assert!(gated.contains("SUMMARY:MARKET") && !gated.contains("secret"));

    let contest = id_at(&browser, "/contests/canoe/").await.to_string();
    for wrong in [&contest, "0", "7x", "", "9007199254740991", "%00"] {
        let path = format!("/api/v2/events/{wrong}.ics");
        assert_eq!(status(&browser, &path).await, 404, "{path}");
    }
    assert_eq!(status(&browser, &format!("{path}/")).await, 404);
}

async fn a_path_resolves_to_what_stands_there_or_has_moved(site: &Site) {
    publish(site.settings(), output()).await;
    let browser = site.browser();
    for (path, kind) in [
        ("/culture/tram/", "article"),
        ("/events/market/", "event"),
        ("/contests/canoe/", "contest"),
        ("/videos/ferry/", "video"),
        ("/privacy/", "page"),
        ("/restaurants/", "listing-type"),
    ] {
        let found = browser.json(&format!("/api/v2/resolve/?path={path}")).await;
        assert_eq!(
            (&found["kind"], &found["canonical"]),
            (&json!(kind), &json!(path))
        );
        assert!(found.get("moved_to").is_none());
    }
    let moved = browser.json("/api/v2/resolve/?path=/news/tram").await;
    assert_eq!(moved["moved_to"], "/culture/tram/");
    assert_eq!(
        status(&browser, "/api/v2/resolve/?path=/news/nothing/").await,
        404
    );
}

async fn what_is_age_restricted_is_in_no_answer_for_everyone(site: &Site) {
    publish(site.settings(), output()).await;
    let browser = site.browser();
    let id = browser.json("/api/v2/articles/").await["results"][0]["id"].clone();
    let one = format!("/api/v2/articles/{id}/");
    for path in [
        "/api/v2/articles/?bundle_type=full",
        "/api/v2/articles/",
        &one,
    ] {
        let text = browser.get(path).await.text().await.expect("a body");
        assert!(text.contains("LEAF"), "{path}");
        for secret in ["All of <em>leaf", "About leaf", "leaf.jpg"] {
            assert!(!text.contains(secret), "{path}: {secret}");
        }
    }
    let gated = format!("{one}gated/");
    let ask = async |name: &str, value: &str| {
        let request = browser.request(Method::GET, &gated).header(name, value);
        request.send().await.expect("answers")
    };
    for (name, value) in [
        ("accept", "*/*"),
        ("cookie", "is_user_over_18=false"),
        ("cookie", "is_user_over_18=yes"),
        ("x-of-legal-age", "0"),
    ] {
        let refused = ask(name, value).await;
        assert_eq!(refused.status(), StatusCode::FORBIDDEN, "{name}: {value}");
    }
    for (name, value) in [("cookie", "is_user_over_18=true"), ("x-of-legal-age", "1")] {
        let shown = ask(name, value).await;
        assert_eq!(shown.headers()["cache-control"], "private, no-store");
        assert!(!shown.headers().contains_key("etag"));
        let article: Value = shown.json().await.expect("JSON");
        assert_eq!(article["body"], "<p>All of <em>leaf</em>.</p>\n");
        assert_eq!(article["image_url"], "/media/leaf.jpg");
    }
}

async fn a_scheduled_article_appears_by_itself_through_every_gateway(site: &Site) {
    let mut soon = item(Kind::Article, "news", "soon", 1);
    let published_at = SystemClock.now() + Duration::from_secs(4);
    soon.published_at = Some(instant::to_proto(published_at));
    publish(site.settings(), vec![soon]).await;
    let browsers = [site.browser(), site.browser()];
    for browser in &browsers {
        let list = browser.json("/api/v2/articles/").await;
        let early = names(&list);
        assert!(
            early.is_empty() || SystemClock.now() >= published_at,
            "{early:?}"
        );
    }
    for browser in &browsers {
        until("it is published", async || {
            let list = browser.json("/api/v2/articles/").await;
            (names(&list) == ["SOON"] && list["count"] == 1).then_some(())
        })
        .await;
    }
}

journeys! {
    articles_are_listed_by_section_author_and_day_with_or_without_their_text,
    events_contests_videos_and_pages_answer_what_they_are,
    an_event_is_a_file_for_calendars_through_the_public_cache,
    a_path_resolves_to_what_stands_there_or_has_moved,
    what_is_age_restricted_is_in_no_answer_for_everyone;
    split too:
    a_scheduled_article_appears_by_itself_through_every_gateway,
}

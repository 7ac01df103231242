//! `robots.txt`, `security.txt`, sitemaps and RSS. Third-party parsers read the sitemaps and RSS.

use std::{collections::BTreeMap, fs, sync::Arc};

use chassis::{
    clock::{Clock, SharedClock, SystemClock},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use editorial_proto::v1::{ImportItem, Kind};
use feed_rs::model::{Feed, FeedType};
use reqwest::{Method, StatusCode, header};
use roxmltree::{Document, Node};
use testkit::clock::ManualClock;

use crate::{
    app::{App, Browser, ORIGIN},
    guide, items,
    site::{Site, journeys},
};

const SITEMAPS: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const SECURITY_TXT: &str = "/.well-known/security.txt";
const NEWS: &str = "http://www.google.com/schemas/sitemap-news/0.9";

/// The text of a document of this type, which must exist.
async fn text(browser: &Browser, path: &str, content_type: &str) -> String {
    let response = browser.get(path).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let sent = response.headers()[header::CONTENT_TYPE].to_str();
    assert_eq!(sent.expect("text"), content_type, "{path}");
    assert!(!response.headers().contains_key(header::CONTENT_DISPOSITION));
    response.text().await.expect("a body")
}

async fn xml(browser: &Browser, path: &str) -> String {
    text(browser, path, "application/xml; charset=utf-8").await
}

async fn rss(browser: &Browser, path: &str) -> (String, Feed) {
    let text = text(browser, path, "application/rss+xml; charset=utf-8").await;
    let feed = feed_rs::parser::parse(text.as_bytes()).expect("a feed");
    assert_eq!(feed.feed_type, FeedType::RSS2);
    (text, feed)
}

/// The text of a child of the sitemaps' vocabulary.
fn child<'a>(node: Node<'a, '_>, namespace: &str, name: &str) -> Option<&'a str> {
    let mut named = node
        .children()
        .filter(|child| child.has_tag_name((namespace, name)));
    let text = named.next().and_then(|child| child.text());
    assert!(named.next().is_none(), "one {name}");
    text
}

/// The addresses that a sitemap or an index lists, each with its date, checked against the rules of
/// sitemaps.org.
fn listed(text: &str, root: &str, entry: &str) -> BTreeMap<String, Option<String>> {
    let document = Document::parse(text).expect("XML");
    let whole = document.root_element();
    assert!(whole.has_tag_name((SITEMAPS, root)), "{text}");
    let mut found = BTreeMap::new();
    for node in whole.children().filter(Node::is_element) {
        assert!(node.has_tag_name((SITEMAPS, entry)), "{text}");
        let address = child(node, SITEMAPS, "loc").expect("an address");
        let path = address.strip_prefix(ORIGIN).expect("of this site");
        assert!(path.starts_with('/') && address.len() < 2_048, "{address}");
        let changed = child(node, SITEMAPS, "lastmod").map(str::to_owned);
        if let Some(changed) = &changed {
            // RFC 3339 dates are valid in W3C's profile of ISO 8601.
            DateTime::parse_from_rfc3339(changed).expect("a W3C date");
        }
        let twice = found.insert(path.to_owned(), changed);
        assert!(twice.is_none(), "{address} twice");
    }
    assert!(found.len() <= 50_000 && text.len() <= 50 << 20);
    found
}

async fn sitemap(browser: &Browser, path: &str) -> BTreeMap<String, Option<String>> {
    listed(&xml(browser, path).await, "urlset", "url")
}

/// An article published some hours ago.
fn recent(slug: &str, hours: i64) -> ImportItem {
    let at: DateTime<Utc> = SystemClock.now() - TimeDelta::hours(hours);
    ImportItem {
        published_at: Some(instant::to_proto(at)),
        ..items::item(Kind::Article, "news", slug, 1)
    }
}

async fn the_index_leads_to_every_page_of_the_site_and_to_nothing_else(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    guide::publish_more(site).await;
    let browser = site.browser();
    let index = xml(&browser, "/sitemap.xml").await;
    let sitemaps = listed(&index, "sitemapindex", "sitemap");
    let names: Vec<_> = sitemaps.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "/sitemaps/articles-0.xml",
            "/sitemaps/best-of.xml",
            "/sitemaps/contests-0.xml",
            "/sitemaps/events-0.xml",
            "/sitemaps/neighbourhoods.xml",
            "/sitemaps/pages-0.xml",
            "/sitemaps/places-0.xml",
            "/sitemaps/site.xml",
            "/sitemaps/types.xml",
        ]
    );
    let mut all = BTreeMap::new();
    for name in names {
        for (path, changed) in sitemap(&browser, name).await {
            assert!(all.insert(path.clone(), changed).is_none(), "{path} twice");
        }
    }
    assert_eq!(
        all["/culture/tram/"].as_deref(),
        Some("2026-01-02T03:00:00+00:00")
    );
    // Published and reviewed that day.
    assert_eq!(
        all["/dispensaries/leaf/"].as_deref().map(|at| &at[..10]),
        Some("2026-02-01")
    );
    for path in [
        "/",
        "/archives/",
        "/contests/canoe/",
        "/culture/",
        "/events/",
        "/events/market/",
        "/neighbourhoods/west-end/",
        "/parks/",
        "/parks/place-0/",
        "/privacy/",
        "/tonight/",
        "/toronto/",
        "/toronto/benches/",
    ] {
        assert!(all.contains_key(path), "{path} in {all:?}");
    }
    for path in ["/videos/", "/videos/ferry/", "/accounts/login/"] {
        assert!(!all.contains_key(path), "{path} in {all:?}");
    }
    // Every address leads to a page with this address as its canonical address.
    for path in all.keys() {
        let response = browser.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let html = response.text().await.expect("a body");
        let canonical = format!("<link rel=\"canonical\" href=\"{ORIGIN}{path}\">");
        assert!(html.contains(&canonical), "{path}");
        assert!(!html.contains("noindex"), "{path}");
    }
    for path in [
        "/sitemaps/videos-0.xml",
        "/sitemaps/places-1.xml",
        "/sitemaps/places-00.xml",
        "/sitemaps/nothing.xml",
        "/sitemaps/site",
    ] {
        assert_eq!(
            browser.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

async fn news_of_two_days_are_listed_and_nothing_that_is_restricted(site: &Site) {
    let mut output = items::output();
    let mut leaf = recent("smoke", 1);
    leaf.is_age_restricted = true;
    output.extend([recent("today", 2), recent("old", 49), leaf]);
    items::publish(site.settings(), output).await;
    let browser = site.browser();
    let text = xml(&browser, "/sitemaps/news.xml").await;
    let paths: Vec<_> = listed(&text, "urlset", "url").into_keys().collect();
    assert_eq!(paths, ["/news/today/"]);
    let document = Document::parse(&text).expect("XML");
    let news = document
        .descendants()
        .find(|node| node.has_tag_name((NEWS, "news")));
    let news = news.expect("news");
    assert_eq!(child(news, NEWS, "title"), Some("TODAY"));
    let at = child(news, NEWS, "publication_date").expect("a date");
    DateTime::parse_from_rfc3339(at).expect("a W3C date");
    let publication = news
        .children()
        .find(|node| node.has_tag_name((NEWS, "publication")));
    let publication = publication.expect("a publication");
    assert_eq!(child(publication, NEWS, "name"), Some("Test & <Guide>"));
    assert_eq!(child(publication, NEWS, "language"), Some("en"));
}

async fn feeds_hold_the_newest_articles_of_all_sections_and_of_one(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    let browser = site.browser();
    let titles = |feed: &Feed| -> Vec<_> {
        let titles = feed.entries.iter().filter_map(|entry| entry.title.clone());
        titles.map(|title| title.content).collect()
    };
    let (text, all) = rss(&browser, "/rss.xml").await;
    // Age-restricted articles are in no feed.
    assert_eq!(titles(&all), ["TRAM", "BRIDGE"]);
    assert!(!text.contains("leaf"), "{text}");
    assert_eq!(all.title.expect("a title").content, "Test & <Guide>");
    let tram = &all.entries[0];
    assert_eq!(tram.id, format!("{ORIGIN}/culture/tram/"));
    assert_eq!(tram.links[0].href, tram.id);
    let published = tram.published.expect("a date").to_rfc3339();
    assert_eq!(published, "2026-01-02T03:00:00+00:00");
    assert_eq!(
        tram.summary.as_ref().expect("a text").content,
        "About tram."
    );
    assert_eq!(tram.authors[0].name.as_deref(), Some("Ada King"));

    let (text, news) = rss(&browser, "/news/rss.xml").await;
    assert_eq!(titles(&news), ["BRIDGE"]);
    assert_eq!(
        news.title.expect("a title").content,
        "News · Test & <Guide>"
    );
    let itself = format!("href=\"{ORIGIN}/news/rss.xml\"");
    assert!(
        text.contains("<atom:link ") && text.contains(&itself),
        "{text}"
    );
    for path in ["/sports/rss.xml", "/parks/rss.xml", "/nothing/rss.xml"] {
        assert_eq!(
            browser.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    for (page, feed) in [
        ("/", Some("/rss.xml")),
        ("/news/", Some("/news/rss.xml")),
        ("/culture/tram/", Some("/culture/rss.xml")),
        ("/places/", None),
    ] {
        let html = browser.get(page).await.text().await.expect("a body");
        let link = "<link rel=\"alternate\" type=\"application/rss+xml\"";
        assert_eq!(html.contains(link), feed.is_some(), "{page}");
        let href = format!("href=\"{}\"", feed.unwrap_or_default());
        assert!(feed.is_none() || html.contains(&href), "{page}: {html}");
    }
}

async fn a_feed_is_not_sent_again_until_something_is_published(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    let browser = site.browser();
    let first = browser.get("/rss.xml").await;
    let tag = first.headers()[header::ETAG].clone();
    assert!(
        first.headers()[header::CACHE_CONTROL]
            .to_str()
            .is_ok_and(|text| text.starts_with("public"))
    );
    let again = || async {
        let request = browser.request(Method::GET, "/rss.xml");
        let request = request.header(header::IF_NONE_MATCH, tag.clone());
        request.send().await.expect("answers")
    };
    assert_eq!(again().await.status(), StatusCode::NOT_MODIFIED);
    items::publish(site.settings(), vec![recent("today", 1)]).await;
    let changed = testkit::until("it is in the feed", async || {
        let answer = again().await;
        (answer.status() == StatusCode::OK).then_some(answer)
    });
    let text = changed.await.text().await.expect("a body");
    assert!(text.contains("TODAY"), "{text}");
}

async fn robots_are_told_where_the_sitemaps_are_and_what_is_personal(site: &Site) {
    let browser = site.browser();
    let text = text(&browser, "/robots.txt", "text/plain; charset=utf-8").await;
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "User-agent: *",
            "Disallow: /accounts/",
            "Disallow: /profiles/",
            "Disallow: /api/v2/profiles/",
            "",
            &format!("Sitemap: {ORIGIN}/sitemap.xml"),
            &format!("Sitemap: {ORIGIN}/sitemaps/news.xml"),
        ]
    );
}

#[tokio::test]
async fn a_site_without_articles_has_no_feed_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        let text = fs::read_to_string(&settings.site.file).expect("reads");
        let text = text.replace("articles = true", "articles = false");
        settings.site.file = folder.path().join("site.toml");
        fs::write(&settings.site.file, text).expect("writes");
    })
    .await;
    let site = Site::Whole(app);
    items::publish(site.settings(), items::output()).await;
    let browser = site.browser();
    for path in [
        "/rss.xml",
        "/news/rss.xml",
        "/sitemaps/news.xml",
        "/sitemaps/articles-0.xml",
    ] {
        assert_eq!(
            browser.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let index = xml(&browser, "/sitemap.xml").await;
    assert!(!index.contains("articles"), "{index}");
    let robots = text(&browser, "/robots.txt", "text/plain; charset=utf-8").await;
    assert!(!robots.contains("news.xml"), "{robots}");
    let html = browser.get("/").await.text().await.expect("a body");
    assert!(!html.contains("application/rss+xml"), "{html}");
}

#[tokio::test]
async fn security_txt_names_whom_to_tell_and_never_expires() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = ManualClock::shared();
    let app = App::start_with(Arc::clone(&clock) as SharedClock, |settings| {
        let mut text = fs::read_to_string(&settings.site.file).expect("reads");
        text.push_str(
            "\n[security]\ncontacts = [\"mailto:security@guide.test\", \"tel:+1-416-555-0100\"]\n\
             policy = \"/security/\"\nlanguages = [\"en\", \"fr\"]\n",
        );
        settings.site.file = folder.path().join("site.toml");
        fs::write(&settings.site.file, text).expect("writes");
    })
    .await;
    let browser = app.browser();
    let plain = "text/plain; charset=utf-8";
    let first = text(&browser, SECURITY_TXT, plain).await;
    assert_eq!(
        first.lines().collect::<Vec<_>>(),
        [
            "Contact: mailto:security@guide.test",
            "Contact: tel:+1-416-555-0100",
            "Expires: 2027-05-25T00:00:00Z",
            "Preferred-Languages: en, fr",
            &format!("Canonical: {ORIGIN}{SECURITY_TXT}"),
            &format!("Policy: {ORIGIN}/security/"),
        ]
    );
    let tag = browser.get(SECURITY_TXT).await.headers()[header::ETAG].clone();
    let again = || async {
        let request = browser.request(Method::GET, SECURITY_TXT);
        let request = request.header(header::IF_NONE_MATCH, tag.clone());
        request.send().await.expect("answers")
    };
    // The week ends on Thursday.
    clock.advance(TimeDelta::days(5));
    assert_eq!(again().await.status(), StatusCode::NOT_MODIFIED);
    clock.advance(TimeDelta::days(1));
    let renewed = again().await.text().await.expect("a body");
    assert!(
        renewed.contains("\nExpires: 2027-06-01T00:00:00Z\n"),
        "{renewed}"
    );
    // The site's information for pages is the same for everyone and does not contain the security contact.
    let site = browser.get("/api/v2/site/").await.text().await;
    assert!(!site.expect("a body").contains("security"));
}

async fn a_site_that_names_nobody_has_no_security_txt(site: &Site) {
    let answer = site.browser().get(SECURITY_TXT).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

journeys! {
    the_index_leads_to_every_page_of_the_site_and_to_nothing_else,
    news_of_two_days_are_listed_and_nothing_that_is_restricted,
    feeds_hold_the_newest_articles_of_all_sections_and_of_one,
    a_feed_is_not_sent_again_until_something_is_published,
    robots_are_told_where_the_sitemaps_are_and_what_is_personal,
    a_site_that_names_nobody_has_no_security_txt,
}

//! The site's pages as the server sends them.

use std::{fs, sync::Arc};

use chassis::clock::SystemClock;
use cityguide::Settings;
use editorial_proto::v1::Kind;
use reqwest::{Method, StatusCode, header};
use serde_json::Value;
use testkit::until;

use crate::{
    app::App,
    guide, items,
    site::{Site, journeys},
};

#[tokio::test]
async fn a_page_carries_its_title_and_the_sites_settings() {
    let app = App::start().await;
    let browser = app.browser();
    let listing = browser.json("/api/v2/listings/1/").await;
    let path = listing["share_url"].as_str().expect("a path").to_owned();
    let name = listing["name"].as_str().expect("a name").to_owned();
    let html = browser.get(&path).await.text().await.expect("a body");
    assert!(
        html.contains(&format!("<title>{name} · Test &amp; &lt;Guide&gt;</title>")),
        "{html}"
    );
    let (_, settings) = html
        .split_once("id=\"site-settings\">")
        .expect("the settings");
    let (settings, _) = settings
        .split_once("</script>")
        .expect("the end of the settings");
    assert!(
        !settings.contains('<'),
        "nothing in the settings can end them: {settings}"
    );
    let settings: serde_json::Value = serde_json::from_str(settings).expect("JSON");
    assert_eq!(settings["name"], "Test & <Guide>");
    let site = browser.json("/api/v2/site/").await;
    assert_eq!(settings["navigation"], site["navigation"]);
}

#[tokio::test]
async fn pages_that_are_there_are_200_and_others_404_with_the_site_around_them() {
    let app = App::start().await;
    let browser = app.browser();
    for path in [
        "/",
        "/places/",
        "/restaurants/",
        "/neighbourhoods/",
        "/neighbourhoods/west-end/",
        "/toronto/",
        "/contests/",
        "/archives",
        "/tonight/",
        "/news/",
        "/contact/",
        "/search?q=noodles",
        "/accounts/login",
        "/accounts/dashboard",
        "/profiles/logout?next=/",
    ] {
        assert_eq!(browser.get(path).await.status(), StatusCode::OK, "{path}");
    }
    for path in [
        "/nothing/",
        "/restaurants/nothing/",
        "/videos/",
        "/%00",
        "/neighbourhoods/nothing/",
        "/toronto/nothing/",
        "/sports/",
    ] {
        let response = browser.get(path).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{path}");
        assert!(
            response
                .text()
                .await
                .expect("a body")
                .contains("id=\"root\""),
            "{path}"
        );
    }
    let write = browser
        .request(Method::POST, "/places/")
        .send()
        .await
        .expect("answers");
    assert_eq!(write.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_heading_of_a_search_contains_its_question() {
    let app = App::start().await;
    let browser = app.browser();
    for (path, heading) in [
        ("/search", "Search"),
        ("/search?q=+", "Search"),
        ("/search?q=ramen", "Results for “ramen”"),
        (
            "/search?q=a+%26+%3Cb%3E&x=1",
            "Results for “a &amp; &lt;b&gt;”",
        ),
    ] {
        let page = browser.get(path).await.text().await.expect("a body");
        let heading = format!("<h1 class=\"PageHead_title\">{heading}</h1>");
        assert!(page.contains(&heading), "{path}: {page}");
    }
}

#[tokio::test]
async fn built_files_are_kept_for_ever_and_nothing_outside_is_served() {
    let app = App::start().await;
    let browser = app.browser();
    let asset = browser.get("/assets/index-0.js").await;
    assert_eq!(asset.status(), StatusCode::OK);
    assert!(
        asset.headers()["cache-control"]
            .to_str()
            .expect("text")
            .contains("immutable")
    );
    for path in [
        "/assets/nothing.js",
        "/index.html",
        "/..%2fsite.toml",
        "/assets/..%2f..%2fsite.toml",
    ] {
        assert_eq!(
            browser.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[tokio::test]
async fn built_files_are_sent_as_the_build_has_compressed_them() {
    let web = tempfile::tempdir().expect("a folder");
    let root = web.path().to_owned();
    fs::create_dir(root.join("assets")).expect("a folder");
    for (path, text) in [
        ("index.html", include_str!("../fixtures/web/index.html")),
        ("assets/index-0.js", "plain"),
        ("assets/index-0.js.br", "by brotli"),
        ("assets/index-0.js.gz", "by gzip"),
        ("assets/lone-0.js", "alone"),
    ] {
        fs::write(root.join(path), text).expect("writes");
    }
    let set = |settings: &mut Settings| settings.web.root = root;
    let app = App::start_with(Arc::new(SystemClock), set).await;
    let browser = app.browser();
    for (path, accepted, encoding, expected) in [
        (
            "index-0.js",
            "gzip, deflate, br, zstd",
            Some("br"),
            "by brotli",
        ),
        ("index-0.js", "gzip", Some("gzip"), "by gzip"),
        ("index-0.js", "br;q=0, gzip;q=0.5", Some("gzip"), "by gzip"),
        ("index-0.js", "identity", None, "plain"),
        ("lone-0.js", "br", None, "alone"),
    ] {
        let request = browser.request(Method::GET, &format!("/assets/{path}"));
        let request = request.header(header::ACCEPT_ENCODING, accepted);
        let response = request.send().await.expect("answers");
        let headers = response.headers().clone();
        let chosen = headers.get(header::CONTENT_ENCODING);
        let chosen = chosen.map(|encoding| encoding.to_str().expect("text"));
        assert_eq!(chosen, encoding, "{path}, {accepted}");
        assert_eq!(
            headers[header::VARY],
            "accept-encoding",
            "{path}, {accepted}"
        );
        assert_eq!(headers[header::CONTENT_TYPE], "text/javascript");
        assert!(
            headers[header::CACHE_CONTROL]
                .to_str()
                .is_ok_and(|text| text.contains("immutable"))
        );
        assert_eq!(
            response.text().await.expect("a body"),
            expected,
            "{accepted}"
        );
    }
}

#[tokio::test]
async fn a_places_picture_is_served_under_an_address_of_its_content() {
    let app = App::start().await;
    let browser = app.browser();
    let listings = browser.json("/api/v2/listings/?keywords=Place+00").await;
    let listing = &listings["results"][0];
    let picture = browser
        .get(listing["image_url"].as_str().expect("a picture"))
        .await;
    assert_eq!(picture.status(), StatusCode::OK);
    assert_eq!(picture.headers()["content-type"], "image/svg+xml");
    assert!(
        picture.headers()["content-security-policy"]
            .to_str()
            .expect("text")
            .contains("sandbox")
    );
    assert_eq!(
        browser.get("/media/0123.svg").await.status(),
        StatusCode::NOT_FOUND
    );

    let detail = browser
        .json(&format!("/api/v2/listings/{}/", listing["id"]))
        .await;
    assert_eq!(detail["review"]["author"], "Ada");
    assert_eq!(
        detail["review"]["body"],
        "<p>A <em>good</em> park.alert(1)</p>\n"
    );
    assert_eq!(detail["default_neighborhood"]["name"], "West End");
}

/// The schema.org objects of a page.
async fn structured(browser: &crate::app::Browser, path: &str) -> (String, Vec<serde_json::Value>) {
    let html = browser.get(path).await.text().await.expect("a body");
    let scripts = html.split("<script type=\"application/ld+json\">").skip(1);
    let objects = scripts.map(|rest| {
        let (json, _) = rest.split_once("</script>").expect("an end");
        serde_json::from_str(json).expect("JSON")
    });
    (html.clone(), objects.collect())
}

#[tokio::test]
async fn a_pages_head_says_where_it_is_and_what_it_shows() {
    let site = Site::Whole(App::start().await);
    items::publish(site.settings(), items::output()).await;
    guide::publish_more(&site).await;
    let browser = site.browser();
    let url = site.settings().site.url.clone();

    let (html, place) = structured(&browser, "/parks/place-0").await;
    let canonical = format!("<link rel=\"canonical\" href=\"{url}/parks/place-0/\">");
    assert!(html.contains(&canonical), "{html}");
    assert!(html.contains(&format!(
        "<meta property=\"og:image\" content=\"{url}/media/"
    )));
    assert_eq!(place[0]["@type"], "LocalBusiness");
    assert_eq!(place[0]["geo"]["latitude"], 43.5);
    assert_eq!(place[1]["itemListElement"][2]["name"], "Place 00");

    let (_, restaurant) = structured(&browser, "/restaurants/place-1/").await;
    assert_eq!(restaurant[0]["@type"], "Restaurant");
    let (_, list) = structured(&browser, "/toronto/benches/").await;
    assert_eq!(list[0]["itemListElement"][0]["name"], "Place 03");

    let (html, article) = structured(&browser, "/news/bridge/").await;
    assert!(
        html.contains("<title>BRIDGE · Test &amp; &lt;Guide&gt;</title>"),
        "{html}"
    );
    assert!(html.contains("content=\"article\""));
    assert_eq!(article[0]["@type"], "NewsArticle");
    assert_eq!(article[0]["datePublished"], "2026-01-01T03:00:00.000Z");
    assert_eq!(article[0]["author"][0]["name"], "Ada King");

    // An age-restricted place shows its name and nothing else.
    let (html, leaf) = structured(&browser, "/news/leaf/").await;
    assert!(
        !html.contains("leaf.jpg") && !html.contains("About leaf"),
        "{html}"
    );
    assert!(leaf[0].get("image").is_none() && leaf[0].get("description").is_none());

    let absent = browser.get("/nothing/").await.text().await.expect("a body");
    assert!(absent.contains("<meta name=\"robots\" content=\"noindex\">"));
}

#[tokio::test]
async fn a_page_that_has_moved_leads_to_where_it_is() {
    let site = Site::Whole(App::start().await);
    items::publish(site.settings(), items::output()).await;
    let answer = site.browser().get("/news/tram/").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.url().path(), "/culture/tram/");
}

/// Returns the API responses embedded in a page, each with its call.
fn first_answers(html: &str) -> Vec<(String, Value)> {
    let (_, rest) = html.split_once("id=\"page-data\">").expect("the data");
    let (text, _) = rest.split_once("</script>").expect("its end");
    assert!(!text.contains(['<', '>', '\u{2028}']), "{text}");
    let entries: Vec<Value> = serde_json::from_str(text).expect("JSON");
    let read = |entry: &Value| {
        (
            entry["call"].as_str().map(str::to_owned),
            entry["body"].clone(),
        )
    };
    let read = entries.iter().map(read);
    read.map(|(call, body)| (call.expect("a call"), body))
        .collect()
}

async fn a_page_comes_with_the_answers_that_the_api_gives(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    guide::publish_more(site).await;
    let browser = site.browser();
    let listing = items::id_at(&browser, "/parks/place-0/").await;
    let article = items::id_at(&browser, "/news/bridge/").await;
    for (path, expected) in [
        ("/", vec!["/api/v2/articles/?limit=4".to_owned()]),
        (
            "/news/bridge/",
            vec![
                "/api/v2/resolve/?path=%2Fnews%2Fbridge%2F".to_owned(),
                format!("/api/v2/articles/{article}/"),
            ],
        ),
        (
            // For every spelling of the path, the page's first response is the object at the path.
            "/parks/place-0",
            vec![
                "/api/v2/resolve/?path=%2Fparks%2Fplace-0%2F".to_owned(),
                format!(
                    "/api/v2/listings/{listing}/?include=recent%2Cbest_of%2Csimilar%2Cphotos%2Cinspections%2Carticles%2Cevents"
                ),
            ],
        ),
        (
            // The articles of all sections.
            "/news/?utm_source=x",
            vec!["/api/v2/articles/?ordering=-date_published".to_owned()],
        ),
        (
            "/parks/",
            vec![
                "/api/v2/resolve/?path=%2Fparks%2F".to_owned(),
                "/api/v2/listing-types/".to_owned(),
                "/api/v2/listings/?ordering=-date_published&type=parks".to_owned(),
            ],
        ),
    ] {
        let html = browser.get(path).await.text().await.expect("a body");
        let answers = first_answers(&html);
        let calls: Vec<_> = answers.iter().map(|(call, _)| call.clone()).collect();
        assert_eq!(calls, expected, "{path}");
        for (call, body) in answers {
            assert_eq!(body, browser.json(&call).await, "{call}");
        }
    }
    // Pages that need no response contain none.
    let html = browser.get("/contact/").await.text().await.expect("a body");
    assert!(!html.contains("page-data"));
}

async fn a_page_can_be_read_without_scripts(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    guide::publish_more(site).await;
    let browser = site.browser();
    for (path, parts) in [
        (
            "/news/bridge/",
            vec![
                "<h1 class=\"Headline_name\">BRIDGE</h1>",
                "<p>All of <em>bridge</em>.</p>",
                "<a href=\"/archives/?author=ada-king\">Ada King</a>",
                // Three in the morning UTC is the evening before in the city.
                ">December 31, 2025</time>",
            ],
        ),
        (
            "/parks/place-0/",
            vec![
                "<h1 class=\"Headline_large\">Place 00</h1>",
                "<a href=\"/neighbourhoods/west-end/\">West End</a>",
                "A <em>good</em> park.",
            ],
        ),
        (
            "/",
            vec!["<a class=\"Card_link\" href=\"/culture/tram/\">TRAM</a>"],
        ),
        ("/news/", vec!["href=\"/news/bridge/\">BRIDGE</a>"]),
        (
            "/parks/",
            vec!["<h1 class=\"PageHead_title\">Parks</h1>", ">Place 03</a>"],
        ),
        (
            "/neighbourhoods/",
            vec!["href=\"/neighbourhoods/east-end/\"><span>East End</span>"],
        ),
        (
            "/toronto/benches/",
            vec!["<em>sat</em>", ">Place 03</a>", "In the shade."],
        ),
        (
            "/contests/canoe/",
            vec!["CANOE</h1>", "<p>All of <em>canoe</em>.</p>"],
        ),
        ("/privacy/", vec!["PRIVACY</h1>", "<p>Words.</p>"]),
    ] {
        let html = browser.get(path).await.text().await.expect("a body");
        let (_, rest) = html.split_once("<main ").expect("its content");
        let (main, _) = rest.split_once("</main>").expect("its end");
        for part in parts {
            assert!(main.contains(part), "{path}: {part} in {main}");
        }
    }
    // The menu marks all places, because it has no entry for parks.
    let html = browser.get("/parks/place-0/").await.text().await;
    let marked = "<a href=\"/places/\" aria-current=\"page\">Places</a>";
    assert!(html.expect("a body").contains(marked));
    // Markup in the site's name is escaped.
    let html = browser.get("/").await.text().await.expect("a body");
    assert!(
        html.contains("front page\">Test &amp; &lt;Guide&gt;</a>"),
        "{html}"
    );
    assert!(
        html.starts_with("<!doctype html>\n<html data-accent=\"streetcar\" data-variant=\"guide\"")
    );
}

async fn what_is_for_adults_is_nowhere_in_a_page(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    guide::publish_more(site).await;
    let browser = site.browser();
    for path in [
        "/news/leaf/",
        "/dispensaries/leaf/",
        "/news/",
        "/",
        "/dispensaries/",
    ] {
        let request = browser.request(Method::GET, path);
        // The cookie of a reader of age makes no difference: the page is the same for everyone.
        let request = request.header(header::COOKIE, "is_user_over_18=true");
        let html = request
            .send()
            .await
            .expect("answers")
            .text()
            .await
            .expect("a body");
        // A restricted type lists its places only after the question for the reader's age.
        let is_listed = html.to_lowercase().contains("leaf");
        assert_eq!(is_listed, path != "/dispensaries/", "{path}");
        for word in ["About leaf", "All of", "leaf.jpg", "Purple haze"] {
            let of_others = path == "/news/" || path == "/";
            assert!(
                (of_others && word == "All of") || !html.contains(word),
                "{path}: {word}"
            );
        }
    }
}

async fn a_page_is_not_sent_again_until_it_changes(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    let browser = site.browser();
    let ask = |known: Option<header::HeaderValue>| {
        let request = browser.request(Method::GET, "/news/bridge/");
        let request = request.header(header::ACCEPT_ENCODING, "br");
        let request = match known {
            Some(tag) => request.header(header::IF_NONE_MATCH, tag),
            None => request,
        };
        async { request.send().await.expect("answers") }
    };
    let first = ask(None).await;
    let headers = first.headers();
    assert_eq!(headers[header::CONTENT_ENCODING], "br");
    assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
    assert_eq!(headers[header::VARY], "accept-encoding");
    assert_eq!(
        headers[header::CACHE_CONTROL],
        "public, max-age=0, must-revalidate"
    );
    let tag = headers[header::ETAG].clone();
    assert_eq!(
        ask(Some(tag.clone())).await.status(),
        StatusCode::NOT_MODIFIED
    );
    let mut bridge = items::item(Kind::Article, "news", "bridge", 1);
    "The bridge is up".clone_into(&mut bridge.name);
    items::publish(site.settings(), vec![bridge]).await;
    until("the page tells it", async || {
        let answer = ask(Some(tag.clone())).await;
        (answer.status() == StatusCode::OK).then_some(())
    })
    .await;
    let html = browser
        .get("/news/bridge/")
        .await
        .text()
        .await
        .expect("a body");
    assert!(html.contains("<title>The bridge is up"), "{html}");
}

journeys! {
    a_page_comes_with_the_answers_that_the_api_gives,
    a_page_can_be_read_without_scripts,
    what_is_for_adults_is_nowhere_in_a_page,
    a_page_is_not_sent_again_until_it_changes,
}

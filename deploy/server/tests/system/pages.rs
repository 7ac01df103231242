//! The site's pages as the server sends them.

use reqwest::{Method, StatusCode};

use crate::{app::App, guide, items, site::Site};

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
        "/news/",
        "/contact/",
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
        "/events/",
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
    items::publish(&site, items::output()).await;
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

    // What is for adults shows its name and nothing else.
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
    items::publish(&site, items::output()).await;
    let answer = site.browser().get("/news/tram/").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.url().path(), "/culture/tram/");
}

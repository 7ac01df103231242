//! The search over HTTP, in both topologies; its judgements are in `judged.rs`.

use std::sync::Arc;

use chassis::clock::SystemClock;
use cityguide::Target;
use reqwest::StatusCode;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use testkit::until;

use crate::{
    app::{App, Browser, answer},
    cache::counted,
    commands, guide, items,
    site::{Site, Split, journeys},
};

journeys! {
    what_is_typed_is_suggested_and_what_is_wrong_is_refused;
    split too:
    everything_that_changes_is_found_with_the_fields_of_its_lists,
}

async fn search(browser: &Browser, query: &str) -> Value {
    browser.json(&format!("/api/v2/search/?q={query}")).await
}

fn kinds_and_names(found: &Value) -> Vec<(String, String)> {
    let results = found["results"].as_array().expect("results").iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    results
        .map(|item| (text(&item["kind"]), text(&item["name"])))
        .collect()
}

/// Waits until a query finds something, and returns the answer.
async fn comes(browser: &Browser, query: &str) -> Value {
    until(query, async || {
        let found = search(browser, query).await;
        (found["count"] != 0).then_some(found)
    })
    .await
}

async fn everything_that_changes_is_found_with_the_fields_of_its_lists(site: &Site) {
    let browser = site.browser();
    items::publish(site.settings(), items::output()).await;
    guide::publish_more(site).await;
    let found = comes(&browser, "bridge").await;
    assert_eq!(
        kinds_and_names(&found),
        [("article".to_owned(), "BRIDGE".to_owned())]
    );
    let bridge = &found["results"][0];
    assert_eq!(bridge["share_url"], "/news/bridge/");
    assert_eq!(
        bridge["highlight"]["name"],
        json!([{"text": "BRIDGE", "is_match": true}])
    );
    let text = bridge["highlight"]["text"].as_array().expect("parts");
    assert!(
        text.contains(&json!({"text": "bridge", "is_match": true})),
        "{text:?}"
    );
    let page = browser.get("/search?q=bridge").await;
    let page = page.text().await.expect("a body");
    assert!(page.contains("<mark>bridge</mark>"), "{page}");
    // A list precedes its places, and an age-restricted item has only its name.
    let found = comes(&browser, "benches").await;
    assert_eq!(
        kinds_and_names(&found)[0],
        ("best-of-list".to_owned(), "The best benches".to_owned())
    );
    let found = comes(&browser, "leaf").await;
    assert_eq!(found["count"], 2);
    assert!(
        found["results"]
            .as_array()
            .expect("results")
            .iter()
            .all(|item| {
                item["highlight"]["text"]
                    .as_array()
                    .is_some_and(|parts| parts.iter().all(|part| part["is_match"] == false))
            })
    );
    for query in ["purple", "haze"] {
        assert_eq!(search(&browser, query).await["count"], 0, "{query}");
    }
    let found = comes(&browser, "parks+west+end").await;
    assert_eq!(found["understood"]["type"], "parks");
    assert_eq!(found["understood"]["neighbourhood"], "west-end");
    assert_eq!(
        found["understood"]["taken"][0],
        json!({"field": "type", "label": "Parks", "rest": "west end"})
    );
    // The next page continues after the first page, and a position in the query adds distances to the results.
    let first = browser
        .json("/api/v2/search/?q=park&category=places&limit=3&near=43.5,-79.5")
        .await;
    assert_eq!(first["results"][0]["distance"], 0);
    let next = browser
        .json(first["next"].as_str().expect("a next page"))
        .await;
    assert_eq!(next["results"].as_array().map(Vec::len), Some(3));
    assert_ne!(next["results"][0]["id"], first["results"][2]["id"]);
    let bridge = comes(&browser, "bridgee").await;
    assert_eq!(
        (&bridge["corrected"], &bridge["results"][0]["kind"]),
        (&json!("bridge"), &json!("article"))
    );
    let rebuilt = commands::run(site.settings(), &["search", "rebuild"]).await;
    let printed = String::from_utf8_lossy(&rebuilt.stdout).into_owned();
    assert!(printed.contains("are indexed anew"), "{printed}");
    assert_ne!(search(&browser, "bridge").await["count"], 0);
    // Searches without results are counted, and reported to editors once readers of several networks have made them.
    let page = browser.get("/search?q=xylophone").await;
    let page = page.text().await.expect("a body");
    assert!(page.contains("Nothing matches that"), "{page}");
    assert_eq!(search(&browser, "xylophone").await["count"], 0);
    let misses = async || {
        let output = commands::run(site.settings(), &["search", "misses"]).await;
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(misses().await, "");
    let url = &site.settings().database.url;
    let mut database = PgConnection::connect(url).await.expect("connects");
    let counted = "UPDATE editorial.search_misses SET networks = 5, query = 'xylophone'";
    let counted = sqlx::query(counted).execute(&mut database).await;
    assert!(counted.expect("updates").rows_affected() > 0);
    assert!(misses().await.ends_with("  xylophone\n"));
}

#[tokio::test]
async fn the_page_of_a_search_without_an_answer_is_left_to_the_application() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.limits.searches = "2/h".parse().expect("a rate");
    })
    .await;
    let browser = app.browser();
    let long = format!("/search?q={}", "a".repeat(201));
    for (path, has_heading) in [
        (&*long, true),
        ("/search?q=park", true),
        ("/search?q=bench", false),
    ] {
        let page = browser.get(path).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        let page = page.text().await.expect("a body");
        assert_eq!(page.contains("<h1 "), has_heading, "{path}: {page}");
    }
}

async fn what_is_typed_is_suggested_and_what_is_wrong_is_refused(site: &Site) {
    let browser = site.browser();
    guide::publish_more(site).await;
    comes(&browser, "benches").await;
    let suggest = async |query: &str| {
        browser
            .json(&format!("/api/v2/search/suggest/?q={query}"))
            .await
    };
    until("the list is suggested", async || {
        let found = suggest("the+bes").await["results"].clone();
        let list = json!([{"text": "The best benches", "kind": "best-of-list", "share_url": "/toronto/benches/"}]);
        (found == list).then_some(())
    })
    .await;
    until("the neighbourhood is suggested", async || {
        let found = suggest("west").await["results"][0]["share_url"].clone();
        (found == "/neighbourhoods/west-end/").then_some(())
    })
    .await;
    assert_eq!(
        suggest("restaurants+in+ea").await["results"][0]["text"],
        "Restaurants in East End"
    );
    assert_eq!(suggest("").await["results"], json!([]));
    let (status, refused) = answer(
        browser
            .get(&format!("/api/v2/search/suggest/?q={}", "a".repeat(201)))
            .await,
    )
    .await;
    assert_eq!(status, 400);
    assert!(refused["q"].is_array(), "{refused}");
    for (query, field) in [
        (format!("q={}", "a".repeat(201)), "q"),
        ("q=a&q=b".to_owned(), "q"),
        ("category=people".to_owned(), "category"),
        ("near=here".to_owned(), "near"),
        ("limit=0".to_owned(), "limit"),
    ] {
        let (status, body) = answer(browser.get(&format!("/api/v2/search/?{query}")).await).await;
        assert_eq!(status, 400, "{query}");
        assert!(body[field].is_array(), "{query}: {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_are_answered_from_memory_while_editorial_is_down() {
    let mut site = Site::Split(Split::start().await);
    guide::publish_more(&site).await;
    let Site::Split(split) = &mut site else {
        unreachable!("it was split");
    };
    let all = "SELECT count(*) FROM editorial.search_documents WHERE NOT is_closed AND name <> ''";
    let list = "SELECT count(*) FROM editorial.search_documents WHERE name = 'The best benches'";
    let gateways = split.internal_of_gateways().to_vec();
    until("both gateways hold all names", async || {
        let is_indexed = split.database.number(list).await == 1;
        let all = u64::try_from(split.database.number(all).await).expect("a count");
        let mut held = Vec::new();
        for gateway in &gateways {
            held.push(counted(*gateway, "suggestion_names ", "").await);
        }
        (is_indexed && held == [all, all]).then_some(())
    })
    .await;
    split.process(Target::Editorial).kill().await;
    for browser in [split.browser(), split.browser()] {
        let suggest = async |query: &str| {
            browser
                .json(&format!("/api/v2/search/suggest/?q={query}"))
                .await
        };
        let list = json!([{"text": "The best benches", "kind": "best-of-list", "share_url": "/toronto/benches/"}]);
        assert_eq!(suggest("benc").await["results"], list);
        let west = suggest("west").await["results"][0]["share_url"].clone();
        assert_eq!(west, "/neighbourhoods/west-end/");
        // Only editorial can correct misspelt words.
        let misspelt = browser.get("/api/v2/search/suggest/?q=benchse").await;
        assert_eq!(misspelt.status(), 503);
    }
}

//! Articles that name places, and events that happen at places, from the content folder to the pages.

use std::{fs, path::Path, sync::Arc};

use chassis::clock::SystemClock;
use serde_json::Value;
use testkit::until;

use crate::{
    app::{App, Browser},
    city,
    commands::migrated,
};

const ARTICLE: &str = "+++\nname = \"A long lunch\"\npublished = 2026-01-05\n+++\n\nAt [[place:place-2]].\n\n\
    Then [[place:place-1|next door]], past Place 04.\n";
/// On today, on any day of the test.
const FAIR: &str = "+++\nname = \"Fair\"\npublished = 2026-01-05\nstarts = 2026-01-04\nends = 2126-01-04\n\
    place = \"place-2\"\n+++\n";
/// At the only place with this name and address.
const QUIZ: &str = "+++\nname = \"Quiz\"\npublished = 2026-01-05\nstarts = 2026-01-04\nends = 2126-01-04\n\
    venue = \"The Swan\"\naddress = \"892 QUEEN STREET WEST\"\n+++\n";
const SWAN: &str = "+++\nname = \"The Swan\"\ntype = \"restaurants\"\naddress = \"892 Queen Street West\"\n\
    latitude = 43.5\nlongitude = -78.5\npublished = 2026-01-05\n+++\n";

fn write(root: &Path) {
    city::write(root);
    for (file, text) in [
        ("articles/news/lunch.md", ARTICLE),
        ("events/fair.md", FAIR),
        ("events/quiz.md", QUIZ),
        ("places/the-swan.md", SWAN),
        ("neighbourhoods/west-end.md", "Brick *houses*.\n"),
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("writes");
    }
}

fn names(list: &Value) -> Vec<&str> {
    let list = list.as_array().expect("a list");
    list.iter().filter_map(|one| one["name"].as_str()).collect()
}

async fn of_name(browser: &Browser, name: &str) -> Value {
    let path = format!("/api/v2/listings/?keywords={}", name.replace(' ', "+"));
    only(browser, &path).await["id"].clone()
}

async fn only(browser: &Browser, path: &str) -> Value {
    let found = browser.json(path).await;
    let results = found["results"].as_array().expect("results");
    assert_eq!(results.len(), 1, "{path}: {found}");
    results[0].clone()
}

#[tokio::test]
async fn stories_events_and_places_are_linked() {
    let (settings, _database, blobs) = migrated().await;
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root);
    let applied = city::apply(&settings, root).await;
    assert!(applied.status.success(), "{applied:?}");
    // Places have ids from the first application on, so the second one changes nothing.
    let again = city::apply(&settings, root).await;
    let again = String::from_utf8_lossy(&again.stdout).into_owned();
    for unchanged in [
        "articles: 1 read, 0 created, 0 changed, 1 unchanged",
        "events: 2 read, 0 created, 0 changed, 2 unchanged",
        "neighbourhoods: 2 read, 0 created, 0 changed, 2 unchanged",
    ] {
        assert!(again.contains(unchanged), "{again}");
    }
    let app = App::serve(settings, blobs, Arc::new(SystemClock)).await;
    let guest = app.browser();

    let listed = only(&guest, "/api/v2/articles/?bundle_type=full").await;
    let body = listed["body"].as_str().expect("a body");
    assert!(body.contains("\">next door</a>") && !body.contains("aside"));
    let path = format!("/api/v2/articles/{}/", listed["id"]);
    let article = guest.json(&path).await;
    let [place, other] = ["Place 02", "Place 01"].map(|name| {
        let listings = article["listings"].as_array().expect("places");
        let place = listings.iter().find(|place| place["name"] == name);
        place.expect("named").clone()
    });
    let body = article["body"].as_str().expect("a body");
    for id in [&place["id"], &other["id"]] {
        let card = format!("</p>\n<aside data-place=\"{id}\"></aside>\n");
        assert!(body.contains(&card), "{body}");
    }
    // An exact name is a link without a card.
    let id = of_name(&guest, "Place 04").await;
    assert!(
        body.contains(&format!("data-place=\"{id}\"")) && body.contains(">Place 04</a>."),
        "{body}"
    );
    let naming = format!("/api/v2/articles/?listing={id}");
    assert_eq!(only(&guest, &naming).await["id"], listed["id"]);
    let page = guest
        .get("/news/lunch/")
        .await
        .text()
        .await
        .expect("a page");
    assert_eq!(page.matches("PlaceNote_note").count(), 2, "{page}");
    let feed = guest.get("/rss.xml").await.text().await.expect("a feed");
    assert!(feed.contains("A long lunch") && !feed.contains("data-place"));

    let path = format!("/api/v2/listings/{}/?include=articles,events", place["id"]);
    let detail = guest.json(&path).await;
    assert_eq!(names(&detail["articles"]), ["A long lunch"]);
    assert_eq!(names(&detail["events"]), ["Fair"]);
    let selected = |kind: &str| format!("/api/v2/{kind}/?listing={}", place["id"]);
    assert_eq!(
        only(&guest, &selected("articles")).await["id"],
        listed["id"]
    );
    let fair = only(&guest, &selected("events")).await;
    assert_eq!(fair["venue"], "Place 02");
    let fair = guest.json(&format!("/api/v2/events/{}/", fair["id"])).await;
    assert_eq!(fair["listing"]["id"], place["id"]);
    assert_eq!(fair["neighbourhood"], "west-end");

    let tonight = guest.json("/api/v2/tonight/").await;
    let quiz = tonight["events"].as_array().expect("events");
    let quiz = quiz.iter().find(|event| event["name"] == "Quiz");
    assert_eq!(
        quiz.expect("tonight")["position"],
        serde_json::json!([43.5, -78.5])
    );

    // The search knows the neighbourhoods of places.
    let portrait = "/api/v2/neighbourhoods/west-end/portrait/";
    let found = until("the article is in the west", async || {
        let found = guest.json(portrait).await;
        (names(&found["articles"]) == ["A long lunch"]).then_some(found)
    })
    .await;
    assert_eq!(found["intro"], "<p>Brick <em>houses</em>.</p>\n");
    assert_eq!(names(&found["events"]), ["Fair"]);
    assert_eq!(names(&found["best"]).len(), 3);
    assert_eq!(found["name"], "West End");
    let page = guest.get("/neighbourhoods/west-end/").await;
    let page = page.text().await.expect("a page");
    for part in [
        "Brick <em>houses</em>.",
        "Tonight in West End",
        "The best of West End",
        "A long lunch",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let unknown = guest.get("/api/v2/neighbourhoods/nowhere/portrait/").await;
    assert_eq!(unknown.status(), 404);
}

#[tokio::test]
async fn links_follow_a_place_that_moves_and_cards_leave_with_a_place_that_closes() {
    let (settings, _database, blobs) = migrated().await;
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root);
    assert!(city::apply(&settings, root).await.status.success());
    let app = App::serve(settings.clone(), blobs, Arc::new(SystemClock)).await;
    let guest = app.browser();
    let listed = only(&guest, "/api/v2/articles/").await;
    let path = format!("/api/v2/articles/{}/", listed["id"]);
    let body = async || {
        guest.json(&path).await["body"]
            .as_str()
            .expect("a body")
            .to_owned()
    };
    assert!(body().await.contains("<a href=\"/restaurants/place-2/\""));

    // Another program changes the places, so the article itself stays as it was stored.
    let edit = |file: &str, from: &str, to: &str| {
        let path = root.join(file);
        let text = fs::read_to_string(&path).expect("reads");
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replacen(from, to, 1)).expect("writes");
    };
    fs::remove_dir_all(root.join("articles")).expect("removes");
    edit("places/place-2.md", "\"restaurants\"", "\"parks\"");
    edit(
        "places/place-1.md",
        "published",
        "is_closed = true\npublished",
    );
    let applied = city::apply(&settings, root).await;
    assert!(applied.status.success(), "{applied:?}");
    let moved = until("the place has moved", async || {
        let body = body().await;
        body.contains("<a href=\"/parks/place-2/\"").then_some(body)
    })
    .await;
    assert_eq!(moved.matches("<aside").count(), 1, "{moved}");
    assert!(moved.contains("/restaurants/place-1/"), "{moved}");
    let former = guest
        .without_redirects()
        .redirect("/restaurants/place-2/")
        .await;
    assert_eq!(former, (301, Some("/parks/place-2/".to_owned())));
}

#[tokio::test]
async fn an_unknown_place_refuses_the_folder_with_file_and_line() {
    let (settings, database, _blobs) = migrated().await;
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(root);
    let lost = format!("{ARTICLE}\nNot [[place:nowhere]].\n");
    fs::write(root.join("articles/news/lunch.md"), lost).expect("writes");
    let fair = FAIR.replace("place-2", "the-yard");
    fs::write(root.join("events/fair.md"), fair).expect("writes");
    let refused = city::apply(&settings, root).await;
    assert!(!refused.status.success());
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    for mistake in [
        "articles/news/lunch.md, line 10: there is no place \"nowhere\"",
        "events/fair.md, line 6: there is no place \"the-yard\"",
    ] {
        assert!(errors.contains(mistake), "{errors}");
    }
    let rows =
        "SELECT (SELECT count(*) FROM places.listings) + (SELECT count(*) FROM editorial.items)";
    assert_eq!(database.number(rows).await, 0);
}

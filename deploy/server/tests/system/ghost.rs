//! `cityguide import articles`: a Ghost export becomes articles and pages, and its old addresses redirect to them.

use std::{fs, path::Path};

use serde_json::json;
use testkit::{picture, until};

use crate::{
    app::App,
    city,
    commands::{self, migrated, output_of, run},
};

/// An export with two articles, one of them for members, and a page.
fn export() -> String {
    let post = |id: &str, slug: &str, more: serde_json::Value| {
        let mut post = json!({"id": id, "title": slug.to_uppercase(), "slug": slug, "type": "post", "status": "published",
            "visibility": "public", "published_at": "2021-03-04T05:06:07.000Z", "html": "<p>It is quiet.</p>"});
        let fields = more.as_object().expect("an object").clone();
        post.as_object_mut().expect("an object").extend(fields);
        post
    };
    let text = "<p>It is quiet. <a href=\"__GHOST_URL__/us/\">Us</a></p><figure class=\"kg-card kg-image-card\">\
        <img src=\"__GHOST_URL__/content/images/2021/03/tram.jpg\" class=\"kg-image\" alt=\"A tram\"><figcaption>On Queen Street\
        </figcaption></figure>";
    let tables = json!({
        "posts": [
            post("61a", "a-tram", json!({"html": text, "feature_image": "__GHOST_URL__/content/images/2021/03/tram.jpg"})),
            post("61b", "secret", json!({"visibility": "members"})),
            post("61c", "us", json!({"type": "page"}))],
        "posts_tags": [{"post_id": "61a", "tag_id": "t", "sort_order": 0}],
        "tags": [{"id": "t", "name": "Arts", "slug": "arts", "visibility": "public"}],
        "users": [{"id": "u", "name": "Ada King"}],
        "posts_authors": [{"post_id": "61a", "author_id": "u", "sort_order": 0}]});
    json!({"db": [{"meta": {"version": "5.82.2"}, "data": tables}]}).to_string()
}

/// Writes the export, its pictures and a plan; returns the arguments of the command that imports them.
fn written(folder: &Path) -> Vec<String> {
    let images = folder.join("images/2021/03");
    fs::create_dir_all(&images).expect("made");
    fs::write(images.join("tram.jpg"), picture::jpeg(640, 480, 7)).expect("written");
    fs::write(folder.join("export.json"), export()).expect("written");
    fs::write(folder.join("plan.toml"), "[sections]\narts = \"culture\"\n").expect("written");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let arguments = ["import", "articles"].map(str::to_owned);
    let options = [
        path("export.json"),
        "--plan".to_owned(),
        path("plan.toml"),
        "--pictures".to_owned(),
        path("images"),
    ];
    [&arguments[..], &options[..]].concat()
}

#[tokio::test]
async fn an_export_of_ghost_becomes_articles_and_pages_to_which_its_old_addresses_lead() {
    let app = App::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = written(folder.path());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = async || {
        let (ok, said) = commands::said(&app.settings, &arguments).await;
        assert!(ok, "{said}");
        said
    };
    let first = said().await;
    for line in [
        "articles: 2 read, 2 created, 0 changed, 0 unchanged, 0 refused",
        "pages: 1 read, 1 created",
        "by hand: 1 texts behind a password or private, which are drafts here",
    ] {
        assert!(first.contains(line), "{first}");
    }
    let second = said().await;
    assert!(
        second.contains("articles: 2 read, 0 created, 0 changed, 2 unchanged"),
        "{second}"
    );

    let browser = app.browser();
    let moved = browser.redirect("/a-tram/").await;
    assert_eq!(moved, (301, Some("/culture/a-tram/".to_owned())));
    for (path, status) in [("/us/", 200), ("/news/secret/", 404), ("/secret/", 404)] {
        assert_eq!(browser.get(path).await.status(), status, "{path}");
    }
    let id = crate::items::id_at(&browser, "/culture/a-tram/").await;
    let article = browser.json(&format!("/api/v2/articles/{id}/")).await;
    let text = article["body"].as_str().expect("a text");
    let picture = article["image_url"].as_str().expect("a picture");
    assert!(
        text.contains(&format!("<figure><img src=\"{picture}\" alt=\"A tram\"")),
        "{text}"
    );
    assert!(
        text.contains("<figcaption>On Queen Street</figcaption>")
            && text.contains("<a href=\"/us/\""),
        "{text}"
    );

    let file = folder.path().join("content/articles/culture/our-tram.md");
    fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let front = "name = \"Our tram\"\npublished = 2026-01-05\nmoved_from = [\"/culture/a-tram/\"]";
    fs::write(file, format!("+++\n{front}\n+++\n\nRetyped here.\n")).expect("written");
    let applied = city::apply(&app.settings, &folder.path().join("content")).await;
    assert!(applied.status.success(), "{applied:?}");
    let third = said().await;
    assert!(
        third.contains("articles: 2 read, 0 created, 0 changed, 2 unchanged"),
        "{third}"
    );
    until(
        "the file's article and its redirects are shown",
        async || {
            let article = browser.json(&format!("/api/v2/articles/{id}/")).await;
            let mut moved = article["name"] == "Our tram";
            for path in ["/a-tram/", "/culture/a-tram/"] {
                let expected = (301, Some("/culture/our-tram/".to_owned()));
                moved &= browser.redirect(path).await == expected;
            }
            moved.then_some(())
        },
    )
    .await;
    app.stop().await;
}

#[tokio::test]
async fn an_export_of_ghost_that_is_broken_or_refused_changes_nothing() {
    let (settings, database, folder) = migrated().await;
    let arguments = written(folder.path());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let file = folder.path().join("export.json");
    let whole = export();
    let trashed = whole.replacen("\"published\"", "\"trashed\"", 1);
    let deep = whole.replacen(
        "\"users\":[",
        &format!("\"users\":[{}", "[".repeat(100_000)),
        1,
    );
    for (export, why) in [
        (
            trashed.as_str(),
            "1 refused, more than the 0 of --refuse-at-most; nothing was imported",
        ),
        (&whole[..whole.len() - 40], "broken"),
        (&deep, "broken near line 1"),
        (
            "{\"db\": []}",
            "it is no export of Ghost: it has no table of posts; nothing was imported",
        ),
    ] {
        fs::write(&file, export).expect("written");
        let said = output_of(&run(&settings, &arguments).await);
        assert!(said.contains(why), "{said}");
        let items = "SELECT count(*) FROM editorial.items";
        assert_eq!(database.number(items).await, 0);
    }
}

//! `cityguide import articles`: a WordPress export becomes articles and pages, and its old addresses redirect to them.

use std::{fs, path::Path};

use cityguide::Settings;
use testkit::{
    picture,
    web::{Page, WebStandIn},
};

use crate::{
    app::App,
    commands::{migrated, run},
};

/// The beginning of an item's text.
const CONTENT: &str = "<content:encoded><![CDATA[";

/// An export with two articles, a draft, a page and a photograph.
fn export() -> String {
    let item = |kind: &str, id: u32, fields: &str| {
        format!(
            "<item><wp:post_type>{kind}</wp:post_type><wp:post_id>{id}</wp:post_id><dc:creator>ada</dc:creator>\
             <wp:status>publish</wp:status><wp:post_date_gmt>2013-01-11 20:22:19</wp:post_date_gmt>{fields}</item>\n"
        )
    };
    let items = [
        item(
            "post",
            7,
            &format!(
                "<title>A new streetcar</title><link>https://old.example/2013/01/11/a-new-streetcar/</link>\
                 <wp:post_name>a-new-streetcar</wp:post_name>{CONTENT}It is quiet.\n\n\
                 [caption width=\"300\"]<img src=\"https://old.example/wp-content/uploads/2013/01/tram-300x200.jpg\" alt=\"A tram\"> \
                 On Queen Street[/caption]\n\n<a href=\"https://old.example/2013/01/12/later/\">More</a>]]></content:encoded>\
                 <wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>9</wp:meta_value></wp:postmeta>"
            ),
        ),
        item(
            "post",
            8,
            &format!(
                "<title>Later</title><link>https://old.example/2013/01/12/later/</link><wp:post_name>later</wp:post_name>\
                 <category domain=\"category\" nicename=\"arts\"><![CDATA[Arts]]></category>\
                 {CONTENT}<!-- wp:paragraph --><p>Text.</p><!-- /wp:paragraph --><!-- wp:latest-posts /-->]]></content:encoded>"
            ),
        ),
        item(
            "post",
            10,
            "<title>Draft</title><wp:status>draft</wp:status><wp:post_name>draft</wp:post_name>",
        ),
        item(
            "page",
            11,
            "<title>Our story</title><link>https://old.example/about/our-story/</link><wp:post_name>our-story</wp:post_name>",
        ),
        item(
            "attachment",
            9,
            "<wp:attachment_url>https://old.example/wp-content/uploads/2013/01/tram.jpg</wp:attachment_url>",
        ),
    ];
    format!(
        "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel><link>https://old.example</link>\
         <wp:wxr_version>1.2</wp:wxr_version><wp:author><wp:author_login>ada</wp:author_login>\
         <wp:author_display_name>Ada King</wp:author_display_name></wp:author>\n{}</channel></rss>",
        items.concat()
    )
}

/// Writes the export, its pictures and a plan; returns the arguments of the command that imports them.
pub(crate) fn written(folder: &Path) -> Vec<String> {
    let uploads = folder.join("uploads");
    fs::create_dir_all(uploads.join("2013/01")).expect("made");
    fs::write(uploads.join("2013/01/tram.jpg"), picture::jpeg(640, 480, 7)).expect("written");
    fs::write(folder.join("export.xml"), export()).expect("written");
    fs::write(folder.join("plan.toml"), "[sections]\narts = \"culture\"\n").expect("written");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    vec![
        "import".to_owned(),
        "articles".to_owned(),
        path("export.xml"),
        "--plan".to_owned(),
        path("plan.toml"),
        "--pictures".to_owned(),
        path("uploads"),
        "--by-hand".to_owned(),
        path("by-hand.jsonl"),
    ]
}

#[tokio::test]
async fn an_export_becomes_articles_and_pages_to_which_its_old_addresses_lead() {
    let app = App::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = written(folder.path());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = async |more: &[&str]| {
        let output = run(&app.settings, &[&arguments, more].concat()).await;
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let foreseen = said(&["--dry-run"]).await;
    assert!(
        foreseen.contains("+ wordpress:old.example:7 at line 3\n"),
        "{foreseen}"
    );
    assert!(
        foreseen.ends_with("nothing was changed: this was a dry run\n"),
        "{foreseen}"
    );
    let first = said(&[]).await;
    assert!(
        first.contains("articles: 3 read, 3 created, 0 changed, 0 unchanged, 0 refused"),
        "{first}"
    );
    assert!(first.contains("pages: 1 read, 1 created"), "{first}");
    assert!(
        first.contains("by hand: 1 blocks that the former system filled"),
        "{first}"
    );
    let by_hand = fs::read_to_string(folder.path().join("by-hand.jsonl")).expect("written");
    let noted: serde_json::Value = serde_json::from_str(by_hand.trim()).expect("one line of JSON");
    assert_eq!(noted["detail"], "latest-posts");
    assert_eq!(noted["source_id"], "wordpress:old.example:8");
    let second = said(&[]).await;
    assert!(
        second.contains("articles: 3 read, 0 created, 0 changed, 3 unchanged, 0 refused"),
        "{second}"
    );

    let browser = app.browser();
    for (old, new) in [
        ("/2013/01/11/a-new-streetcar/", "/news/a-new-streetcar/"),
        ("/2013/01/11/a-new-streetcar", "/news/a-new-streetcar/"),
        ("/?p=7", "/news/a-new-streetcar/"),
        ("/2013/01/12/later/", "/culture/later/"),
        ("/about/our-story/", "/our-story/"),
        ("/?page_id=11", "/our-story/"),
    ] {
        let moved = browser.redirect(old).await;
        assert_eq!(moved, (301, Some(new.to_owned())), "{old}");
    }
    for (path, status) in [
        ("/news/draft/", 404),
        ("/?p=10", 200),
        ("/2013/01/13/never/", 404),
    ] {
        assert_eq!(browser.get(path).await.status(), status, "{path}");
    }

    let id = crate::items::id_at(&browser, "/news/a-new-streetcar/").await;
    let article = browser.json(&format!("/api/v2/articles/{id}/")).await;
    let text = article["body"].as_str().expect("a text");
    let (_, figure) = text.split_once("<figure><img src=\"").expect("a figure");
    let (address, rest) = figure.split_once('"').expect("an address");
    assert!(
        rest.starts_with(" alt=\"A tram\" loading=\"lazy\" width=\"640\" height=\"480\"><figcaption>On Queen Street</figcaption>"),
        "{rest}"
    );
    assert_eq!(article["image_url"], address);
    assert_eq!(
        browser.get(address).await.headers()["content-type"],
        "image/jpeg"
    );
    assert!(text.contains("<a href=\"/2013/01/12/later/\""), "{text}");
    app.stop().await;
}

#[tokio::test]
async fn pictures_that_the_folder_lacks_are_fetched_from_the_hosts_that_are_named() {
    let web = WebStandIn::start("127.0.0.2").await;
    let (mut settings, database, folder) = migrated().await;
    let arguments = written(folder.path());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let uploads = folder.path().join("uploads");
    let original = uploads.join("2013/01/tram.jpg");
    fs::remove_file(&original).expect("removed");
    let host = web.url("").trim_start_matches("http://").to_owned();
    let second = format!("[/caption]\n\n<img src=\"http://{host}/wp-content/uploads/gone.jpg\">");
    let export = export()
        .replace("https://old.example", &format!("http://{host}"))
        .replace("[/caption]", &second);
    fs::write(folder.path().join("export.xml"), export).expect("written");
    let (there, gone) = (
        "/wp-content/uploads/2013/01/tram.jpg",
        "/wp-content/uploads/gone.jpg",
    );
    web.set(there, Page::new("200 OK", &[], picture::jpeg(640, 480, 7)));
    let by_hand = async |settings: &Settings, more: &[&str]| {
        let output = run(settings, &[&arguments, more].concat()).await;
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        fs::read_to_string(folder.path().join("by-hand.jsonl")).expect("written")
    };
    let fetch = ["--fetch-from", host.as_str()];
    // A dry run stores nothing, hosts that are not named receive no requests, and hosts may not have addresses of this
    // network.
    for (more, why) in [
        (
            ["--fetch-from", &host, "--dry-run"].as_slice(),
            "it is not in the folder",
        ),
        (&["--fetch-from", "else.example"], "it is not in the folder"),
        (&fetch, "is no address of the public internet"),
    ] {
        let noted = by_hand(&settings, more).await;
        assert!(noted.contains(why), "{noted}");
        assert_eq!(web.asked(there), [""; 0]);
        assert!(!original.exists());
    }
    settings.sources.private_networks = vec!["127.0.0.2".parse().expect("a network")];
    let noted = by_hand(&settings, &fetch).await;
    assert!(
        noted.contains("it could not be fetched: it answered 404") && !noted.contains("tram"),
        "{noted}"
    );
    assert_eq!(
        fs::read(&original).expect("fetched"),
        picture::jpeg(640, 480, 7)
    );
    for path in [there, gone] {
        assert_eq!(web.asked(path).len(), 1, "{path} is asked for once");
    }
    let shown =
        "SELECT count(*) FROM editorial.items WHERE body_html LIKE '%<figure><img src=\"/media/%'";
    assert_eq!(database.number(shown).await, 1);
}

#[tokio::test]
async fn an_export_of_which_too_much_is_refused_or_that_breaks_off_changes_nothing() {
    let (settings, database, folder) = migrated().await;
    let arguments = written(folder.path());
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let file = folder.path().join("export.xml");
    let whole = export();
    let second = whole.replacen(">publish</wp:status>", ">trash</wp:status>", 1);
    let bomb = format!(
        "<!DOCTYPE rss [<!ENTITY a \"{}\">]><rss><channel>{}",
        "x".repeat(100),
        "<a>".repeat(10_000)
    );
    for (xml, why) in [
        (
            second.as_str(),
            "1 refused, more than the 0 of --refuse-at-most; nothing was imported",
        ),
        (&whole[..whole.len() - 40], "broken near line"),
        (&bomb, "nested more than 64 deep; nothing was imported"),
        (
            "PK\u{3}\u{4}",
            "it is neither an export of WordPress or Ghost nor a feed (RSS 2.0, Atom, JSON Feed); nothing was imported",
        ),
    ] {
        fs::write(&file, xml).expect("written");
        let output_of = crate::commands::output_of(&run(&settings, &arguments).await);
        assert!(output_of.contains(why), "{output_of}");
    }
    let plan = folder.path().join("plan.toml");
    fs::write(&file, &whole).expect("written");
    fs::write(&plan, "default_section = \"nowhere\"").expect("written");
    let output_of = crate::commands::output_of(&run(&settings, &arguments).await);
    assert!(
        output_of.contains("the site has no section \"nowhere\", but news, culture"),
        "{output_of}"
    );
    assert_eq!(
        database
            .number("SELECT count(*) FROM editorial.items")
            .await,
        0
    );
    // Refused items can be allowed by an option.
    fs::write(&plan, "").expect("written");
    fs::write(&file, second).expect("written");
    let output = run(
        &settings,
        &[arguments.as_slice(), &["--refuse-at-most", "1"]].concat(),
    )
    .await;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        database
            .number("SELECT count(*) FROM editorial.items")
            .await,
        3
    );
}

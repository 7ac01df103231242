//! `cityguide import articles` of feeds: the articles that readers see, and files that are truncated or malicious.

use std::{fs, path::Path};

use cityguide::Settings;

use crate::{app::App, commands::migrated, imports};

const COUNT: &str = "SELECT count(*) FROM editorial.items";

const RSS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"\
    xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><channel><link>https://old.example/</link>\n\
    <item><title>A new streetcar</title><link>https://old.example/2024/03/streetcar.html</link><guid>https://old.example/?p=7</guid>\
    <dc:creator>Ada King</dc:creator><category>Arts &amp; Letters</category><pubDate>Fri, 15 Mar 2024 19:19:23 -0400</pubDate>\
    <content:encoded><![CDATA[<p>It is <b>quiet</b>.</p>]]></content:encoded></item>\n\
    <item><title>Later</title><link>https://old.example/later/</link><guid>https://old.example/?p=8</guid>\
    <pubDate>Sat, 16 Mar 2024 19:19:23 -0400</pubDate><description>Text.</description></item>\n\
    <item><title>Neither id nor link</title></item>\n</channel></rss>";
const ATOM: &str = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><link href=\"https://desk.example/\"/><entry>\
    <id>https://desk.example/ferries</id><title>Ferries</title><link href=\"https://desk.example/2024/ferries/\"/>\
    <updated>2024-05-01T12:00:00Z</updated><content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>Fog.</p></div>\
    </content></entry></feed>";
const JSON: &str = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"home_page_url\": \"https://micro.example/\", \"items\": [\
    {\"id\": \"1\", \"url\": \"https://micro.example/2024/bike\", \"title\": \"Bikes\", \"content_text\": \"Ride.\", \
    \"date_published\": \"2024-06-01T08:00:00-04:00\"}]}";

async fn import(settings: &Settings, file: &Path, options: &[&str]) -> (bool, String) {
    imports::import_with(settings, "articles", file, options).await
}

#[tokio::test]
async fn feeds_of_every_form_become_articles_to_which_their_old_addresses_lead() {
    let app = App::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    // Neither the file's name nor an option specifies its format.
    let file = folder.path().join("feed");
    let plan = folder.path().join("plan.toml");
    fs::write(&plan, "[sections]\narts-letters = \"culture\"\n").expect("writes");
    let plan = plan.to_str().expect("UTF-8");
    let options = ["--plan", plan, "--refuse-at-most", "1"];
    fs::write(&file, RSS).expect("writes");
    let (ok, said) = import(&app.settings, &file, &["--plan", plan]).await;
    assert!(!ok && said.contains("1 refused, more than the 0"), "{said}");
    let (ok, said) = import(
        &app.settings,
        &file,
        &[&options[..], &["--dry-run"]].concat(),
    )
    .await;
    assert!(
        ok && said.contains("+ feed:old.example:https://old.example/?p=7 at line 3\n"),
        "{said}"
    );
    assert!(
        said.contains("line 5: it has neither an id nor a link"),
        "{said}"
    );
    for (feed, first, second) in [
        (
            RSS,
            "3 read, 2 created, 0 changed, 0 unchanged, 1 refused",
            "3 read, 0 created, 0 changed, 2 unchanged, 1 refused",
        ),
        (
            ATOM,
            "1 read, 1 created",
            "1 read, 0 created, 0 changed, 1 unchanged, 0 refused",
        ),
        (
            JSON,
            "1 read, 1 created",
            "1 read, 0 created, 0 changed, 1 unchanged, 0 refused",
        ),
    ] {
        fs::write(&file, feed).expect("writes");
        for counts in [first, second] {
            let (ok, said) = import(&app.settings, &file, &options).await;
            assert!(ok && said.contains(counts), "{said}");
        }
    }

    let browser = app.browser();
    for (old, new) in [
        ("/2024/03/streetcar.html", "/culture/streetcar/"),
        ("/?p=7", "/culture/streetcar/"),
        ("/later", "/news/later/"),
        ("/2024/ferries/", "/news/ferries/"),
        ("/2024/bike", "/news/bike/"),
    ] {
        let moved = browser.redirect(old).await;
        assert_eq!(moved, (301, Some(new.to_owned())), "{old}");
    }
    let id = crate::items::id_at(&browser, "/culture/streetcar/").await;
    let article = browser.json(&format!("/api/v2/articles/{id}/")).await;
    assert_eq!(article["body"], "<p>It is <strong>quiet</strong>.</p>\n");
    assert_eq!(article["published_on"], "March 15, 2024");
    app.stop().await;
}

#[tokio::test]
async fn a_broken_feed_is_one_line_with_a_reason_and_changes_nothing() {
    let (settings, database, folder) = migrated().await;
    let file = folder.path().join("feed");
    let bomb = format!(
        "<!DOCTYPE rss [<!ENTITY a \"{}\">]><rss><channel>{}",
        "x".repeat(100),
        "<item>".repeat(10_000)
    );
    let latin = RSS.replace("UTF-8", "ISO-8859-1");
    let utf16: Vec<u8> = format!("\u{feff}{ATOM}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (broken, reason) in [
        (&RSS.as_bytes()[..RSS.len() - 40], "broken near line"),
        (bomb.as_bytes(), "nested more than 64 deep"),
        (
            latin.as_bytes(),
            "its encoding is \"ISO-8859-1\", and only UTF-8 is read",
        ),
        (&utf16, "its encoding is UTF-16, and only UTF-8 is read"),
        (&JSON.as_bytes()[..JSON.len() - 3], "broken"),
        (b"{\"items\": []}", "it is no JSON Feed"),
    ] {
        fs::write(&file, broken).expect("writes");
        let (ok, said) = import(&settings, &file, &["--refuse-at-most", "9"]).await;
        let lines: Vec<_> = said
            .lines()
            .filter(|line| line.starts_with("cityguide: "))
            .collect();
        assert!(!ok && lines.len() == 1, "{said}");
        assert!(
            lines[0].contains(reason) && lines[0].contains("nothing was imported"),
            "{said}"
        );
        assert_eq!(database.number(COUNT).await, 0);
    }
}

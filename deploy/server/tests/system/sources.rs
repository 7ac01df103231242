//! Third-party feeds and calendars, polled over HTTP from a server that sometimes fails.

use std::{fs, process::Stdio, sync::Arc, time::Duration};

use chassis::clock::SystemClock;
use cityguide::Settings;
use tempfile::TempDir;
use testkit::{
    database::TestDatabase,
    until,
    web::{Page, WebStandIn},
};

use crate::{app::App, commands};

/// The only address of this machine that sources may use.
const REACHED: &str = "127.0.0.2";

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:fair\r\nDTSTART;VALUE=DATE:20301212\r\nSUMMARY:Winter fair\r\n\
    END:VEVENT\r\nEND:VCALENDAR\r\n";

fn feed(titles: &[&str]) -> String {
    let items = titles.iter().map(|title| {
        format!(
            "<item><title>{title}</title><guid>https://desk.example/{title}/</guid>\
             <description>Text with &lt;a href='https://desk.example/other/'&gt;a link&lt;/a&gt;.</description></item>"
        )
    });
    let items: String = items.collect();
    format!("<rss version='2.0'><channel><link>https://desk.example/</link>{items}</channel></rss>")
}

/// A site with sources: names, kinds, and paths at a stand-in.
struct Site {
    settings: Settings,
    database: TestDatabase,
    folder: TempDir,
    web: WebStandIn,
}

impl Site {
    async fn with(sources: &[(&str, &str, &str)]) -> Self {
        let web = WebStandIn::start(REACHED).await;
        let (mut settings, database, folder) = commands::migrated().await;
        let mut toml = fs::read_to_string(&settings.site.file).expect("a site");
        for (name, kind, path) in sources {
            let url = web.url(path);
            let source = format!(
                "\n[[sources]]\nname = \"{name}\"\nkind = \"{kind}\"\nurl = \"{url}\"\nevery_minutes = 30\n"
            );
            toml.push_str(&source);
        }
        settings.site.file = folder.path().join("site.toml");
        fs::write(&settings.site.file, toml).expect("writes");
        settings.sources.private_networks = vec![REACHED.parse().expect("a network")];
        settings.sources.max_megabytes = 1;
        settings.sources.timeout_seconds = 2;
        Self {
            settings,
            database,
            folder,
            web,
        }
    }

    async fn serve(&self) -> App {
        let blobs = tempfile::tempdir().expect("a folder");
        App::serve(self.settings.clone(), blobs, Arc::new(SystemClock)).await
    }

    async fn sources(&self, arguments: &[&str]) -> (bool, String) {
        commands::said(&self.settings, &[&["sources"], arguments].concat()).await
    }

    async fn content(&self, arguments: &[&str]) -> (bool, String) {
        commands::said(&self.settings, &[&["content"], arguments].concat()).await
    }

    async fn run(&self, statement: &'static str) {
        let mut connection = self.database.connection().await;
        let done = sqlx::query(statement).execute(&mut connection).await;
        done.expect("done");
    }

    /// Waits until a query counts something.
    async fn until(&self, what: &str, query: &'static str) {
        until(what, async || {
            (self.database.number(query).await > 0).then_some(())
        })
        .await;
    }
}

const DUE: &str = "UPDATE editorial.sources SET next_poll_at = now()";
const ITEMS: &str = "SELECT count(*) FROM editorial.items";

#[tokio::test]
async fn a_feed_becomes_drafts_and_a_calendar_events_and_what_has_not_changed_is_not_sent_again() {
    let site = Site::with(&[
        ("desk", "articles", "/feed"),
        ("hall", "events", "/hall.ics"),
    ])
    .await;
    let tag = ["ETag: \"1\""];
    site.web
        .set("/feed", Page::new("200 OK", &tag, feed(&["One", "Two"])));
    site.web
        .set("/hall.ics", Page::new("200 OK", &[], CALENDAR));
    let app = site.serve().await;
    site.until(
        "two drafts that name no page of this site",
        "SELECT (count(*) = 2)::int::bigint FROM editorial.items WHERE is_draft AND NOT is_live AND section = 'news'
             AND source_id LIKE 'source:desk:feed:desk.example:https://desk.example/%'
             AND body_html LIKE '%https://desk.example/other/%'",
    )
    .await;
    site.until(
        "an event that readers see",
        "SELECT count(*) FROM editorial.items WHERE kind = 'event' AND is_live AND source_id = 'source:hall:ical:fair'",
    )
    .await;
    assert_eq!(
        site.database
            .number("SELECT count(*) FROM editorial.moved_paths")
            .await,
        0
    );
    let of_desk = "SELECT count(*) FROM editorial.sources WHERE name = 'desk' AND lease IS NULL
        AND result = 'imported' AND created = 2 AND etag = '\"1\"'
        AND next_poll_at BETWEEN now() + interval '29 min' AND now() + interval '30 min'";
    site.until("the state", of_desk).await;

    site.web
        .set("/feed", Page::new("304 Not Modified", &[], ""));
    site.run(DUE).await;
    let unchanged =
        "SELECT count(*) FROM editorial.sources WHERE name = 'desk' AND result = 'unchanged'
        AND succeeded_at = polled_at AND created = 2";
    site.until("an unchanged feed", unchanged).await;
    assert!(site.web.asked("/feed")[1].contains("if-none-match: \"1\""));
    // The calendar has no entity tag; its content shows that it is unchanged.
    let same =
        "SELECT count(*) FROM editorial.sources WHERE name = 'hall' AND result = 'unchanged'";
    site.until("an unchanged calendar", same).await;

    // A changed feed is imported even if its entity tag has not changed.
    site.web.set(
        "/feed",
        Page::new("200 OK", &tag, feed(&["One", "Two", "Three"])),
    );
    site.run(DUE).await;
    let changed =
        "SELECT count(*) FROM editorial.sources WHERE name = 'desk' AND result = 'imported'
        AND created = 1 AND unchanged = 2";
    site.until("a changed feed", changed).await;

    let (ok, said) = site.sources(&[]).await;
    assert!(ok && said.contains("desk, articles every 30 min: imported; last import 1 created, 0 changed, 2 unchanged, 0 refused"), "{said}");
    assert!(
        said.contains("hall, events every 30 min: unchanged"),
        "{said}"
    );
    let (ok, said) = site.sources(&["poll", "desk"]).await;
    assert!(
        ok && said.contains("desk: 0 created, 0 changed, 3 unchanged, 0 refused"),
        "{said}"
    );
    let asked = site.web.asked("/feed");
    assert!(!asked.last().expect("asked").contains("if-none-match"));
    let (ok, said) = site.sources(&["poll", "nobody"]).await;
    assert!(
        !ok && said.contains("the site's file has no source \"nobody\""),
        "{said}"
    );
    app.stop().await;
}

#[tokio::test]
async fn an_editor_reads_a_draft_of_a_source_and_publishes_it_and_its_source_does_not_hide_it_again()
 {
    let site = Site::with(&[("desk", "articles", "/feed")]).await;
    site.web
        .set("/feed", Page::new("200 OK", &[], feed(&["One", "Two"])));
    let app = site.serve().await;
    site.until(
        "two drafts",
        "SELECT (count(*) = 2)::int::bigint FROM editorial.items WHERE is_draft",
    )
    .await;
    let (ok, said) = site.content(&["drafts"]).await;
    let of_one = said.lines().find(|line| line.contains("/news/one/"));
    let id = of_one.and_then(|line| line.split_whitespace().next());
    let (true, Some(id)) = (ok, id) else {
        panic!("{said}")
    };
    assert!(said.ends_with("2 drafts\n"), "{said}");
    let (ok, said) = site.content(&["draft", id]).await;
    assert!(ok && said.contains("Text with a link."), "{said}");

    let browser = app.browser();
    assert_eq!(browser.get("/news/one/").await.status(), 404);
    let (ok, said) = site.content(&["publish", id]).await;
    assert!(ok && said.contains("/news/one/ is published"), "{said}");
    until("readers see it", async || {
        (browser.get("/news/one/").await.status() == 200).then_some(())
    })
    .await;
    let (ok, said) = site.sources(&["poll", "desk"]).await;
    assert!(ok && said.contains("0 changed, 2 unchanged"), "{said}");
    assert_eq!(browser.get("/news/one/").await.status(), 200);
    let (ok, said) = site.content(&["publish", id]).await;
    assert!(!ok && said.contains(&format!("{id} is no draft")), "{said}");
    let (ok, said) = site.content(&["withdraw", id]).await;
    assert!(ok && said.contains("/news/one/ is a draft again"), "{said}");
    until("readers do not see it any more", async || {
        (browser.get("/news/one/").await.status() == 404).then_some(())
    })
    .await;
    app.stop().await;
}

/// Failing sources: their names, their responses, and the reported reasons.
fn unwell(inside: &WebStandIn) -> Vec<(&'static str, Page, &'static str)> {
    let to = |host: &str| format!("http://{host}:{}/feed", inside.address().port());
    let whole = feed(&["One", "Two"]);
    let (length, short) = (whole.len() + 100, whole.len() - 100);
    let longer = format!("Content-Length: {length}");
    let shorter = format!("Content-Length: {short}");
    let large = feed(&["x".repeat(2 << 20).as_str()]);
    let slow = format!("HTTP/1.1 200 OK\r\n\r\n{whole}");
    let not_public = "is no address of the public internet";
    let deep = format!("<rss><channel>{}", "<item>".repeat(10_000));
    vec![
        ("hangs", Page::Hang, "it took more than 2 s"),
        (
            "drips",
            Page::Drip(slow.into_bytes(), Duration::from_millis(50)),
            "it took more than 2 s",
        ),
        (
            "longer",
            Page::new("200 OK", &[&longer], &whole),
            "end of file before message length",
        ),
        (
            "shorter",
            Page::new("200 OK", &[&shorter], &whole),
            "broken near line 1",
        ),
        (
            "breaks-off",
            Page::new("200 OK", &[], &whole[..short]),
            "broken near line 1",
        ),
        (
            "large",
            Page::new("200 OK", &[], large),
            "it has more than 1024 KiB",
        ),
        ("loopback", Page::redirect(&to("127.0.0.1")), not_public),
        ("loopback6", Page::redirect("http://[::1]/"), not_public),
        (
            "metadata",
            Page::redirect("http://169.254.169.254/"),
            not_public,
        ),
        ("by-name", Page::redirect(&to("localhost")), not_public),
        (
            "for-ever",
            Page::redirect("/for-ever"),
            "it redirects more than 5 times",
        ),
        ("fails", Page::new("500 Oops", &[], ""), "it answered 500"),
        (
            "unasked",
            Page::new("304 Not Modified", &[], ""),
            "it answered 304, though nothing was known of it",
        ),
        (
            "deep",
            Page::new("200 OK", &[], deep),
            "nested more than 64 deep",
        ),
        (
            "html",
            Page::new("200 OK", &[], "<html><body/></html>"),
            "nor a feed",
        ),
        (
            "export",
            Page::new(
                "200 OK",
                &[],
                "<rss><channel><wp:wxr_version>1.2</wp:wxr_version></channel></rss>",
            ),
            "it is an export of a whole site, and no feed",
        ),
    ]
}

#[tokio::test]
async fn a_source_that_lies_hangs_or_leads_into_this_network_changes_nothing_and_its_state_says_why()
 {
    let inside = WebStandIn::start("127.0.0.1").await;
    inside.set("/feed", Page::new("200 OK", &[], feed(&["Inside"])));
    let pages = unwell(&inside);
    let paths: Vec<String> = pages.iter().map(|(name, ..)| format!("/{name}")).collect();
    let sources: Vec<_> = pages
        .iter()
        .zip(&paths)
        .map(|((name, ..), path)| (*name, "articles", path.as_str()))
        .collect();
    let site = Site::with(&sources).await;
    for ((_, page, _), path) in pages.iter().zip(&paths) {
        site.web.set(path, page.clone());
    }
    let app = site.serve().await;
    let all = "SELECT 1::bigint WHERE (SELECT count(*) FROM editorial.sources WHERE result = 'failed') = 16";
    testkit::until("all have failed", async || {
        let mut connection = site.database.connection().await;
        let found = sqlx::query_scalar::<_, i64>(all)
            .fetch_optional(&mut connection)
            .await;
        found.expect("a count")
    })
    .await;
    let (ok, said) = site.sources(&[]).await;
    assert!(ok, "{said}");
    for (name, _, why) in &pages {
        let line = said
            .lines()
            .find(|line| line.starts_with(&format!("{name}, ")));
        let line = line.unwrap_or_else(|| panic!("{name}: {said}"));
        assert!(
            line.contains("failed once (") && line.contains(why),
            "{line}"
        );
        assert!(line.contains("last success never"), "{line}");
    }
    assert_eq!(site.database.number(ITEMS).await, 0);
    assert_eq!(inside.asked("/feed"), Vec::<String>::new());
    let (ok, said) = site.sources(&["poll", "deep"]).await;
    assert!(
        !ok && said.contains("deep: broken near line 1") && said.contains("nothing was imported"),
        "{said}"
    );
    app.stop().await;
}

#[tokio::test]
async fn a_source_that_fails_is_asked_ever_more_rarely_and_recovers() {
    let site = Site::with(&[("desk", "articles", "/feed")]).await;
    site.web.set("/feed", Page::new("500 Oops", &[], ""));
    let app = site.serve().await;
    site.until(
        "a first failure",
        "SELECT count(*) FROM editorial.sources WHERE failures = 1
         AND next_poll_at BETWEEN polled_at + interval '29 s' AND polled_at + interval '61 s'",
    )
    .await;
    site.run("UPDATE editorial.sources SET next_poll_at = now(), failures = 5")
        .await;
    site.until(
        "a later failure",
        "SELECT count(*) FROM editorial.sources WHERE failures = 6
         AND next_poll_at BETWEEN polled_at + interval '15 min' AND polled_at + interval '33 min'",
    )
    .await;
    site.web
        .set("/feed", Page::new("503 Busy", &["Retry-After: 7200"], ""));
    site.run(DUE).await;
    site.until(
        "a server that wants two hours",
        "SELECT count(*) FROM editorial.sources WHERE failures = 7 AND next_poll_at = polled_at + interval '2 h'",
    )
    .await;
    site.web
        .set("/feed", Page::new("200 OK", &[], feed(&["One"])));
    site.run(DUE).await;
    site.until(
        "the recovery",
        "SELECT count(*) FROM editorial.sources WHERE failures = 0 AND result = 'imported' AND reason = '' AND created = 1",
    )
    .await;
    app.stop().await;
}

#[tokio::test]
async fn several_processes_poll_a_source_once_and_a_turn_that_nobody_ends_expires() {
    let site = Site::with(&[("desk", "articles", "/feed")]).await;
    let page = Page::new("200 OK", &["Content-Type: text/xml"], feed(&["One"]));
    site.web.set("/feed", page);
    let (one, other) = tokio::join!(site.serve(), site.serve());
    let polled =
        "SELECT count(*) FROM editorial.sources WHERE result IS NOT NULL AND lease IS NULL";
    site.until("a poll", polled).await;
    for _ in 0..3 {
        site.run(DUE).await;
        let due =
            "SELECT count(*) FROM editorial.sources WHERE next_poll_at > now() AND lease IS NULL";
        site.until("the next one", due).await;
    }
    // A second poll of an earlier turn would have ended before a later one.
    assert_eq!(site.web.asked("/feed").len(), 4);

    // A killed process has left its lease behind.
    site.run(
        "UPDATE editorial.sources SET lease = gen_random_uuid(), leased_until = now() + interval '1 h', next_poll_at = now()",
    )
    .await;
    let (ok, said) = site.sources(&["poll", "desk"]).await;
    assert!(
        !ok && said.contains("desk is being polled by another process"),
        "{said}"
    );
    assert_eq!(site.web.asked("/feed").len(), 4);
    site.run("UPDATE editorial.sources SET leased_until = now()")
        .await;
    site.until(
        "another process takes the turn",
        "SELECT count(*) FROM editorial.sources WHERE lease IS NULL",
    )
    .await;
    assert_eq!(site.web.asked("/feed").len(), 5);
    one.stop().await;
    other.stop().await;
    drop(site.folder);
}

#[tokio::test]
async fn a_process_measures_its_polls_and_how_old_its_sources_are() {
    let mut site = Site::with(&[("desk", "articles", "/feed"), ("hall", "events", "/gone")]).await;
    site.web
        .set("/feed", Page::new("200 OK", &[], feed(&["One"])));
    site.settings.http.listen = crate::site::free();
    site.settings.http.internal_listen = crate::site::free();
    let mut serving = commands::program(&site.settings);
    serving
        .arg("serve")
        .stdout(Stdio::null())
        .kill_on_drop(true);
    let mut serving = serving.spawn().expect("starts");
    let url = format!("http://{}/metrics", site.settings.http.internal_listen);
    let wanted = [
        "source_polls_total{source=\"desk\",outcome=\"imported\"} 1",
        "source_polls_total{source=\"hall\",outcome=\"failed\"} 1",
        "source_poll_seconds_count{source=\"desk\"} 1",
        "source_interval_seconds{source=\"desk\"} 1800",
        "source_age_seconds{source=\"hall\"} ",
    ];
    until("the metrics", async || {
        let page = reqwest::get(&url).await.ok()?.text().await.ok()?;
        wanted.iter().all(|line| page.contains(line)).then_some(())
    })
    .await;
    serving.kill().await.expect("it ran");
}

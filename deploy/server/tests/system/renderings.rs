//! Writes pages as the gateway serves them, for the tests that compare them with the application's rendering
//! (`web/renderings/`). Each site becomes a file of the folder that `cargo xtask test unit` names.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use chassis::clock::Clock as _;
use chrono::{TimeZone as _, Utc};
use cityguide::Settings;
use reqwest::StatusCode;
use serde_json::{Value, json};
use testkit::{clock::ManualClock, database::TestDatabase, picture, until};

use crate::{
    app::{self, App, Browser},
    city, commands,
};

/// The photos of a place in `tests/fixtures/renderings/`.
const PHOTOS: usize = 6;

/// The variable that names the folder for the pages.
const FOLDER: &str = "CITYGUIDE_TEST_RENDERINGS";

/// The site's own pages.
const OWN: [&str; 28] = [
    "/",
    "/places/",
    "/neighbourhoods/",
    "/events/",
    "/tonight/",
    "/tonight/?at=23%3A00",
    "/contests/",
    "/videos/",
    "/archives/",
    "/contact/",
    "/newsletters/",
    "/advertising/",
    "/search",
    "/search?q=a+%26+b",
    "/search?q=the",
    "/search?q=dumplinggs",
    "/search?category=places&q=bars+near+me",
    "/search?category=events&q=the",
    "/search?q=xylophone",
    "/search?category=events&q=xylophone",
    "/accounts/login",
    "/accounts/reset-password",
    "/accounts/confirm-email",
    "/accounts/receipt",
    "/profiles/facebook-deletion",
    "/profiles/logout",
    "/toronto/",
    "/news/",
];

/// Pages of the city's objects: an ordinary one of each kind, and one for each condition that changes the page.
const OBJECTS: [&str; 31] = [
    "/restaurants/everything/",
    "/restaurants/bare/",
    "/restaurants/empty-review/",
    "/restaurants/dovecote-supper/",
    "/bars/long/",
    "/bars/longwave/",
    "/cannabis-shops/the-greenhouse-counter/",
    "/restaurants/",
    "/observatories/",
    "/cannabis-shops/",
    "/neighbourhoods/the-junction/",
    "/neighbourhoods/chinatown/",
    "/toronto/bars/",
    "/toronto/patios/",
    "/news/everything/",
    "/news/bare/",
    "/news/two-authors/",
    "/food/what-the-cannabis-kitchen-learned/",
    "/culture/a-listening-bar-plays-one-record-all-night/",
    "/events/everything/",
    "/events/all-day/",
    "/events/over/",
    "/events/restricted/",
    "/contests/win-a-year-of-soup/",
    "/contests/closed/",
    "/contests/soon/",
    "/contests/restricted/",
    "/videos/how-to-fold-a-dumpling/",
    "/videos/bare/",
    "/videos/restricted/",
    "/privacy/",
];

/// Pages that contain something of each section.
const SOME: [&str; 8] = [
    "/",
    "/places/",
    "/news/",
    "/events/",
    "/toronto/",
    "/restaurants/everything/",
    "/news/everything/",
    "/events/everything/",
];

/// Links that the demo city's sites lack.
const LINKS: &str = r#"legal_age = 19
masthead = { label = "Masthead", href = "/masthead/" }
app = { label = "Get the app", href = "https://app.example/" }
"#;
const MORE_LINKS: &str = r#"
[[navigation]]
label = "Maps"
href = "https://maps.example/"
external = true

[[social]]
label = "Mastodon"
href = "https://social.example/@loop"
"#;
const LOGO: &str = r#"
[logo]
file = "logo.svg"
width = 160
height = 40
"#;

/// A site, made of a file of `deploy/sites/`.
struct Variant {
    name: &'static str,
    file: &'static str,
    without: &'static [&'static str],
    more: &'static str,
    paths: Vec<&'static str>,
}

impl Variant {
    fn new(name: &'static str, file: &'static str, paths: &[&'static str]) -> Self {
        Self {
            name,
            file,
            without: &[],
            more: "",
            paths: paths.to_vec(),
        }
    }

    fn with(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    fn without(self, without: &'static [&'static str]) -> Self {
        Self { without, ..self }
    }

    /// Writes the site's file into a folder.
    fn write(&self, folder: &Path) -> PathBuf {
        let original = repository().join("deploy/sites").join(self.file);
        let mut text = fs::read_to_string(original).expect("reads");
        for section in self.without {
            let (on, off) = (
                format!("\n{section} = true\n"),
                format!("\n{section} = false\n"),
            );
            assert!(text.contains(&on), "{section} is on in {}", self.file);
            text = text.replacen(&on, &off, 1);
        }
        text = text.replacen("legal_age = 19\n", LINKS, 1) + self.more;
        fs::write(
            folder.join("logo.svg"),
            include_str!("../../../../web/public/icon.svg"),
        )
        .expect("writes");
        let file = folder.join(format!("{}.toml", self.name));
        fs::write(&file, text).expect("writes");
        file
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A database with the content of all sites, and the folder of its files.
struct Content {
    settings: Settings,
    database: TestDatabase,
    clock: Arc<ManualClock>,
    folder: tempfile::TempDir,
}

impl Content {
    /// Without content. It is half past nine on New Year's Eve in the city, and already next year in UTC.
    async fn none() -> Self {
        let clock = ManualClock::shared();
        clock.set(
            Utc.with_ymd_and_hms(2027, 1, 1, 2, 30, 0)
                .single()
                .expect("an instant"),
        );
        let database = app::database().await;
        let folder = tempfile::tempdir().expect("a folder");
        Self {
            settings: app::settings(&database, &folder),
            database,
            clock,
            folder,
        }
    }

    /// The demo city, with inspections, votes and a thing for each condition that changes a page.
    async fn demo_city() -> Self {
        let content = Self::none().await;
        let Self {
            settings, folder, ..
        } = &content;
        apply(settings, &repository().join("deploy/demo")).await;
        let more = folder.path().join("more");
        copy(&app::fixture("renderings"), &more);
        fs::create_dir(more.join("pictures")).expect("a folder");
        let photos = (1..=PHOTOS).map(|number| format!("photo-{number}"));
        for (seed, name) in (0..).zip(photos.chain(["front".to_owned()])) {
            let file = more.join(format!("pictures/{name}.jpg"));
            fs::write(file, picture::jpeg(900, 600, seed)).expect("writes");
        }
        apply(settings, &more).await;
        let register = repository().join("deploy/demo-inspections.csv");
        let review = folder.path().join("review.csv");
        let [register, review] = [register, review].map(|path| path.display().to_string());
        let (ok, said) = commands::said(
            settings,
            &["import", "inspections", &register, "--review", &review],
        )
        .await;
        assert!(ok, "{said}");
        let votes = "INSERT INTO places.listing_votes (listing_id, count, sum)
            SELECT id, count, count + id * 7 % (4 * count + 1)
            FROM (SELECT id, id % 80 * 20 + 1 AS count FROM places.listings WHERE id % 5 > 0) AS votes
            ON CONFLICT (listing_id) DO UPDATE SET count = excluded.count, sum = excluded.sum";
        let mut connection = content.database.connection().await;
        let inserted = sqlx::query(votes)
            .execute(&mut connection)
            .await
            .expect("votes");
        assert!(inserted.rows_affected() > 100);
        content
    }

    /// Serves a site with this content, and writes its pages.
    async fn write(&self, variant: Variant) {
        let mut settings = self.settings.clone();
        settings.site.file = variant.write(self.folder.path());
        let unused = tempfile::tempdir().expect("a folder");
        let app = Box::pin(App::serve(settings, unused, self.clock.clone())).await;
        let browser = app.browser();
        until("everything is indexed", async || {
            let due = self
                .database
                .number("SELECT count(*) FROM editorial.search_due")
                .await;
            (due == 0).then_some(())
        })
        .await;
        let mut pages = Vec::new();
        for path in &variant.paths {
            let mut page = page(&browser, path).await;
            // The application fetches the name of an event's neighbourhood.
            if path.starts_with("/events/") && !variant.without.contains(&"neighbourhoods") {
                let call = "/api/v2/neighbourhoods/";
                page["answers"][call] = browser.json(call).await;
            }
            // The day's file is too large for the page.
            if path.starts_with("/tonight/") {
                let call = "/api/v2/tonight/";
                page["answers"][call] = browser.json(call).await;
            }
            pages.push(page);
        }
        if variant.paths.contains(&"/restaurants/everything/") && variant.without.is_empty() {
            pages.push(page(&browser, &photo(&browser).await).await);
        }
        app.stop().await;
        let Some(folder) = env::var_os(FOLDER) else {
            return;
        };
        let site = json!({"now": self.clock.now(), "origin": app::ORIGIN, "pages": pages});
        let file = Path::new(&folder).join(format!("{}.json", variant.name));
        fs::write(file, site.to_string()).expect("writes");
    }
}

async fn apply(settings: &Settings, folder: &Path) {
    let output = city::apply(settings, folder).await;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
}

fn copy(from: &Path, to: &Path) {
    for file in city::files_below(from) {
        let copy = to.join(file.strip_prefix(from).expect("below it"));
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        fs::copy(file, copy).expect("copies");
    }
}

/// A page's path and HTML, without answers to further calls.
async fn page(browser: &Browser, path: &str) -> Value {
    let response = browser.get(path).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let html = response.text().await.expect("a body");
    assert!(html.contains("<main "), "{path}: {html}");
    json!({"path": path, "html": html, "answers": {}})
}

/// The path of a photo over the page of its place.
async fn photo(browser: &Browser) -> String {
    let photo = until("the photos are published", async || {
        let photos = browser.json("/api/v2/photos/").await;
        let results = photos["results"].as_array()?;
        (results.len() == PHOTOS).then(|| results[1].clone())
    })
    .await;
    photo["share_path"].as_str().expect("a path").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_a_full_city_are_written() {
    let content = Content::demo_city().await;
    let all = [&OWN[..], &OBJECTS].concat();
    for variant in [
        Variant::new("guide", "guide.toml", &all).with(MORE_LINKS),
        Variant::new("news", "news.toml", &SOME).with(LOGO),
        Variant::new(
            "guide without places",
            "guide.toml",
            &[
                "/",
                "/news/",
                "/events/",
                "/toronto/",
                "/news/everything/",
                "/events/everything/",
                "/events/all-day/",
                "/search",
                "/search?q=the",
                "/search?q=xylophone",
            ],
        )
        .without(&["listings", "contests", "videos"]),
        Variant::new(
            "guide without stories",
            "guide.toml",
            &[
                "/",
                "/places/",
                "/contests/",
                "/videos/",
                "/restaurants/everything/",
                "/restaurants/",
                "/search",
                "/search?category=events&q=the",
            ],
        )
        .without(&["best_of", "neighbourhoods", "articles", "events"]),
        Variant::new(
            "news without stories",
            "news.toml",
            &[
                "/",
                "/places/",
                "/events/",
                "/events/everything/",
                "/videos/",
                "/restaurants/everything/",
            ],
        )
        .without(&["articles", "best_of", "neighbourhoods"]),
    ] {
        content.write(variant).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_an_empty_city_are_written() {
    let content = Content::none().await;
    let lists = [
        "/",
        "/places/",
        "/neighbourhoods/",
        "/events/",
        "/tonight/",
        "/contests/",
        "/videos/",
        "/archives/",
        "/toronto/",
        "/news/",
    ];
    for (name, file) in [("empty guide", "guide.toml"), ("empty news", "news.toml")] {
        content.write(Variant::new(name, file, &lists)).await;
    }
}

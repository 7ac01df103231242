//! Backups are made while readers write, and restored after the site is destroyed.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use age::x25519::Identity;
use chassis::clock::SystemClock;
use cityguide::{BackupSettings, Settings};
use reqwest::{Method, header};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tempfile::TempDir;
use testkit::{
    bucket,
    database::{SERVER, TestDatabase, connect},
    environment, letters, until,
};

use crate::{
    ads,
    app::{self, App, Browser, PASSWORD, answer},
    city::files_below,
    commands::{migrated, output_of, run, said},
    departures, photos, roles,
    site::Site,
};

const EVE: &str = "eve@example.com";

/// A store of backups, their keys, and the register of erasures.
struct Store {
    folder: TempDir,
    identity: PathBuf,
    settings: BackupSettings,
}

impl Store {
    fn in_folder() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let key = Identity::generate();
        let identity = folder.path().join("identity");
        write_key(&identity, &key);
        let mut settings = Settings::load(None).expect("the defaults are valid").backup;
        settings.folder = folder.path().join("backups");
        settings.recipients = vec![key.to_public().to_string()];
        Self {
            folder,
            identity,
            settings,
        }
    }

    /// A bucket on a server that ends with the test.
    async fn in_bucket() -> Self {
        let mut store = Self::in_folder();
        let files = store.folder.path().join("s3");
        fs::create_dir_all(files.join("backups")).expect("a bucket");
        let address = bucket::serve(&files).await;
        store.settings.s3 = bucket::settings(address, "backups", bucket::SECRET);
        store.settings.folder = PathBuf::new();
        store
    }

    /// Makes a site use this store.
    fn configure(&self, settings: &mut Settings) {
        settings.backup = self.settings.clone();
        settings.erasures.folder = self.folder.path().join("register");
        settings.mail.folder = self.folder.path().join("mail");
    }

    fn identity(&self) -> &str {
        self.identity.to_str().expect("a path in UTF-8")
    }

    /// The files of backups below a folder of the store.
    fn files(&self, folder: &str) -> Vec<PathBuf> {
        files_below(&self.settings.folder.join(folder))
    }

    fn file(&self, folder: &str, end: &str) -> PathBuf {
        let mut files = self.files(folder).into_iter();
        let found = files.find(|file| file.to_string_lossy().ends_with(end));
        found.unwrap_or_else(|| panic!("{folder} has no {end}"))
    }
}

fn write_key(file: &Path, key: &Identity) {
    use age::secrecy::ExposeSecret as _;
    let text = format!("# created by a test\n{}\n", key.to_string().expose_secret());
    fs::write(file, text).expect("writes");
}

/// Runs a command that must succeed; returns its output.
async fn done(settings: &Settings, arguments: &[&str]) -> String {
    let (is_well, output) = said(settings, arguments).await;
    assert!(is_well, "{arguments:?}: {output}");
    output
}

async fn number(connection: &mut PgConnection, query: &str) -> i64 {
    let query = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
    query.fetch_one(connection).await.expect("a number")
}

/// Deletes a stopped site's database. Its files are deleted when it stops.
async fn destroy(settings: &Settings) {
    let (_, name) = settings.database.url.rsplit_once('/').expect("a name");
    let drop = format!("DROP DATABASE {name} WITH (FORCE)");
    sqlx::raw_sql(AssertSqlSafe(drop))
        .execute(&mut connect(&environment(SERVER)).await)
        .await
        .expect("drops");
    assert!(!settings.blobs.folder.exists(), "the files are deleted");
}

/// Settings of a new server with an empty database and an empty folder.
async fn new_server(settings: &Settings) -> (Settings, TempDir) {
    let database = TestDatabase::create_on(&environment(SERVER)).await;
    let blobs = tempfile::tempdir().expect("a folder");
    let mut new = settings.clone();
    new.database = database.settings();
    new.blobs.folder = blobs.path().into();
    (new, blobs)
}

/// Saves and removes favourites until stopped.
fn write_favourites(browser: Browser, ended: Arc<AtomicBool>) -> tokio::task::JoinHandle<usize> {
    tokio::spawn(async move {
        let mut writes = 0;
        while !ended.load(Ordering::Relaxed) {
            for listing in 1..=5 {
                let body = json!({"listing": listing});
                let (status, made) = answer(browser.post("/api/v2/favourites/", &body).await).await;
                assert!(matches!(status, 200 | 201), "{made}");
                writes += 1;
                if listing % 2 == 0 {
                    let path = format!("/api/v2/favourites/{}/", made["id"]);
                    assert_eq!(browser.delete(&path).await.status(), 204);
                }
            }
        }
        writes
    })
}

/// The picture at the first address in a list of photos.
async fn picture(browser: &Browser, photos: &Value) -> Vec<u8> {
    let text = photos.to_string();
    let address = text.split('"').find_map(|text| {
        let start = text.find("/media/")?;
        Some(&text[start..])
    });
    let address = address.unwrap_or_else(|| panic!("no address: {text}"));
    let response = browser.get(address).await;
    assert_eq!(response.status(), 200, "{address}");
    response.bytes().await.expect("a picture").to_vec()
}

/// Facts about a site that a restore must preserve.
struct Facts {
    photos: Value,
    picture: Vec<u8>,
    receipt: Value,
    consent: String,
    ad_events: i64,
}

async fn facts(settings: &Settings, browser: &Browser, receipt: &str) -> Facts {
    let photos = browser.json("/api/v2/photos/?listing=3").await["results"].clone();
    let mut database = connect(&settings.database.url).await;
    Facts {
        picture: picture(browser, &photos).await,
        photos,
        receipt: browser.json(&format!("/api/v2/receipts/{receipt}/")).await,
        consent: done(settings, &["consent", "show", departures::ADA]).await,
        ad_events: number(&mut database, "SELECT count(*) FROM ads.events").await,
    }
}

async fn see_ad(browser: &Browser) {
    let page = ads::shown(browser).await;
    let token = &page["results"][0]["creative"]["token"];
    let events = json!({"events": [{"kind": "impression", "token": token}]});
    let request = browser.request(Method::POST, ads::EVENTS);
    let request = request.header(header::USER_AGENT, ads::AGENT).json(&events);
    let (status, body) = answer(request.send().await.expect("answers")).await;
    assert_eq!(status, 200, "{body}");
}

async fn a_destroyed_site_is_restored(store: Store) {
    let site = Site::in_one_process(|settings| store.configure(settings)).await;
    let settings = site.settings().clone();
    departures::reader(&site).await;
    photos::publish(&site, 3).await;
    ads::apply(&settings, 1_000_000_000).await;
    see_ad(&site.browser()).await;
    let bob = site.browser();
    bob.sign_up("bob@example.com").await;
    assert_eq!(departures::erase(&bob, PASSWORD).await.0, 204);
    let receipt = departures::receipt_link(&site, "bob@example.com").await;
    let eve = site.browser();
    eve.sign_up(EVE).await;
    let before = facts(&settings, &site.browser(), &receipt).await;

    let writer = site.browser();
    writer.sign_up("writer@example.com").await;
    let ended = Arc::new(AtomicBool::new(false));
    let writing = write_favourites(writer, Arc::clone(&ended));
    done(&settings, &["backup"]).await;
    ended.store(true, Ordering::Relaxed);
    assert!(writing.await.expect("all writes succeed") > 0);
    done(&settings, &["verify", "--identity", store.identity()]).await;

    assert_eq!(departures::erase(&eve, PASSWORD).await.0, 204);
    let register = store.folder.path().join("register");
    until("both erasures are registered", async || {
        (files_below(&register).len() == 2).then_some(())
    })
    .await;
    let Site::Whole(app) = site else {
        panic!("it is one process");
    };
    app.stop().await;
    destroy(&settings).await;

    let (settings, blobs) = new_server(&settings).await;
    let restored = done(&settings, &["restore", "--identity", store.identity()]).await;
    assert!(
        restored.contains("1 accounts that were erased since are erased again"),
        "{restored}"
    );
    let app = App::serve(settings.clone(), blobs, Arc::new(SystemClock)).await;
    app.browser().sign_in(departures::ADA).await;
    let after = facts(&settings, &app.browser(), &receipt).await;
    assert_eq!(after.photos, before.photos);
    assert!(after.picture == before.picture);
    assert_eq!(after.receipt, before.receipt);
    assert_eq!(after.consent, before.consent);
    assert_eq!((after.ad_events, before.ad_events), (1, 1));
    for check in [["consent", "verify"], ["ads", "verify"]] {
        done(&settings, &check).await;
    }
    let file = store.folder.path().join("receipt.json");
    fs::write(&file, after.receipt.to_string()).expect("writes");
    done(
        &settings,
        &["receipts", "verify", file.to_str().expect("a path")],
    )
    .await;

    let mut database = connect(&settings.database.url).await;
    let differing = "SELECT count(*) FROM bookmarks.stamps s WHERE s.count <> (
        SELECT count(*) FROM bookmarks.bookmarks b WHERE b.profile_id = s.profile_id AND b.kind = s.kind)";
    assert_eq!(
        number(&mut database, differing).await,
        0,
        "the backup is one snapshot"
    );
    until("the erasure is repeated", async || {
        let query = format!("SELECT count(*) FROM identity.profiles WHERE email = '{EVE}'");
        (number(&mut database, &query).await == 0).then_some(())
    })
    .await;
    // New rows do not reuse the numbers of restored ones.
    app.browser().sign_up("newcomer@example.com").await;
    app.stop().await;
}

#[tokio::test]
async fn a_destroyed_site_is_restored_from_a_folder() {
    Box::pin(a_destroyed_site_is_restored(Store::in_folder())).await;
}

#[tokio::test]
async fn a_destroyed_site_is_restored_from_a_bucket() {
    let store = Store::in_bucket().await;
    Box::pin(a_destroyed_site_is_restored(store)).await;
}

/// Flips a bit of the last byte of a file.
fn flip(file: &Path) {
    let mut content = fs::read(file).expect("reads");
    *content.last_mut().expect("bytes") ^= 1;
    fs::write(file, content).expect("writes");
}

#[tokio::test]
async fn damage_and_missing_keys_are_named_and_nothing_is_half_restored() {
    let (mut settings, database, blobs) = migrated().await;
    let store = Store::in_folder();
    store.configure(&mut settings);
    fs::write(blobs.path().join("picture.png"), "a picture").expect("writes");
    done(&settings, &["backup"]).await;
    let mut connection = database.connection().await;
    let recorded = "SELECT count(*) FROM identity.last_backup WHERE at > '2026-01-01'";
    assert_eq!(number(&mut connection, recorded).await, 1);
    let with_key = ["verify", "--identity", store.identity()];
    for check in [with_key.as_slice(), &["verify"]] {
        done(&settings, check).await;
        for file in [
            store.file("backups", "places.listings"),
            store.files("blobs")[0].clone(),
        ] {
            flip(&file);
            let (is_well, output) = said(&settings, check).await;
            let name = file.file_name().expect("a name").to_string_lossy();
            let named = output
                .lines()
                .filter(|line| line.starts_with("BAD"))
                .collect::<Vec<_>>();
            assert!(
                !is_well && named.len() == 1 && named[0].contains(&*name),
                "{output}"
            );
            flip(&file);
        }
    }
    let lost = store.file("backups", "places.listings");
    let content = fs::read(&lost).expect("reads");
    fs::remove_file(&lost).expect("deletes");
    let (_, output) = said(&settings, &["verify"]).await;
    assert!(output.contains("places.listings is missing"), "{output}");

    // A restore into the site's own database is refused. A failed restore leaves a database on which no site starts.
    let restore = ["restore", "--identity", store.identity()];
    let refused = output_of(&run(&settings, &restore).await);
    assert!(refused.contains("already has the schema"), "{refused}");
    let (new, _new_blobs) = new_server(&settings).await;
    let failed = output_of(&run(&new, &restore).await);
    assert!(failed.contains("places.listings is missing"), "{failed}");
    let refused = output_of(&run(&new, &["serve"]).await);
    assert!(refused.contains("a restore has not ended"), "{refused}");
    fs::write(&lost, content).expect("writes");
    done(&new, &restore).await;
    let restored = fs::read(new.blobs.folder.join("picture.png"));
    assert_eq!(restored.expect("restored"), b"a picture");

    let other = store.folder.path().join("other");
    write_key(&other, &Identity::generate());
    let other = other.to_str().expect("a path");
    let (_, output) = said(&settings, &["verify", "--identity", other]).await;
    assert!(output.contains("lacks the private key"), "{output}");
    let mut keyless = settings.clone();
    keyless.internal.key = "another key of the same length, or longer".to_owned();
    let (_, output) = said(&keyless, &["verify"]).await;
    assert!(
        output.contains("internal.key lacks the key with the fingerprint"),
        "{output}"
    );
    let (mut empty, _empty_blobs) = new_server(&keyless).await;
    let refused = output_of(&run(&empty, &restore).await);
    assert!(refused.contains("internal.key lacks"), "{refused}");
    empty.internal.key.clone_from(&settings.internal.key);

    let manifest = store.file("backups", "manifest.json");
    let text = fs::read_to_string(&manifest).expect("reads");
    fs::write(&manifest, text.replace("\"count\": 1", "\"count\": 2")).expect("writes");
    let refused = output_of(&run(&empty, &restore).await);
    assert!(
        refused.contains("was changed after the backup"),
        "{refused}"
    );
    fs::write(
        &manifest,
        text.replace("\"versions\": [", "\"versions\": [29991231000000,"),
    )
    .expect("writes");
    empty.internal.key.clear();
    empty.erasures.folder = PathBuf::new();
    let refused = output_of(&run(&empty, &[&restore[..], &["--as-copy"]].concat()).await);
    assert!(refused.contains("newer than this program"), "{refused}");
}

#[tokio::test]
async fn known_files_are_not_sent_again_and_old_backups_are_deleted_with_their_files() {
    let (mut settings, _database, blobs) = migrated().await;
    let store = Store::in_folder();
    store.configure(&mut settings);
    for (name, content) in [("first.png", "first"), ("second.png", "second")] {
        fs::write(blobs.path().join(name), content).expect("writes");
    }
    let output = done(&settings, &["backup"]).await;
    assert!(output.contains("2 files are new, 0 old"), "{output}");
    let sent = store.files("blobs");
    fs::remove_file(blobs.path().join("first.png")).expect("deletes");
    fs::write(blobs.path().join("third.png"), "third").expect("writes");
    // A backup that was interrupted has no manifest.
    fs::create_dir_all(store.settings.folder.join("backups/20260101T000000000Z"))
        .expect("a folder");
    fs::write(
        store
            .settings
            .folder
            .join("backups/20260101T000000000Z/blobs"),
        "",
    )
    .expect("writes");
    let output = done(&settings, &["backup", "--without-database"]).await;
    assert!(
        output.contains("0 tables, 2 files; 1 files are new, 1 old"),
        "{output}"
    );
    assert_eq!(store.files("blobs").len(), 3);
    let output = done(&settings, &["backup", "--keep", "1"]).await;
    assert!(output.contains("0 files are new, 2 old"), "{output}");
    let left = store.files("blobs");
    assert_eq!(left.len(), 2, "{left:?}");
    let reused = left.iter().filter(|file| sent.contains(file));
    assert_eq!(reused.count(), 1);
    done(&settings, &["verify", "--identity", store.identity()]).await;
}

#[tokio::test]
async fn a_copy_sends_no_mail_until_it_becomes_the_site() {
    let (mut settings, _database, _blobs) = migrated().await;
    let store = Store::in_folder();
    store.configure(&mut settings);
    done(&settings, &["backup"]).await;
    let (mut copy, blobs) = new_server(&settings).await;
    copy.mail.folder = blobs.path().join("mail");
    let restore = ["restore", "--identity", store.identity(), "--as-copy"];
    done(&copy, &restore).await;
    let (_, doctor) = said(&copy, &["doctor"]).await;
    assert!(doctor.contains("a restored copy"), "{doctor}");
    let refused = output_of(&run(&copy, &["backup"]).await);
    assert!(refused.contains("a restored copy"), "{refused}");
    let app = App::serve(copy.clone(), blobs, Arc::new(SystemClock)).await;
    let browser = app.browser();
    browser.sign_up(EVE).await;
    let path = "/api/v2/profiles/reset-password/";
    let (status, body) = answer(browser.post(path, &json!({"email": EVE})).await).await;
    assert!(matches!(status, 200..=204), "{body}");
    let mut database = PgConnection::connect(&copy.database.url)
        .await
        .expect("connects");
    let waiting = "SELECT count(*) FROM identity.jobs WHERE kind = 'mail' AND attempts = 0";
    until("other jobs run, and both letters wait", async || {
        (number(&mut database, waiting).await == 2).then_some(())
    })
    .await;
    assert_eq!(letters::in_folder(&copy.mail.folder).len(), 0);
    app.stop().await;
    done(&copy, &["promote"]).await;
    let blobs = tempfile::tempdir().expect("a folder");
    copy.mail.folder = blobs.path().join("mail");
    let app = App::serve(copy.clone(), blobs, Arc::new(SystemClock)).await;
    until("the letters are sent", async || {
        (letters::in_folder(&copy.mail.folder).len() == 2).then_some(())
    })
    .await;
    app.stop().await;
}

#[tokio::test]
async fn the_role_of_commands_may_read_everything_that_a_backup_contains() {
    let (database, roles) = roles::database().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let store = Store::in_folder();
    let mut settings = app::settings(&database, &blobs);
    store.configure(&mut settings);
    settings.database.url = roles.url(&database.url, roles::SITE);
    done(&settings, &["backup"]).await;
    let (new, _new_blobs) = new_server(&settings).await;
    done(&new, &["restore", "--identity", store.identity()]).await;
    let mut restored = connect(&new.database.url).await;
    for facts in [
        "SELECT count(*) FROM places.listings",
        "SELECT sum(last_value)::bigint FROM pg_sequences WHERE schemaname = 'places'",
    ] {
        let before = number(&mut database.connection().await, facts).await;
        assert!(before > 0, "{facts}");
        assert_eq!(number(&mut restored, facts).await, before, "{facts}");
    }
}

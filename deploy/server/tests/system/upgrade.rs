//! An upgrade from the previous release, on a database as that release left it, while its processes still
//! write: nothing that a reader has is lost, in either direction.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use chrono::{TimeZone, Utc};
use cityguide::System;
use reqwest::{Method, StatusCode, header::COOKIE};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use testkit::{clock::ManualClock, database::TestDatabase, letters, until};

use crate::{
    app::{self, App, Browser, PASSWORD, answer},
    city, favourites,
    site::Site,
    streams,
};

/// A dump; its head describes it.
const RELEASE: &str = include_str!("../fixtures/release-93a32da.sql");
/// Ada's and Bob's cookies.
const ADA: &str = "session=dRRFWoIIgRRNt4F7yjxyAwZGBNGlk9uNx3caK3ftFeU";
const BOB: &str = "session=iCE54iWlju73X3b0UFP-ZAnnFphq3liTHODm3FVoxm4";
/// Places of the fixture.
const PLACES: i64 = 6;

/// The bookmarks service of the previous release: its statements, on its own tables.
struct Previous(PgConnection);

impl Previous {
    async fn connect(database: &TestDatabase) -> Self {
        let mut connection = database.connection().await;
        sqlx::query("SET search_path = bookmarks")
            .execute(&mut connection)
            .await
            .expect("set");
        Self(connection)
    }

    /// Creates a favourite, with its stamp; returns its id if it is new.
    async fn create(&mut self, reader: i64, listing: i64) -> Option<i64> {
        let mut transaction = self.0.begin().await.expect("begins");
        let id = sqlx::query_scalar(
            "INSERT INTO favourites (profile_id, listing_id, created_at)
             SELECT $1, id, $3 FROM listings WHERE id = $2 AND is_available
             ON CONFLICT (profile_id, listing_id) DO NOTHING
             RETURNING id",
        )
        .bind(reader)
        .bind(listing)
        .bind(noon())
        .fetch_optional(&mut *transaction)
        .await
        .expect("inserts");
        if id.is_some() {
            touch(&mut transaction, reader, 1).await;
        }
        transaction.commit().await.expect("commits");
        id
    }

    /// Removes a favourite; returns whether it existed.
    async fn delete(&mut self, reader: i64, id: i64) -> bool {
        let mut transaction = self.0.begin().await.expect("begins");
        let done = sqlx::query("DELETE FROM favourites WHERE profile_id = $1 AND id = $2")
            .bind(reader)
            .bind(id)
            .execute(&mut *transaction)
            .await
            .expect("deletes");
        let is_done = done.rows_affected() == 1;
        if is_done {
            touch(&mut transaction, reader, -1).await;
        }
        transaction.commit().await.expect("commits");
        is_done
    }

    /// A reader's map, from place to record.
    async fn map(&mut self, reader: i64) -> BTreeSet<(i64, i64)> {
        sqlx::query_as("SELECT listing_id, id FROM favourites WHERE profile_id = $1")
            .bind(reader)
            .fetch_all(&mut self.0)
            .await
            .expect("reads")
            .into_iter()
            .collect()
    }

    /// Stores a place from an event.
    async fn keep_listing(&mut self, id: i64, name: &str, version: i64) {
        sqlx::query(
            "INSERT INTO listings AS l (id, name, is_available, version) VALUES ($1, $2, true, $3)
             ON CONFLICT (id) DO UPDATE
             SET name = excluded.name, is_available = excluded.is_available, version = excluded.version
             WHERE excluded.version > l.version",
        )
        .bind(id)
        .bind(name)
        .bind(version)
        .execute(&mut self.0)
        .await
        .expect("keeps");
    }
}

async fn touch(connection: &mut PgConnection, reader: i64, delta: i64) {
    sqlx::query(
        "INSERT INTO stamps AS s (profile_id, kind, at, count)
         VALUES ($1, 'favourites', $2, greatest($3::bigint, 0))
         ON CONFLICT (profile_id, kind) DO UPDATE
         SET at = greatest(excluded.at, s.at + interval '1 millisecond'), previous_at = s.at,
             count = s.count + $3",
    )
    .bind(reader)
    .bind(noon())
    .bind(delta)
    .execute(connection)
    .await
    .expect("stamps");
}

/// A little after the fixture was written, so that its sessions are still valid.
fn noon() -> chrono::DateTime<Utc> {
    let noon = Utc.with_ymd_and_hms(2026, 11, 22, 12, 0, 0);
    noon.single().expect("an instant")
}

async fn restored() -> TestDatabase {
    let database = TestDatabase::create().await;
    sqlx::raw_sql(RELEASE)
        .execute(&mut database.connection().await)
        .await
        .expect("restores");
    database
}

/// A process of the previous release under load: readers of its own toggle favourites until it is told to
/// stop. Returns the favourites at the end, as acknowledged.
async fn toggling(
    database: TestDatabase,
    reader: i64,
    is_over: Arc<AtomicBool>,
) -> BTreeSet<(i64, i64)> {
    let mut previous = Previous::connect(&database).await;
    let mut standing = BTreeSet::new();
    let mut turn = 0;
    while !is_over.load(Ordering::Relaxed) {
        turn += 1;
        let listing = turn % PLACES + 1;
        let stands = standing.iter().find(|(one, _)| *one == listing).copied();
        if let Some(record) = stands {
            assert!(
                previous.delete(reader, record.1).await,
                "{record:?} is there"
            );
            standing.remove(&record);
        } else {
            let id = previous.create(reader, listing).await.expect("is new");
            standing.insert((listing, id));
        }
    }
    standing
}

async fn map(browser: &Browser, cookie: &str) -> BTreeSet<(i64, i64)> {
    let path = "/api/v2/favourites/listing_ids/";
    let request = browser.request(Method::GET, path).header(COOKIE, cookie);
    let (status, map) = answer(request.send().await.expect("answers")).await;
    assert_eq!(status, 200, "{map}");
    let number = |value: &Value| value.as_i64().expect("a number");
    let entries = map["results"].as_array().expect("a list").iter();
    entries
        .map(|entry| (number(&entry["listing_id"]), number(&entry["id"])))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upgrade_keeps_accounts_sessions_and_favourites_while_the_previous_release_writes() {
    let database = restored().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let settings = app::settings(&database, &blobs);

    // Migrates under load, twice as in an interrupted roll-out.
    let is_over = Arc::new(AtomicBool::new(false));
    let readers = (101..105).map(|reader| {
        let toggling = toggling(database.clone(), reader, Arc::clone(&is_over));
        (reader, tokio::spawn(toggling))
    });
    let readers: Vec<_> = readers.collect();
    System::migrate(&settings).await.expect("migrates");
    System::migrate(&settings).await.expect("migrates again");
    is_over.store(true, Ordering::Relaxed);
    for (reader, toggling) in readers {
        let standing = toggling.await.expect("no write failed");
        let copied: Vec<(i64, i64)> = sqlx::query_as(
            "SELECT target_id, id FROM bookmarks.bookmarks
             WHERE profile_id = $1 AND kind = 'favourites'",
        )
        .bind(reader)
        .fetch_all(&mut database.connection().await)
        .await
        .expect("reads");
        assert_eq!(
            copied.into_iter().collect::<BTreeSet<_>>(),
            standing,
            "{reader}"
        );
    }

    let clock = ManualClock::shared();
    clock.advance(noon() - chassis::clock::Clock::now(clock.as_ref()));
    let app = App::serve(settings, blobs, clock).await;
    let browser = app.browser();
    // Sessions go on, and records keep their ids.
    assert_eq!(map(&browser, ADA).await, [(1, 1), (2, 2), (3, 3)].into());
    assert_eq!(map(&browser, BOB).await, [(2, 4)].into());
    let cleo = app.browser();
    let login = json!({"email": "cleo@guide.test", "password": PASSWORD});
    let signed_in = cleo.post("/api/v2/profiles/email-login/", &login).await;
    assert_eq!(signed_in.status(), StatusCode::OK);
    assert_eq!(
        cleo.json("/api/v2/favourites/listing_ids/").await["results"],
        json!([])
    );

    // The journeys, on the upgraded database with the city of every journey in it.
    city::build(&app.settings).await;
    let site = Site::Whole(app);
    favourites::a_favourite_is_made_once_listed_mapped_counted_and_removed(&site).await;
    streams::another_device_is_told_of_a_favourite_and_of_its_removal_within_a_second(&site).await;
}

#[tokio::test]
async fn both_releases_see_and_remove_each_others_favourites_during_a_roll_out() {
    let database = restored().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let settings = app::settings(&database, &blobs);
    System::migrate(&settings).await.expect("migrates");
    let clock = ManualClock::shared();
    clock.advance(noon() - chassis::clock::Clock::now(clock.as_ref()));
    let app = App::serve(settings, blobs, clock).await;
    let browser = app.browser();
    let mut previous = Previous::connect(&database).await;
    let send = async |method: Method, path: &str, body: Option<Value>| {
        let mut request = browser.request(method, path).header(COOKIE, ADA);
        if let Some(body) = body {
            request = request.json(&body);
        }
        answer(request.send().await.expect("answers")).await
    };

    // Made here, seen and removed there.
    let (status, made) = send(
        Method::POST,
        "/api/v2/favourites/",
        Some(json!({"listing": 4})),
    )
    .await;
    assert_eq!(status, 201, "{made}");
    let id = made["id"].as_i64().expect("an id");
    assert!(previous.map(1).await.contains(&(4, id)));
    assert!(previous.delete(1, id).await);
    assert_eq!(map(&browser, ADA).await, [(1, 1), (2, 2), (3, 3)].into());

    // Made there, seen and removed here; what stands is not made twice.
    let id = previous.create(1, 5).await.expect("is new");
    let (status, same) = send(
        Method::POST,
        "/api/v2/favourites/",
        Some(json!({"listing": 5})),
    )
    .await;
    assert_eq!((status, &same["id"]), (200, &json!(id)));
    let (status, _) = send(Method::DELETE, &format!("/api/v2/favourites/{id}/"), None).await;
    assert_eq!(status, 204);
    assert_eq!(previous.map(1).await, [(1, 1), (2, 2), (3, 3)].into());
    let (_, counts) = send(Method::GET, "/api/v2/profiles/me/dashboard/", None).await;
    assert_eq!(counts["favourites"], 3);

    // A place that the previous release has heard of can be saved here.
    previous.keep_listing(900, "New here", 1).await;
    let (status, made) = send(
        Method::POST,
        "/api/v2/favourites/",
        Some(json!({"listing": 900})),
    )
    .await;
    assert_eq!(status, 201, "{made}");
    app.stop().await;
}

/// Queues a mail as the previous release does.
async fn queue_mail(connection: &mut PgConnection, subject: &str, attempts: i32, is_refused: bool) {
    sqlx::query(
        "INSERT INTO editorial.mails (id, kind, recipient, reply_name, reply_address, subject, body,
            created_at, attempts, next_attempt_at, refused_at, refusal)
         VALUES (gen_random_uuid(), 'contact', 'editor@guide.test', 'Ada King', 'ada@example.com', $1, 'Words.',
            $2, $3, $2, CASE WHEN $4 THEN $2 END, CASE WHEN $4 THEN 'unknown' END)",
    )
    .bind(subject)
    .bind(noon())
    .bind(attempts)
    .bind(is_refused)
    .execute(connection)
    .await
    .expect("queues");
}

#[tokio::test]
async fn mail_that_the_previous_release_has_queued_is_sent_and_none_twice() {
    let database = restored().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let settings = app::settings(&database, &blobs);
    let mut previous = database.connection().await;
    queue_mail(&mut previous, "Waiting", 0, false).await;
    queue_mail(&mut previous, "In its hands", 1, false).await;
    queue_mail(&mut previous, "Refused", 1, true).await;
    System::migrate(&settings).await.expect("migrates");

    queue_mail(&mut previous, "Written during the roll-out", 0, false).await;
    // Its relay finds no other mail to take, and has sent the one that it held.
    let due = "SELECT count(*) FROM editorial.mails WHERE next_attempt_at < 'infinity'";
    assert_eq!(database.number(due).await, 0);
    let sent = sqlx::query("DELETE FROM editorial.mails WHERE subject = 'In its hands'")
        .execute(&mut previous)
        .await
        .expect("deletes");
    assert_eq!(sent.rows_affected(), 1);

    let clock = ManualClock::shared();
    clock.advance(noon() - chassis::clock::Clock::now(clock.as_ref()));
    let folder = settings.mail.folder.clone();
    let app = App::serve(settings, blobs, clock).await;
    let waiting = "SELECT count(*) FROM editorial.jobs WHERE dead_at IS NULL";
    until("all are sent", async || {
        (database.number(waiting).await == 0).then_some(())
    })
    .await;
    let letters = letters::in_folder(&folder);
    let about = |subject: &str| {
        let line = format!("Subject: {subject}\r\n");
        letters.iter().filter(|one| one.contains(&line)).count()
    };
    assert_eq!(
        (about("Waiting"), about("Written during the roll-out")),
        (1, 1)
    );
    assert_eq!(letters.len(), 2, "{letters:?}");
    for line in [
        "To: editor@guide.test",
        "Reply-To: \"Ada King\" <ada@example.com>",
    ] {
        assert!(letters[0].contains(&format!("{line}\r\n")), "{letters:?}");
    }
    let refused =
        "SELECT count(*) FROM editorial.jobs WHERE dead_at IS NOT NULL AND last_error = 'unknown'";
    assert_eq!(database.number(refused).await, 1);
    app.stop().await;
}

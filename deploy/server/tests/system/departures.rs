//! Readers delete their accounts: the export, the erasure in all services, and the receipt.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Cursor, Read},
    path::PathBuf,
};

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use testkit::until;
use zip::ZipArchive;

use crate::{
    app::{Browser, PASSWORD, answer},
    city,
    commands::{output_of, run},
    consent, entries, items,
    letters::link,
    photos,
    site::{Site, journeys},
};

pub(crate) const ADA: &str = "ada.king@example.com";
pub(crate) const ME: &str = "/api/v2/profiles/me/";
const EXPORT: &str = "/api/v2/profiles/me/export/";
/// The name, in receipts, of the retained evidence of consent to newsletters.
const CONSENTS: &str = "newsletter_consents";

/// Records by kind.
pub(crate) type Counts = BTreeMap<String, usize>;

async fn made(browser: &Browser, path: &str, body: Value) {
    let (status, body) = answer(browser.post(path, &body).await).await;
    assert!(matches!(status, 201 | 202), "{path}: {status} {body}");
}

/// A reader with a confirmed address, two sessions and records of each kind.
pub(crate) async fn reader(site: &Site) -> (Browser, Browser, i64) {
    items::publish(site.settings(), items::output()).await;
    let entries = entries::open(site).await;
    let browser = site.browser();
    let id = browser.sign_up(ADA).await;
    let token = link(site, ADA, "Confirm your email").await;
    let token = json!({"token": token});
    let confirmed = browser.post("/api/v2/profiles/confirm-email/", &token);
    assert_eq!(confirmed.await.status(), 200);
    let name = json!({"full_name": "Augusta Lovelace"});
    assert_eq!(browser.patch(ME, &name).await.status(), 200);
    for listing in [1, 2] {
        made(&browser, "/api/v2/favourites/", json!({"listing": listing})).await;
    }
    made(&browser, "/api/v2/todos/", json!({"listing": 2})).await;
    made(
        &browser,
        "/api/v2/ratings/",
        json!({"listing": 7, "rating": 5}),
    )
    .await;
    made(
        &browser,
        "/api/v2/ratings/",
        json!({"listing": 1, "rating": 1}),
    )
    .await;
    for (path, field, at) in [
        ("article-bookmarks", "object_id", "/news/bridge/"),
        ("event-bookmarks", "object_id", "/events/market/"),
        ("video-bookmarks", "video", "/videos/ferry/"),
    ] {
        let id = items::id_at(&browser, at).await;
        made(&browser, &format!("/api/v2/{path}/"), json!({field: id})).await;
    }
    made(&browser, &entries, entries::entry(ADA)).await;
    photos::upload(&browser, 7, 1).await;
    made(&browser, "/api/v2/profiles/me/calendar-feed/", json!({})).await;
    let news = json!({"newsletter_settings": {"news": true}});
    assert_eq!(browser.patch(ME, &news).await.status(), 200);
    consent::allow(&browser).await;
    let other = site.browser();
    other.sign_in(ADA).await;
    (browser, other, id)
}

/// Removes the audit log's entries from the counts: each export adds an entry, and the entries are retained.
pub(crate) fn take_audit(mut counts: Counts) -> (Counts, usize) {
    let entries = counts.remove("audit_entries");
    (counts, entries.expect("entries of the audit log"))
}

/// The files of an export, and their records by kind.
pub(crate) async fn export(browser: &Browser) -> (BTreeMap<String, Value>, Counts) {
    let answer = browser.get(EXPORT).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/zip");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    let disposition = &answer.headers()["content-disposition"];
    assert!(
        disposition
            .to_str()
            .is_ok_and(|text| text.starts_with("attachment; filename="))
    );
    let body = answer.bytes().await.expect("a body");
    let mut archive = ZipArchive::new(Cursor::new(body)).expect("an archive");
    let (mut files, mut pictures) = (BTreeMap::<_, Value>::new(), Vec::new());
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).expect("a file");
        let name = file.name().expect("a name").into_owned();
        if name.starts_with("photos/") {
            let mut content = Vec::new();
            file.read_to_end(&mut content).expect("a picture");
            assert!(
                content.starts_with(&[0xFF, 0xD8]) && content.len() > 500,
                "{name}"
            );
            pictures.push(name);
            continue;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).expect("text");
        let Some(kind) = name.strip_suffix(".json") else {
            assert!(text.contains("everything we hold about you"), "{name}");
            continue;
        };
        files.insert(kind.to_owned(), serde_json::from_str(&text).expect("JSON"));
    }
    let photos = files.get("photos").and_then(Value::as_array);
    let named = photos.into_iter().flatten().map(|photo| &photo["file"]);
    assert!(named.eq(&pictures), "{pictures:?}: {files:?}");
    let count = |records: &Value| records.as_array().expect("a list").len();
    let counts = files.iter().map(|(kind, all)| (kind.clone(), count(all)));
    let counts = counts.collect();
    (files, counts)
}

pub(crate) async fn erase(browser: &Browser, password: &str) -> (u16, Value) {
    let request = browser.request(Method::DELETE, ME);
    let request = request.json(&json!({"current_password": password}));
    answer(request.send().await.expect("answers")).await
}

/// A connection to a site's database.
pub(crate) async fn connection(site: &Site) -> PgConnection {
    let url = match site {
        Site::Whole(app) => &app.settings.database.url,
        Site::Split(split) => &split.database.url,
    };
    PgConnection::connect(url).await.expect("connects")
}

/// Makes the last pass of an erasure due once the first pass has ended. Otherwise it would wait until none of the
/// reader's calls can still be running.
async fn bring_last_pass_forward(site: &Site) {
    let mut database = connection(site).await;
    let longest_call = site.settings().http.request_timeout_seconds;
    until("the first pass has ended", async || {
        let first = "SELECT count(*) FROM identity.jobs WHERE kind = 'erase' AND payload ->> 'pass' = 'First'";
        let first: i64 = sqlx::query_scalar(first)
            .fetch_one(&mut database)
            .await
            .expect("counts");
        (first == 0).then_some(())
    })
    .await;
    let last = "UPDATE identity.jobs SET due_at = created_at WHERE kind = 'erase'
        AND payload ->> 'pass' = 'Last' AND due_at >= created_at + $1 * interval '2 seconds'";
    let last = sqlx::query(last).bind(i64::try_from(longest_call).expect("few"));
    last.execute(&mut database).await.expect("updates");
}

/// The secret of the link to the receipt that is mailed to an address.
pub(crate) async fn receipt_link(site: &Site, email: &str) -> String {
    bring_last_pass_forward(site).await;
    link(site, email, "Test & <Guide> is erased").await
}

/// The receipt that was mailed to an address.
pub(crate) async fn receipt(site: &Site, email: &str) -> Value {
    let token = receipt_link(site, email).await;
    let path = format!("/api/v2/receipts/{token}/");
    site.browser().json(&path).await
}

/// Returns the numbers of erased records in a receipt, by kind.
pub(crate) fn counted(receipt: &Value) -> Counts {
    let erased = receipt["statement"]["erased"].as_array().expect("a list");
    let counts = erased.iter().map(|one| {
        let count = one["count"].as_u64().expect("a number");
        let kind = one["kind"].as_str().expect("a kind").to_owned();
        (kind, usize::try_from(count).expect("few"))
    });
    counts.collect()
}

/// Returns the numbers of erased records in the receipt mailed to an address.
pub(crate) async fn erased(site: &Site, email: &str) -> Counts {
    counted(&receipt(site, email).await)
}

/// The average and the voters of a place.
async fn votes(browser: &Browser, listing: i64) -> (Value, Value) {
    let found = browser.json(&format!("/api/v2/ratings/{listing}/")).await;
    (found["average"].clone(), found["voters"].clone())
}

/// Returns the tables that still contain a reader's data: tables with rows that contain the address or the name, and
/// tables with rows of the account.
pub(crate) async fn traces(site: &Site, id: i64) -> Vec<String> {
    let mut database = connection(site).await;
    let tables: Vec<(String, bool)> = sqlx::query_as(
        "SELECT format('%I.%I', t.table_schema, t.table_name), EXISTS (
             SELECT FROM information_schema.columns c WHERE c.table_schema = t.table_schema
             AND c.table_name = t.table_name AND c.column_name = 'profile_id')
         FROM information_schema.tables t
         WHERE t.table_type = 'BASE TABLE' AND t.table_schema NOT IN ('pg_catalog', 'information_schema')",
    )
    .fetch_all(&mut database)
    .await
    .expect("tables");
    assert!(tables.len() > 20, "{tables:?}");
    let mut found = Vec::new();
    for (table, has_profile) in tables {
        let account = if has_profile {
            format!("OR profile_id = {id}")
        } else {
            String::new()
        };
        // The words of the address and of the name, in rows and in queued messages.
        let query = format!(
            "SELECT count(*) FROM {table} t WHERE t::text ILIKE '%ada.king%' OR t::text ILIKE '%Lovelace%'
             OR t::text ILIKE '%{}%' {account}",
            hex(b"ada.king"),
        );
        let rows: i64 = sqlx::query_scalar(AssertSqlSafe(query))
            .fetch_one(&mut database)
            .await
            .expect(&table);
        // This table contains only the account's number, as receipts do.
        if rows > 0 && !table.ends_with(".erased_readers") {
            found.push(format!("{table}: {rows}"));
        }
    }
    found
}

/// Bytes as PostgreSQL writes them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a text takes it");
        text
    })
}

/// The files in the blobs' folder, except mail, which these sites also store there.
pub(crate) fn blob_files(site: &Site) -> BTreeSet<PathBuf> {
    let settings = site.settings();
    let files = city::files_below(&settings.blobs.folder);
    let files = files.into_iter();
    files
        .filter(|path| !path.starts_with(&settings.mail.folder))
        .collect()
}

async fn a_reader_who_leaves_takes_everything_along_and_leaves_nothing(site: &Site) {
    let before = blob_files(site);
    let bob = site.browser();
    bob.sign_up("bob@example.com").await;
    made(&bob, "/api/v2/ratings/", json!({"listing": 7, "rating": 2})).await;
    let (ada, elsewhere, id) = reader(site).await;
    assert_eq!(votes(&bob, 7).await, (json!(3.5), json!(2)));
    let tables = traces(site, id).await;
    for table in ["identity.profiles", "bookmarks.bookmarks", "places.ratings"] {
        assert!(
            tables.iter().any(|one| one.starts_with(table)),
            "{tables:?}"
        );
    }

    let (files, stored) = export(&ada).await;
    assert!(blob_files(site).len() > before.len(), "a photo has files");
    let (mut stored, entries) = take_audit(stored);
    // Evidence of consent is retained too.
    assert_eq!(stored.remove(CONSENTS), Some(2));
    // The sign-up, the confirmation of the address, the feed, the sign-in on the other device, and this export.
    assert_eq!(entries, 5);
    assert_eq!(files["profile"][0]["email"], ADA);
    assert_eq!(files["contest_entries"][0]["answer"], "The Don");
    let expected = [
        ("article_bookmarks", 1),
        ("calendar_feeds", 1),
        ("contest_entries", 1),
        ("event_bookmarks", 1),
        ("favourites", 2),
        ("last_updates", 6),
        ("newsletter_subscribers", 1),
        ("newsletter_subscriptions", 1),
        ("photo_uploaders", 1),
        ("photos", 1),
        ("profile", 1),
        ("ratings", 2),
        ("sessions", 2),
        ("third_party_choices", 1),
        ("todos", 1),
        ("video_bookmarks", 1),
    ];
    let expected: Counts = expected
        .into_iter()
        .map(|(kind, count)| (kind.to_owned(), count))
        .collect();
    assert_eq!(stored, expected);

    // A wrong password changes nothing.
    for wrong in ["", "not the one"] {
        let (status, output_of) = erase(&ada, wrong).await;
        assert_eq!(status, 400, "{output_of}");
        assert_eq!(
            output_of["current_password"][0],
            "This is not your current password."
        );
    }
    let (mut unchanged, entries) = take_audit(export(&ada).await.1);
    unchanged.remove(CONSENTS);
    assert_eq!(unchanged, stored);
    assert_eq!(entries, 7, "and the wrong password, and this export");

    assert_eq!(erase(&ada, PASSWORD).await.0, 204);
    for browser in [&ada, &elsewhere] {
        assert_eq!(browser.get(ME).await.status(), 401);
    }
    let pair = json!({"email": ADA, "password": PASSWORD});
    let guest = site.browser();
    let signed_in = guest.post("/api/v2/profiles/email-login/", &pair);
    assert_eq!(signed_in.await.status(), 400);

    bring_last_pass_forward(site).await;
    until("only the record of the erasure is left", async || {
        let left = traces(site, id).await;
        (left == ["identity.erasures: 1"] && blob_files(site) == before).then_some(())
    })
    .await;
    assert_eq!(votes(&bob, 7).await, (json!(2.0), json!(1)));
    assert_eq!(votes(&bob, 1).await, (Value::Null, json!(0)));

    let receipt = receipt(site, ADA).await;
    let statement = &receipt["statement"];
    assert_eq!(statement["account"], json!(id));
    let erased = counted(&receipt);
    assert_eq!(erased, stored, "the receipt counts what the export held");
    let kept = statement["kept"].as_array().expect("a list");
    let kept: Vec<_> = kept
        .iter()
        .map(|one| (&one["kind"], &one["count"]))
        .collect();
    // An additional entry records the deletion.
    let audit = (&json!("audit_entries"), &json!(entries + 1));
    // Two consents, and their withdrawals with the account.
    let consents = (&json!(CONSENTS), &json!(4));
    let [number, receipt_kept] = ["account_number", "receipt"].map(|kind| (json!(kind), json!(1)));
    let [number, receipt_kept] = [&number, &receipt_kept].map(|(kind, count)| (kind, count));
    assert_eq!(kept, [audit, number, receipt_kept, consents]);
    verify(site, &receipt).await;

    // The address is free, and a new account has no old data.
    let again = site.browser();
    assert_ne!(again.sign_up(ADA).await, id);
    let (_, stored) = export(&again).await;
    assert_eq!(
        stored.keys().collect::<Vec<_>>(),
        ["audit_entries", "mailed_links", "profile", "sessions"]
    );
}

/// Verifies a reader's receipt with the operator's command, which rejects a forged receipt.
async fn verify(site: &Site, receipt: &Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("receipt.json");
    let check = async |content: &str| {
        std::fs::write(&file, content).expect("writes");
        let path = file.to_str().expect("a path");
        run(site.settings(), &["receipts", "verify", path]).await
    };
    for genuine in [
        &receipt.to_string(),
        receipt["jws"].as_str().expect("a text"),
    ] {
        let output = check(genuine).await;
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{output:?}");
        assert!(text.contains("\"favourites\""), "{text}");
    }
    let mut forged = receipt.clone();
    forged["statement"]["account"] = json!(1);
    let refused = output_of(&check(&forged.to_string()).await);
    assert!(
        refused.contains("is not the one that this site has signed"),
        "{refused}"
    );
    let refused = output_of(&check("no receipt").await);
    assert!(
        refused.contains("This site has not signed it."),
        "{refused}"
    );
}

async fn entries_of_an_address_that_nobody_has_confirmed_stay(site: &Site) {
    let entries = entries::open(site).await;
    made(&site.browser(), &entries, entries::entry(ADA)).await;
    // Anyone can sign up with someone else's address, so an unconfirmed account gives no access to that address's
    // entries.
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let (files, _) = export(&browser).await;
    assert!(!files.contains_key("contest_entries"), "{files:?}");
    assert_eq!(erase(&browser, PASSWORD).await.0, 204);
    receipt_link(site, ADA).await;
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM editorial.contest_entries")
        .fetch_one(&mut connection(site).await)
        .await
        .expect("counts");
    assert_eq!(left, 1);
}

journeys! {
    entries_of_an_address_that_nobody_has_confirmed_stay;
    split too:
    a_reader_who_leaves_takes_everything_along_and_leaves_nothing,
}

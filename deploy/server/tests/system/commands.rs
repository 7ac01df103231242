//! The program from an operator's perspective: each mistake causes a failure with a single clear line.

use std::{net::TcpListener, process::Output, time::Duration};

use chassis::{
    bus::{Bus, Durability, Message, RabbitMqBus},
    entropy::{OsEntropy, uuid},
    lifecycle::Lifecycle,
};
use cityguide::Settings;
use serde_json::Value;
use testkit::{AT_MOST, bus::Recorder, database::TestDatabase};
use tokio::process::Command;

use crate::{app, city};

/// The program with the environment of a system's settings.
pub(crate) fn program(settings: &Settings) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cityguide"));
    let settings = serde_json::to_value(settings).expect("settings are data");
    for (key, value) in variables("CITYGUIDE".to_owned(), &settings) {
        command.env(key, value);
    }
    // A short export delay, because tests wait for spans.
    command.env("OTEL_BSP_SCHEDULE_DELAY", "100");
    command
}

/// The environment variables of a section's values, as operators write them.
fn variables(name: String, value: &Value) -> Vec<(String, String)> {
    match value {
        Value::Object(section) => section
            .iter()
            .flat_map(|(key, value)| variables(format!("{name}__{}", key.to_uppercase()), value))
            .collect(),
        Value::String(text) => vec![(name, text.clone())],
        // A list is written as in TOML, and a number as a number.
        value => vec![(name, value.to_string())],
    }
}

/// Runs a command of the program to completion.
pub(crate) async fn run(settings: &Settings, arguments: &[&str]) -> Output {
    let run = program(settings).args(arguments).output();
    tokio::time::timeout(AT_MOST, run)
        .await
        .expect("it ends")
        .expect("it starts")
}

/// Runs a command of the program to completion; returns whether it succeeded, and its output.
pub(crate) async fn said(settings: &Settings, arguments: &[&str]) -> (bool, String) {
    let output = run(settings, arguments).await;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (output.status.success(), said)
}

/// Returns the only line on standard error of a failed run.
pub(crate) fn output_of(output: &Output) -> String {
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = errors
        .lines()
        .filter(|line| line.starts_with("cityguide: "))
        .collect();
    assert_eq!(lines.len(), 1, "{errors}");
    lines[0].to_owned()
}

/// Settings of a system whose database is migrated and empty, and the values that must outlive the system.
pub(crate) async fn migrated() -> (Settings, TestDatabase, tempfile::TempDir) {
    let database = app::database().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let settings = app::settings(&database, &blobs);
    (settings, database, blobs)
}

#[tokio::test]
async fn a_wrong_setting_is_named_with_where_it_came_from() {
    let (settings, _database, _blobs) = migrated().await;
    for (key, value, expected) in [
        (
            "CITYGUIDE__DATABASE__MAX_CONNECTIONS",
            "many",
            "database.max_connections",
        ),
        (
            "CITYGUIDE__DATABASE__MAX_CONNECTIONS",
            "0",
            "database.max_connections must be 1 or more",
        ),
        (
            "CITYGUIDE__LIMITS__SIGN_IN",
            "10 a minute",
            "limits.sign_in: \"10 a minute\" is no rate",
        ),
        (
            "CITYGUIDE__HTTP__TRUSTED_PROXIES",
            "[\"10.0.0.0/99\"]",
            "http.trusted_proxies.0: \"10.0.0.0/99\" is no network",
        ),
        ("CITYGUIDE__HTTP__PORT", "8080", "http.port"),
        ("CITYGUIDE__HTTP__LISTEN", "nowhere", "http.listen"),
        ("CITYGUIDE__SITE__URL", "guide.example", "site.url"),
        (
            "CITYGUIDE__SITE__FILE",
            "/nonexistent/site.toml",
            "site.file",
        ),
        ("CITYGUIDE__WEB__ROOT", "/nonexistent", "web.root"),
        ("CITYGUIDE__LOG__FORMAT", "loud", "log.format"),
        (
            "CITYGUIDE__SERVICES__PLACE__DATABASE_URL",
            "postgres://places@127.0.0.1/guide",
            "services.place: there is no target \"place\"",
        ),
        (
            "CITYGUIDE__SERVICES__GATEWAY__DATABASE_URL",
            "postgres://gateway@127.0.0.1/guide",
            "services.gateway.database_url: gateway has no tables",
        ),
        (
            "CITYGUIDE__DATABASE__URL_FILE",
            "/nonexistent/secret",
            "database.url_file",
        ),
    ] {
        let output = program(&settings)
            .arg("serve")
            .env(key, value)
            .output()
            .await
            .expect("starts");
        let line = output_of(&output);
        assert!(line.contains(expected), "{key}={value}: {line}");
    }
}

#[tokio::test]
async fn a_taken_port_is_named_with_what_to_do() {
    let (mut settings, _database, _blobs) = migrated().await;
    let holder = TcpListener::bind("127.0.0.1:0").expect("a port");
    settings.http.listen = holder.local_addr().expect("an address");
    let line = output_of(&run(&settings, &["serve"]).await);
    assert!(
        line.contains("http.listen") && line.contains("CITYGUIDE__HTTP__LISTEN"),
        "{line}"
    );
}

#[tokio::test]
async fn a_database_that_is_not_there_is_named_with_what_to_do() {
    let (mut settings, _database, _blobs) = migrated().await;
    let free = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address");
    app::with_default_timeouts(&mut settings);
    settings.database.url = format!("postgres://nobody@{free}/nothing");
    for command in [&["serve"][..], &["migrate"]] {
        let line = output_of(&run(&settings, command).await);
        assert!(
            line.contains(&free.to_string()) && line.contains("database.url"),
            "{line}"
        );
    }
}

#[tokio::test]
async fn a_database_that_was_not_migrated_says_how() {
    let database = TestDatabase::create().await;
    let blobs = tempfile::tempdir().expect("a folder");
    let settings = app::settings(&database, &blobs);
    let line = output_of(&run(&settings, &["serve"]).await);
    assert!(line.contains("cityguide migrate"), "{line}");
    assert!(run(&settings, &["migrate"]).await.status.success());
    assert!(run(&settings, &["doctor"]).await.status.success());
}

#[tokio::test]
async fn doctor_names_what_is_missing_and_is_content_when_all_is_there() {
    let (settings, _database, _blobs) = migrated().await;
    assert!(run(&settings, &["doctor"]).await.status.success());
    let mut broken = settings.clone();
    broken.web.root = "/nonexistent".into();
    let output = run(&broken, &["doctor"]).await;
    output_of(&output);
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(found.contains("BAD   web application"), "{found}");
}

#[tokio::test]
async fn what_several_processes_must_share_is_asked_for_by_its_key() {
    let (mut settings, _database, _blobs) = migrated().await;
    settings.internal.key.clear();
    let places = &["serve", "--target", "places"][..];
    let gateway = &["serve", "--target", "gateway"][..];
    for (command, key) in [
        (places, "internal.key"),
        (places, "bus.url"),
        (places, "cache.url"),
        (gateway, "services.places.url"),
    ] {
        let line = output_of(&run(&settings, command).await);
        assert!(line.contains(key), "{key}: {line}");
        match key {
            "internal.key" => settings.internal.key = "k".repeat(32),
            "bus.url" => settings.bus.url = "amqp://127.0.0.1:1".into(),
            _ => settings.cache.url = "redis://127.0.0.1:1".into(),
        }
    }
    let unknown = run(&settings, &["serve", "--target", "shop"]).await;
    let errors = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(!unknown.status.success());
    assert!(
        errors.contains("there are places, editorial, ") && errors.contains(", gateway"),
        "{errors}"
    );
}

#[tokio::test]
async fn applying_a_folder_again_changes_nothing_and_one_bad_file_stops_all() {
    let (settings, _database, _blobs) = migrated().await;
    let folder = tempfile::tempdir().expect("a folder");
    city::write(folder.path());
    let first = city::apply(&settings, folder.path()).await;
    let said = String::from_utf8_lossy(&first.stdout).into_owned();
    assert!(said.contains("places: 30 read, 30 created"), "{said}");
    let second = city::apply(&settings, folder.path()).await;
    let said = String::from_utf8_lossy(&second.stdout).into_owned();
    assert!(
        said.contains("places: 30 read, 0 created, 0 changed, 30 unchanged"),
        "{said}"
    );

    let place = folder.path().join("places/place-1.md");
    let good = std::fs::read_to_string(&place).expect("reads");
    std::fs::write(
        folder.path().join("places/place-99.md"),
        good.replace("Place 01", "Place 99"),
    )
    .expect("writes");
    std::fs::write(&place, good.replace("latitude = 43.5", "latitude = \"x\"")).expect("writes");
    let broken = city::apply(&settings, folder.path()).await;
    output_of(&broken);
    let errors = String::from_utf8_lossy(&broken.stderr).into_owned();
    assert!(errors.contains("places/place-1.md, line 4"), "{errors}");

    std::fs::write(&place, good.replace("latitude = 43.5", "latitude = 143.5")).expect("writes");
    let refused = city::apply(&settings, folder.path()).await;
    output_of(&refused);
    std::fs::write(&place, good).expect("writes");
    let mended = city::apply(&settings, folder.path()).await;
    let said = String::from_utf8_lossy(&mended.stdout).into_owned();
    assert!(
        said.contains("places: 31 read, 1 created, 0 changed, 30 unchanged"),
        "{said}"
    );
}

#[tokio::test]
async fn dead_letters_are_listed_and_sent_back() {
    let (mut settings, _database, _blobs) = migrated().await;
    let refusal = output_of(&run(&settings, &["deadletters", "list"]).await);
    assert!(refusal.contains("bus.url"), "{refusal}");

    settings.bus.url = testkit::environment("CITYGUIDE_TEST_AMQP_URL");
    settings.bus.namespace = settings
        .database
        .url
        .rsplit('/')
        .next()
        .expect("a name")
        .to_owned();
    let life = Lifecycle::new();
    let bus =
        RabbitMqBus::new(&settings.bus.url, "", &settings.bus.namespace, &life).expect("a bus");
    let recorder = Recorder::on(&bus, "poisoned", "x", "#", Durability::Durable).await;
    recorder.reject_next(1);
    let message = Message {
        id: uuid(&OsEntropy),
        exchange: "x".to_owned(),
        key: "x".to_owned(),
        payload: "event".into(),
        traceparent: None,
    };
    let id = message.id.to_string();
    bus.publish(message).await.expect("published");
    let said = async |arguments: &[&str]| {
        let output = run(&settings, arguments).await;
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let listed = testkit::until("it is listed", async || {
        let listed = said(&["deadletters", "list"]).await;
        listed.contains("1 dead letters").then_some(listed)
    })
    .await;
    assert!(
        listed.contains(&id) && listed.contains("poisoned"),
        "{listed}"
    );
    assert!(
        said(&["deadletters", "replay"])
            .await
            .contains("1 sent back")
    );
    testkit::until("it is handled", async || recorder.heard().pop()).await;
    assert!(
        said(&["deadletters", "list"])
            .await
            .contains("0 dead letters")
    );
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn dead_jobs_are_listed_with_the_reason_run_again_and_deleted() {
    let (settings, database, _blobs) = migrated().await;
    let said = async |arguments: &[&str]| {
        let output = run(&settings, arguments).await;
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let jobs = async |arguments: &[&str]| said(&[&["jobs"], arguments].concat()).await;
    assert_eq!(jobs(&["list"]).await, "0 dead jobs\n");
    let ids: Vec<uuid::Uuid> = sqlx::query_scalar(
        "INSERT INTO editorial.jobs
            (id, kind, payload, created_at, wanted_at, due_at, attempts, last_error, dead_at)
         SELECT gen_random_uuid(), 'mail', '{\"to\": \"ada@example.com\"}', now(), now(), now(), 200, 'unknown mailbox', now()
         FROM generate_series(1, 3)
         RETURNING id",
    )
    .fetch_all(&mut database.connection().await)
    .await
    .expect("inserts");
    let listed = jobs(&["list", "--service", "editorial", "--kind", "mail"]).await;
    for id in &ids {
        assert!(
            listed.contains(&format!(
                "{id} editorial mail to ada@example.com, 200 attempts, "
            )),
            "{listed}"
        );
    }
    assert!(
        listed.contains("unknown mailbox") && listed.ends_with("3 dead jobs\n"),
        "{listed}"
    );
    assert!(
        jobs(&["list", "--most", "1"])
            .await
            .ends_with("1 dead jobs\n")
    );
    assert_eq!(
        jobs(&["list", "--service", "places"]).await,
        "0 dead jobs\n"
    );

    assert_eq!(said(&["mail", "dead"]).await, listed);
    let one = ids[0].to_string();
    let resent = said(&["mail", "resend", "--id", &one]).await;
    assert_eq!(resent, "1 run again\n");
    assert_eq!(jobs(&["replay", "--id", &one]).await, "0 run again\n");
    let waiting = "SELECT count(*) FROM editorial.jobs WHERE dead_at IS NULL AND attempts = 0";
    assert_eq!(database.number(waiting).await, 1);
    assert_eq!(jobs(&["delete", "--kind", "mail"]).await, "2 deleted\n");
    assert_eq!(
        database.number("SELECT count(*) FROM editorial.jobs").await,
        1
    );
}

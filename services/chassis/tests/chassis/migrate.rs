//! Migrations: repeated migrations change nothing, and no process serves on a schema that lacks a migration.

use chassis::{
    error::{Code, Fault},
    postgres::{Part, Schema, connect},
};
use sqlx::{
    PgPool, SqlStr,
    migrate::{Migration, MigrationType},
};
use testkit::database::{TestDatabase, migrator};

fn migration(version: i64, sql: &'static str) -> Migration {
    Migration::new(
        version,
        "of the test".into(),
        MigrationType::Simple,
        SqlStr::from_static(sql),
        false,
    )
}

fn first() -> Migration {
    migration(
        20_261_129_000_010,
        "CREATE TABLE things (id bigint PRIMARY KEY)",
    )
}

fn second() -> Migration {
    migration(
        20_991_231_000_001,
        "ALTER TABLE things ADD COLUMN name text",
    )
}

const COLUMNS: &str = "SELECT count(*) FROM information_schema.columns
    WHERE table_schema = 'probe' AND table_name IN ('things', 'outbox', 'inbox')";

async fn migrate(pool: &PgPool, own: Vec<Migration>) -> Result<(), Fault> {
    migrate_parts(pool, own, &[Part::Events]).await
}

async fn migrate_parts(
    pool: &PgPool,
    own: Vec<Migration>,
    parts: &'static [Part],
) -> Result<(), Fault> {
    let own = &migrator("probe", own);
    let name = "probe";
    Schema { name, own, parts }.apply(pool).await
}

async fn check_migrated(pool: &PgPool, own: Vec<Migration>) -> Result<(), Fault> {
    let own = &migrator("probe", own);
    let (name, parts) = ("probe", &[Part::Events]);
    Schema { name, own, parts }.check(pool).await
}

fn assert_tells_to_migrate(refusal: &Fault, why: &str) {
    assert_eq!(refusal.code, Code::Unavailable);
    assert!(refusal.message.contains("the schema probe"), "{refusal}");
    assert!(refusal.message.contains(why), "{refusal}");
    assert!(
        refusal.message.contains("run `cityguide migrate`"),
        "{refusal}"
    );
}

#[tokio::test]
async fn a_schema_holds_the_services_tables_and_the_chassis_and_migrating_again_changes_nothing() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let service = || vec![first(), second()];
    migrate(&pool, service()).await.expect("migrates");
    let columns = database.number(COLUMNS).await;
    assert_eq!(columns, 2 + 9 + 3);
    migrate(&pool, service()).await.expect("migrates again");
    assert_eq!(database.number(COLUMNS).await, columns);
    check_migrated(&pool, service()).await.expect("up to date");
    assert_eq!(
        database
            .number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            .await,
        0
    );
}

#[tokio::test]
async fn an_absent_schema_and_one_that_lacks_a_migration_are_refused_with_what_to_do() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let old = || vec![first()];
    let new = || vec![first(), second()];
    let absent = check_migrated(&pool, old()).await.expect_err("refused");
    assert_tells_to_migrate(&absent, "does not exist");
    migrate(&pool, old()).await.expect("migrates");
    check_migrated(&pool, old()).await.expect("up to date");
    let behind = check_migrated(&pool, new()).await.expect_err("refused");
    assert_tells_to_migrate(&behind, "is not up to date");
    migrate(&pool, new()).await.expect("migrates");
    check_migrated(&pool, new()).await.expect("up to date");
}

/// A rolling upgrade: the new release has migrated, the old one still runs.
#[tokio::test]
async fn the_previous_release_serves_on_the_new_schema() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    migrate(&pool, vec![first(), second()])
        .await
        .expect("migrates");
    check_migrated(&pool, vec![first()])
        .await
        .expect("good enough");
    // A job that was started before the roll-out may also make the old release migrate.
    migrate(&pool, vec![first()]).await.expect("nothing to do");
}

/// Some versions of a schema from before the first release are earlier than the baselines, and some are later.
#[tokio::test]
async fn a_schema_from_before_the_first_release_is_refused_with_what_to_do_and_stays_as_it_is() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let old = migration(
        20_261_203_090_005,
        "CREATE TABLE things (id bigint PRIMARY KEY)",
    );
    let oldest = migration(20_261_101_000_001, "SELECT 1");
    migrate_parts(&pool, vec![oldest, old], &[])
        .await
        .expect("an empty database takes any version");
    let new = || vec![first(), second()];
    for refused in [
        migrate(&pool, new()).await,
        check_migrated(&pool, new()).await,
    ] {
        let refusal = refused.expect_err("refused");
        assert_eq!(refusal.code, Code::Unavailable);
        for part in [
            "the schema probe was created before the first release",
            "use an empty database",
            "`--data`",
        ] {
            assert!(refusal.message.contains(part), "{refusal}");
        }
    }
    let applied = "SELECT count(*) FROM probe._sqlx_migrations";
    assert_eq!(database.number(applied).await, 2);
    assert_eq!(database.number(COLUMNS).await, 1);
    // The refused migrations have released the migration lock.
    let pool = connect(&database.settings(), "other")
        .await
        .expect("connects");
    let own = &migrator("other", Vec::new());
    let (name, parts) = ("other", &[Part::Events]);
    let applied = Schema { name, own, parts }.apply(&pool).await;
    applied.expect("migrates");
}

#[tokio::test]
async fn a_service_has_the_parts_that_it_chooses_and_may_give_one_up() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'probe'
        AND tablename IN ('stamps', 'jobs')";
    migrate(&pool, Vec::new()).await.expect("migrates");
    assert_eq!(database.number(tables).await, 0);
    migrate_parts(&pool, Vec::new(), Part::ALL)
        .await
        .expect("migrates");
    assert_eq!(database.number(tables).await, 2);
    migrate(&pool, Vec::new()).await.expect("nothing to do");
    check_migrated(&pool, Vec::new()).await.expect("up to date");
}

#[tokio::test]
async fn a_migration_that_fails_leaves_nothing_of_itself() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let broken = migration(20_991_231_000_002, "CREATE TABLE half (); SELECT nonsense");
    let service = || vec![first(), broken.clone()];
    let refusal = migrate(&pool, service()).await.expect_err("fails");
    assert!(refusal.message.contains("migrating probe"), "{refusal}");
    let half = "SELECT count(*) FROM pg_tables WHERE tablename = 'half'";
    assert_eq!(database.number(half).await, 0);
    assert_tells_to_migrate(
        &check_migrated(&pool, service()).await.expect_err("refused"),
        "is not up to date",
    );
}

const EXTENSIONS: &str = "SELECT count(*) FROM pg_extension
    WHERE extname IN ('cube', 'pg_trgm', 'unaccent') AND extnamespace = to_regnamespace('extensions')";

#[tokio::test]
async fn services_that_migrate_at_once_share_the_extensions_of_their_database() {
    let database = TestDatabase::create().await;
    let schemas = ["one", "two", "three", "four"].map(|name| {
        let database = database.clone();
        tokio::spawn(async move {
            let pool = database.schema(name).await;
            let found = "SELECT folded('CAFÉ') || (cube(ARRAY[1.5]::float8[]) <-> cube(ARRAY[0]::float8[]))";
            let found: Result<String, _> = sqlx::query_scalar(found).fetch_one(&pool).await;
            found.expect("found in the search path")
        })
    });
    for schema in schemas {
        assert_eq!(schema.await.expect("migrates"), "cafe1.5");
    }
    assert_eq!(database.number(EXTENSIONS).await, 3);
}

#[tokio::test]
async fn a_service_with_a_role_of_its_own_finds_extensions_that_another_role_has_made() {
    let database = TestDatabase::create().await;
    database.schema("first").await;
    let settings = database.settings_of_role("second").await;
    let pool = connect(&settings, "second").await.expect("connects");
    let own = &migrator("second", Vec::new());
    let parts = &[Part::Extensions];
    let name = "second";
    let applied = Schema { name, own, parts }.apply(&pool).await;
    applied.expect("migrates");
    let folded: String = sqlx::query_scalar("SELECT folded('Ébène')")
        .fetch_one(&pool)
        .await
        .expect("answers");
    assert_eq!(folded, "ebene");
}

#[tokio::test]
async fn an_extension_that_no_service_would_find_is_refused_with_what_to_do() {
    let database = TestDatabase::create().await;
    sqlx::query("CREATE EXTENSION unaccent SCHEMA public")
        .execute(&mut database.connection().await)
        .await
        .expect("creates");
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let refusal = migrate_parts(&pool, Vec::new(), &[Part::Extensions]).await;
    let refusal = refusal.expect_err("refused").message;
    assert!(
        refusal.contains("the extension unaccent is in the schema public"),
        "{refusal}"
    );
}

#[tokio::test]
async fn a_migration_waits_for_its_turn_longer_than_for_a_lock() {
    let database = TestDatabase::create().await;
    let slow = migration(20_991_231_000_003, "SELECT pg_sleep(1.5)");
    let first = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let second = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let service = || vec![slow.clone()];
    let (one, other) = tokio::join!(migrate(&first, service()), migrate(&second, service()));
    one.expect("migrates");
    other.expect("waits for the other, and has nothing to do");
}

#[tokio::test]
async fn the_setting_of_a_migration_does_not_outlive_it_in_the_pool() {
    let database = TestDatabase::create().await;
    let mut settings = database.settings();
    settings.max_connections = 1;
    let pool = connect(&settings, "probe").await.expect("connects");
    migrate(&pool, Vec::new()).await.expect("migrates");
    let timeout: String = sqlx::query_scalar("SHOW lock_timeout")
        .fetch_one(&pool)
        .await
        .expect("answers");
    assert_eq!(timeout, "0");
}

#[tokio::test]
async fn a_migration_waits_for_no_lock_and_may_take_its_time() {
    let database = TestDatabase::create().await;
    let pool = connect(&database.settings(), "probe")
        .await
        .expect("connects");
    let note = migration(
        20_261_129_000_010,
        "CREATE TABLE bounds AS SELECT current_setting('statement_timeout') AS statement,
         current_setting('lock_timeout') AS lock",
    );
    migrate(&pool, vec![note]).await.expect("migrates");
    let bounds: (String, String) = sqlx::query_as("SELECT statement, lock FROM bounds")
        .fetch_one(&pool)
        .await
        .expect("reads");
    assert_eq!(bounds, ("1h".to_owned(), "1s".to_owned()));
}

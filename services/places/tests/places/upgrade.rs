//! An upgrade from the previous release, which has `cube` in the schema of places, while its processes still run.

use std::str::FromStr;

use chassis::{
    postgres::{Part, Schema, Settings},
    role::Service,
};
use cityguide_proto::{
    paging::v1::PageRequest,
    places::v1::{Coordinates, ListListingsRequest},
};
use places::Places;
use sqlx::{
    PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use testkit::database::{TestDatabase, migrator};

use crate::bench::{Bench, page};

static MIGRATOR: Migrator = sqlx::migrate!();
/// The last migration of the previous release.
const LAST: i64 = 20_261_121_130_001;

/// A connection as the previous release makes it.
async fn previous(settings: &Settings) -> PgPool {
    let options = PgConnectOptions::from_str(&settings.url).expect("a URL");
    PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options.options([("search_path", "places")]))
        .await
        .expect("connects")
}

/// Migrates as the previous release does, and stores places at three distances.
async fn migrate_previous(pool: &PgPool) {
    let migrations = MIGRATOR.iter().filter(|one| one.version <= LAST).cloned();
    let mut own = migrator("places", migrations.collect());
    own.table_name.clone_from(&MIGRATOR.table_name);
    let (own, parts) = (&own, &[Part::Events]);
    let name = "places";
    let applied = Schema { name, own, parts }.apply(pool).await;
    applied.expect("migrates");
    sqlx::raw_sql(
        "INSERT INTO listing_types (slug, name, name_singular, is_food) VALUES ('bars', 'Bars', 'Bar', true);
         INSERT INTO listings (source_id, type_id, slug, name, is_closed, latitude, longitude,
            date_published, opening_hours)
         SELECT name, 1, name, name, false, 43, longitude, '2026-11-01', '24/7'
         FROM (VALUES ('far', -70), ('near', -79), ('farther', 101)) AS v (name, longitude)",
    )
    .execute(pool)
    .await
    .expect("stores");
}

/// The nearest places, by the previous release's statement.
async fn nearest(pool: &PgPool) -> Vec<String> {
    sqlx::query_scalar(
        "SELECT l.name FROM listings l WHERE true AND l.location IS NOT NULL
         ORDER BY l.location <-> cube($1) ASC, l.id ASC LIMIT $2 OFFSET $3",
    )
    .bind(vec![0.14, -0.72, 0.68])
    .bind(10_i64)
    .bind(0_i64)
    .fetch_all(pool)
    .await
    .expect("answers")
}

/// The same by this release.
async fn nearest_now(database: TestDatabase) -> Vec<String> {
    let request = ListListingsRequest {
        page: Some(PageRequest {
            ordering: "distance".to_owned(),
            ..page(10)
        }),
        near: Some(Coordinates {
            latitude: 43.0,
            longitude: -79.0,
        }),
        open_now_in: "Canada/Eastern".to_owned(),
        ..ListListingsRequest::default()
    };
    let listed = Bench::on(database).await.list(request).await;
    let places = listed.expect("answers").listings.into_iter();
    places.map(|place| place.name).collect()
}

const BY_DISTANCE: [&str; 3] = ["near", "far", "farther"];
const HAS_CUBE: &str =
    "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'cube'";

async fn schema_of_cube(database: &TestDatabase) -> String {
    sqlx::query_scalar(HAS_CUBE)
        .fetch_one(&mut database.connection().await)
        .await
        .expect("answers")
}

#[tokio::test]
async fn processes_of_the_previous_release_find_the_nearest_while_cube_moves_and_after() {
    let database = TestDatabase::create().await;
    let settings = database.settings();
    let before = previous(&settings).await;
    migrate_previous(&before).await;
    assert_eq!(nearest(&before).await, BY_DISTANCE);
    assert_eq!(schema_of_cube(&database).await, "places");

    Places::SCHEMA.migrate(&settings).await.expect("migrates");
    Places::SCHEMA
        .migrate(&settings)
        .await
        .expect("has nothing to do");
    assert_eq!(schema_of_cube(&database).await, "extensions");
    // On its statement from before, and on a new connection.
    assert_eq!(nearest(&before).await, BY_DISTANCE);
    let after = previous(&settings).await;
    assert_eq!(nearest(&after).await, BY_DISTANCE);
    assert_eq!(nearest_now(database).await, BY_DISTANCE);

    // Of three places, each is read; of many, the index finds the nearest.
    sqlx::raw_sql(
        "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off",
    )
    .execute(&after)
    .await
    .expect("set");
    let plan: Vec<String> = sqlx::query_scalar(
        "EXPLAIN SELECT l.name FROM listings l ORDER BY l.location <-> cube(ARRAY[0.1, 0.2, 0.3]) LIMIT 1",
    )
    .fetch_all(&after)
    .await
    .expect("explains");
    let plan = plan.join("\n");
    assert!(plan.contains("using listings_by_location"), "{plan}");
}

#[tokio::test]
async fn an_extension_of_another_role_stays_where_an_administrator_has_put_it() {
    let database = TestDatabase::create().await;
    let settings = database.settings_of_role("places").await;
    let owner = previous(&settings).await;
    sqlx::query("CREATE SCHEMA places")
        .execute(&owner)
        .await
        .expect("creates");
    sqlx::query("CREATE EXTENSION cube SCHEMA places")
        .execute(&mut database.connection().await)
        .await
        .expect("creates");
    migrate_previous(&owner).await;
    Places::SCHEMA.migrate(&settings).await.expect("migrates");
    assert_eq!(schema_of_cube(&database).await, "places");
    let before = previous(&settings).await;
    assert_eq!(nearest(&before).await, BY_DISTANCE);
    assert_eq!(nearest_now(database).await, BY_DISTANCE);
}

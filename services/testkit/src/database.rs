//! A database of its own for each test, on the server that `cargo xtask test` brings up.

use std::str::FromStr;

use chassis::postgres;
use sqlx::{
    AssertSqlSafe, Connection, PgConnection, PgPool,
    migrate::{Migration, Migrator},
    postgres::PgConnectOptions,
};

/// Where the test server is; `cargo xtask test` sets it.
pub const SERVER: &str = "CITYGUIDE_TEST_DATABASE_URL";

/// A database that holds nothing yet. It goes with the server, which lives as long as the test run.
#[derive(Debug, Clone)]
pub struct TestDatabase {
    /// `postgres://…` of this database.
    pub url: String,
}

impl TestDatabase {
    /// Makes an empty database.
    ///
    /// # Panics
    /// Where there is no test server: tests run by `cargo xtask test`.
    pub async fn create() -> Self {
        Self::create_on(&crate::environment(SERVER)).await
    }

    /// Makes an empty database on a server that a test has for itself, to stop and to kill.
    ///
    /// # Panics
    /// Where the server does not answer.
    pub async fn create_on(server: &str) -> Self {
        let mut entropy = [0_u8; 8];
        chassis::entropy::Entropy::fill(&chassis::entropy::OsEntropy, &mut entropy);
        let name = format!("test_{:016x}", u64::from_ne_bytes(entropy));
        let options =
            PgConnectOptions::from_str(server).unwrap_or_else(|error| panic!("{SERVER}: {error}"));
        let mut connection = PgConnection::connect_with(&options)
            .await
            .unwrap_or_else(|error| panic!("the test server does not answer: {error}"));
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut connection)
            .await
            .unwrap_or_else(|error| panic!("{name} cannot be made: {error}"));
        let (base, _) = server.rsplit_once('/').unwrap_or((server, ""));
        Self {
            url: format!("{base}/{name}"),
        }
    }

    /// A connection of the test's own, to look at what services have written.
    ///
    /// # Panics
    /// Where the database does not answer.
    pub async fn connection(&self) -> PgConnection {
        PgConnection::connect(&self.url)
            .await
            .unwrap_or_else(|error| panic!("{}: {error}", self.url))
    }

    /// One number that a query answers; `$1` and so on are not bound.
    ///
    /// # Panics
    /// Where the query fails or answers no whole number.
    pub async fn number(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query)
            .fetch_one(&mut self.connection().await)
            .await
            .unwrap_or_else(|error| panic!("{query}: {error}"))
    }

    /// A schema that holds the chassis's own tables and nothing else.
    ///
    /// # Panics
    /// Where it cannot be made.
    pub async fn schema(&self, name: &'static str) -> PgPool {
        let pool = postgres::connect(&self.settings(), name)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        postgres::migrate(&pool, &migrator(name, Vec::new()))
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        pool
    }

    /// Settings for a small pool on this database.
    #[must_use]
    pub fn settings(&self) -> postgres::Settings {
        postgres::Settings {
            url: self.url.clone(),
            max_connections: 5,
            acquire_timeout_seconds: 5,
        }
    }
}

/// A service's migrator over a schema, as `sqlx::migrate!()` makes it under a service's `sqlx.toml`.
#[must_use]
pub fn migrator(schema: &'static str, migrations: Vec<Migration>) -> Migrator {
    let mut migrator = Migrator::with_migrations(migrations);
    migrator.table_name = format!("{schema}._sqlx_migrations").into();
    migrator.create_schemas = vec![schema.into()].into();
    migrator
}

//! A database of its own for each test, on the server that `cargo xtask test` brings up.

use std::str::FromStr;

use chassis::postgres;
use sqlx::{AssertSqlSafe, Connection, PgConnection, postgres::PgConnectOptions};

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
        let server = std::env::var(SERVER)
            .unwrap_or_else(|_| panic!("{SERVER} is not set: run the tests by `cargo xtask test`"));
        let mut entropy = [0_u8; 8];
        chassis::entropy::Entropy::fill(&chassis::entropy::OsEntropy, &mut entropy);
        let name = format!("test_{:016x}", u64::from_ne_bytes(entropy));
        let options =
            PgConnectOptions::from_str(&server).unwrap_or_else(|error| panic!("{SERVER}: {error}"));
        let mut connection = PgConnection::connect_with(&options)
            .await
            .unwrap_or_else(|error| panic!("the test server does not answer: {error}"));
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut connection)
            .await
            .unwrap_or_else(|error| panic!("{name} cannot be made: {error}"));
        let (base, _) = server.rsplit_once('/').unwrap_or((&server, ""));
        Self {
            url: format!("{base}/{name}"),
        }
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

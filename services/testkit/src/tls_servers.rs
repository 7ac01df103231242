//! TLS addresses of the servers that `cargo xtask test` has started.

use chassis::postgres;

use crate::{database::TestDatabase, environment};

/// Name in the servers' certificate and in all of their URLs.
const NAME: &str = "localhost";
/// Address of the servers, for which the certificate is not valid.
const ADDRESS: &str = "127.0.0.1";

/// The servers' TLS URLs, and the authority of their certificate.
#[derive(Debug, Clone)]
pub struct TlsServers {
    /// Certificate of the authority in PEM.
    pub ca: String,
    /// PostgreSQL: `postgres://…/database?sslmode=verify-full`.
    pub database: String,
    /// Redis: `rediss://…`.
    pub redis: String,
    /// RabbitMQ: `amqps://…`.
    pub amqp: String,
}

impl TlsServers {
    /// Returns the servers of this test run.
    ///
    /// # Panics
    /// If they were not started with TLS: run the tests with `cargo xtask test`.
    #[must_use]
    pub fn of_the_run() -> Self {
        let file = environment("CITYGUIDE_TEST_CA_FILE");
        Self {
            ca: std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}")),
            database: environment("CITYGUIDE_TEST_DATABASE_TLS_URL"),
            redis: environment("CITYGUIDE_TEST_REDIS_TLS_URL"),
            amqp: environment("CITYGUIDE_TEST_AMQP_TLS_URL"),
        }
    }

    /// Replaces the servers' name with one for which their certificate is not valid.
    #[must_use]
    pub fn by_another_name(&self) -> Self {
        Self {
            ca: self.ca.clone(),
            database: self.database.replace(NAME, ADDRESS),
            redis: self.redis.replace(NAME, ADDRESS),
            amqp: self.amqp.replace(NAME, ADDRESS),
        }
    }

    /// Replaces the trusted authority.
    #[must_use]
    pub fn trusting(&self, ca: String) -> Self {
        Self { ca, ..self.clone() }
    }

    /// Returns the settings of a test's database over TLS.
    ///
    /// # Panics
    /// If the PostgreSQL URL contains no database.
    #[must_use]
    pub fn settings(&self, database: &TestDatabase) -> postgres::Settings {
        let (server, query) = self
            .database
            .split_once('?')
            .unwrap_or((&self.database, ""));
        let Some((server, _)) = server.rsplit_once('/') else {
            panic!("{} names no database", self.database);
        };
        postgres::Settings {
            url: format!("{server}/{}?{query}", database.name()),
            ca: self.ca.clone(),
            ..database.settings()
        }
    }
}

//! The servers that `cargo xtask test` has started, over TLS.

use chassis::postgres;

use crate::{database::TestDatabase, environment};

/// The name in the servers' certificate, which stands in all of their URLs.
const NAME: &str = "localhost";
/// Their address, which is no name of the certificate.
const ADDRESS: &str = "127.0.0.1";

/// The servers' URLs over TLS, and the authority that has signed their certificate.
#[derive(Debug, Clone)]
pub struct TlsServers {
    /// The authority, as PEM.
    pub ca: String,
    /// PostgreSQL: `postgres://…/database?sslmode=verify-full`.
    pub database: String,
    /// Redis: `rediss://…`.
    pub redis: String,
    /// RabbitMQ: `amqps://…`.
    pub amqp: String,
}

impl TlsServers {
    /// Those of this run.
    ///
    /// # Panics
    /// If they were not started with TLS: tests run by `cargo xtask test`.
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

    /// The same servers by a name that their certificate is not for.
    #[must_use]
    pub fn by_another_name(&self) -> Self {
        Self {
            ca: self.ca.clone(),
            database: self.database.replace(NAME, ADDRESS),
            redis: self.redis.replace(NAME, ADDRESS),
            amqp: self.amqp.replace(NAME, ADDRESS),
        }
    }

    /// The same servers for a client that trusts another authority.
    #[must_use]
    pub fn trusting(&self, ca: String) -> Self {
        Self { ca, ..self.clone() }
    }

    /// Settings of a test's database over TLS.
    ///
    /// # Panics
    /// If the URL of PostgreSQL names no database.
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

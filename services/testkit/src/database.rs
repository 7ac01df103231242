//! A separate database for each test, on the server that `cargo xtask test` starts.

use std::{str::FromStr, sync::Arc};

use chassis::{
    error::Fault,
    postgres::{self, Part, Schema},
};
use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, PgPool,
    migrate::{Migration, Migrator},
    postgres::{PgConnectOptions, PgSslMode},
};
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};

/// Environment variable with the test server's URL, set by `cargo xtask test`.
pub const SERVER: &str = "CITYGUIDE_TEST_DATABASE_URL";

/// A test's database. It is removed together with the server at the end of the test run.
#[derive(Debug, Clone)]
pub struct TestDatabase {
    /// `postgres://…` URL of this database.
    pub url: String,
    name: String,
    /// Connection for repeatedly polled queries, as opening a connection is more expensive than such a query.
    kept: Arc<Mutex<Option<PgConnection>>>,
}

impl TestDatabase {
    /// Creates an empty database.
    ///
    /// # Panics
    /// If there is no test server: run the tests with `cargo xtask test`.
    pub async fn create() -> Self {
        Self::create_on(&crate::environment(SERVER)).await
    }

    /// Creates an empty database on a server that a single test may stop and kill.
    ///
    /// # Panics
    /// If the server does not respond.
    pub async fn create_on(server: &str) -> Self {
        let database = Self::on(server, unique_name());
        let statement = format!("CREATE DATABASE {}", database.name);
        run_on(&mut connect(server).await, statement).await;
        database
    }

    /// Creates a copy of a template database, which `migrate` prepares once per test run. `name` distinguishes
    /// templates.
    ///
    /// # Panics
    /// If there is no test server, or the migration fails.
    pub async fn migrated<F>(name: &str, migrate: impl FnOnce(postgres::Settings) -> F) -> Self
    where
        F: Future<Output = Result<(), Fault>>,
    {
        let server = crate::environment(SERVER);
        // Nextest runs each test in its own process; otherwise, each process has its own template.
        let run = std::env::var("NEXTEST_RUN_ID")
            .unwrap_or_else(|_| std::process::id().to_string())
            .replace('-', "");
        let template = Self::on(&server, format!("template_{name}_{run}"));
        let mut connection = connect(&server).await;
        // The lock is held until the connection closes; other tests wait for the template meanwhile.
        sqlx::query("SELECT pg_advisory_lock(hashtextextended($1, 0))")
            .bind(&template.name)
            .execute(&mut connection)
            .await
            .unwrap_or_else(|error| panic!("the lock of {name}: {error}"));
        let is_ready: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)",
        )
        .bind(&template.name)
        .fetch_one(&mut connection)
        .await
        .unwrap_or_else(|error| panic!("the template of {name}: {error}"));
        if !is_ready {
            // A killed test may have left an incomplete template.
            run_on(
                &mut connection,
                format!("DROP DATABASE IF EXISTS {}", template.name),
            )
            .await;
            run_on(
                &mut connection,
                format!("CREATE DATABASE {}", template.name),
            )
            .await;
            migrate(template.settings())
                .await
                .unwrap_or_else(|error| panic!("migrating {name}: {error}"));
            let done = format!("ALTER DATABASE {} IS_TEMPLATE true", template.name);
            run_on(&mut connection, done).await;
        }
        let copy = Self::on(&server, unique_name());
        // The default strategy copies each page through the write-ahead log, which takes three times as long.
        let statement = format!(
            "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy",
            copy.name, template.name
        );
        run_on(&mut connection, statement).await;
        copy
    }

    fn on(server: &str, name: String) -> Self {
        let (base, _) = server.rsplit_once('/').unwrap_or((server, ""));
        Self {
            url: format!("{base}/{name}"),
            name,
            kept: Arc::default(),
        }
    }

    /// Opens a separate connection for inspecting the services' data.
    ///
    /// # Panics
    /// If the database does not respond.
    pub async fn connection(&self) -> PgConnection {
        connect(&self.url).await
    }

    /// Returns the reused connection for short queries, reopening it if the server has closed it.
    ///
    /// # Panics
    /// If the database does not respond.
    pub(crate) async fn kept(&self) -> MappedMutexGuard<'_, PgConnection> {
        let mut kept = self.kept.lock().await;
        let open = match kept.take() {
            Some(mut connection) => connection.ping().await.is_ok().then_some(connection),
            None => None,
        };
        let open = match open {
            Some(connection) => connection,
            None => self.connection().await,
        };
        MutexGuard::map(kept, |kept| kept.insert(open))
    }

    /// Returns the number that a query without parameters returns.
    ///
    /// # Panics
    /// If the query fails or does not return an integer.
    pub async fn number(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query)
            .fetch_one(&mut *self.kept().await)
            .await
            .unwrap_or_else(|error| panic!("{query}: {error}"))
    }

    /// Creates a schema with only the chassis's own tables.
    ///
    /// # Panics
    /// If it cannot be created.
    pub async fn schema(&self, name: &'static str) -> PgPool {
        let pool = postgres::connect(&self.settings(), name)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let schema = Schema {
            name,
            own: &migrator(name, Vec::new()),
            parts: Part::ALL,
        };
        let applied = schema.apply(&pool).await;
        applied.unwrap_or_else(|error| panic!("{error}"));
        pool
    }

    /// Returns settings like [`TestDatabase::settings`] for a new role that may create schemas and owns nothing yet.
    ///
    /// # Panics
    /// If the role cannot be created.
    pub async fn settings_of_role(&self, name: &str) -> postgres::Settings {
        // Roles belong to the server, which many tests share.
        let role = format!("{}_{name}", self.name);
        let statements = format!(
            "CREATE ROLE {role} LOGIN PASSWORD '{role}'; GRANT CREATE ON DATABASE {} TO {role}",
            self.name
        );
        sqlx::raw_sql(AssertSqlSafe(statements))
            .execute(&mut self.connection().await)
            .await
            .unwrap_or_else(|error| panic!("the role {role}: {error}"));
        let (_, address) = self.url.rsplit_once('@').unwrap_or(("", &self.url));
        postgres::Settings {
            url: format!("postgres://{role}:{role}@{address}"),
            ..self.settings()
        }
    }

    /// Returns the name of the database.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns settings for a small pool on this database.
    #[must_use]
    pub fn settings(&self) -> postgres::Settings {
        postgres::Settings {
            url: self.url.clone(),
            ca: String::new(),
            max_connections: 5,
            background_connections: 4,
            acquire_timeout_seconds: 5,
        }
    }
}

fn unique_name() -> String {
    let mut entropy = [0_u8; 8];
    chassis::entropy::Entropy::fill(&chassis::entropy::OsEntropy, &mut entropy);
    format!("test_{:016x}", u64::from_ne_bytes(entropy))
}

/// Connects to the database of a URL, with the role in the URL.
///
/// # Panics
/// If the server does not respond.
pub async fn connect(server: &str) -> PgConnection {
    let options =
        PgConnectOptions::from_str(server).unwrap_or_else(|error| panic!("{server}: {error}"));
    // The server offers TLS, which the library would otherwise use.
    PgConnection::connect_with(&options.ssl_mode(PgSslMode::Disable))
        .await
        .unwrap_or_else(|error| panic!("{server} does not answer: {error}"))
}

async fn run_on(connection: &mut PgConnection, statement: String) {
    sqlx::query(AssertSqlSafe(statement.clone()))
        .execute(connection)
        .await
        .unwrap_or_else(|error| panic!("{statement}: {error}"));
}

/// Creates a service's migrator for a schema, like `sqlx::migrate!()` with a service's `sqlx.toml`.
#[must_use]
pub fn migrator(schema: &'static str, migrations: Vec<Migration>) -> Migrator {
    let mut migrator = Migrator::with_migrations(migrations);
    migrator.table_name = format!("{schema}._sqlx_migrations").into();
    migrator.create_schemas = vec![schema.into()].into();
    migrator
}

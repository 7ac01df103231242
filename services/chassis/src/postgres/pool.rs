//! A service's connection pools.

use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions, PgSslMode},
};

use crate::{
    call,
    error::{Code, Fault},
    lifecycle::Lifecycle,
    server_tls,
};

/// A connection used this recently is assumed to be open: checking each time would cost a busy service one round trip
/// per query. No database restarts within this time.
const TRUSTED: Duration = Duration::from_millis(50);
/// The schema of PostgreSQL's extensions, which exist once per database; the last schema of every search path.
const EXTENSIONS_SCHEMA: &str = "extensions";
/// The interval at which connections are measured.
const MEASURE: Duration = Duration::from_secs(5);
/// The statement timeout of imports, consumers and jobs, in PostgreSQL's notation.
const BACKGROUND_STATEMENT_TIMEOUT: &str = "30s";
/// How long imports, consumers and jobs wait for a free connection. No reader waits for them.
const BACKGROUND_ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// The `[database]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The URL of PostgreSQL: `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for TLS. A
    /// secret; may come from `database.url_file`.
    pub url: String,
    /// The authority of the server's certificate, in PEM; may come from `database.ca_file`. Empty: the public
    /// authorities.
    pub ca: String,
    /// The maximum number of connections per service for calls.
    pub max_connections: u32,
    /// The additional connections per service for events, jobs and imports. At least 3: the relay holds a connection
    /// while a consumer in its process writes, and an import holds one until it ends.
    pub background_connections: u32,
    /// The timeout for a free connection, in seconds, after which the call fails with status 503.
    pub acquire_timeout_seconds: u64,
}

/// The pools of a service. Work for readers never waits for a connection behind an import or a purge.
#[derive(Debug, Clone)]
pub struct Pools {
    /// For calls; the statement timeout is the longest call duration.
    pub calls: PgPool,
    /// For the relay, consumers, jobs and imports.
    pub background: PgPool,
}

impl Pools {
    /// Opens both pools. The first connection is opened here, so that a start without a database fails with a clear
    /// message. `longest_call` limits calls, and therefore also their statements.
    pub async fn open(
        settings: &Settings,
        schema: &'static str,
        longest_call: Duration,
    ) -> Result<Self, Fault> {
        let options = options(settings, schema)?;
        let of_calls = options.clone().options([
            ("statement_timeout", milliseconds(longest_call)),
            ("lock_timeout", milliseconds(longest_call / 2)),
        ]);
        let acquire_timeout = Duration::from_secs(settings.acquire_timeout_seconds);
        let calls = PoolBounds {
            connections: settings.max_connections,
            acquire_timeout,
        };
        let background = PoolBounds {
            connections: settings.background_connections,
            acquire_timeout: BACKGROUND_ACQUIRE_TIMEOUT,
        };
        Ok(Self {
            calls: connect_with(calls, of_calls, schema).await?,
            background: background.pool().connect_lazy_with(options),
        })
    }

    /// Measures the connections in use, until the process stops.
    pub(crate) fn measure(&self, service: &'static str, life: &Lifecycle) {
        let (pools, stopping) = (self.clone(), life.clone());
        life.supervise("pool metrics", move || {
            let (pools, stopping) = (pools.clone(), stopping.clone());
            async move {
                loop {
                    measure(service, "calls", &pools.calls);
                    measure(service, "background", &pools.background);
                    tokio::select! {
                        () = stopping.stopping() => return,
                        () = tokio::time::sleep(MEASURE) => {}
                    }
                }
            }
        });
    }
}

fn measure(service: &'static str, name: &'static str, pool: &PgPool) {
    let open = f64::from(pool.size());
    let idle = u32::try_from(pool.num_idle()).map_or(open, f64::from);
    for (state, connections) in [("used", (open - idle).max(0.0)), ("idle", idle)] {
        metrics::gauge!("postgres_pool_connections", "service" => service, "pool" => name, "state" => state)
            .set(connections);
    }
    let limit = f64::from(pool.options().get_max_connections());
    metrics::gauge!("postgres_pool_limit", "service" => service, "pool" => name).set(limit);
}

/// Ends the transaction's statements with the deadline of the current work. PostgreSQL would otherwise continue after
/// the caller has left, until the pool's own timeout.
pub async fn end_with_call(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let Some(deadline) = call::deadline() else {
        return Ok(());
    };
    let left = deadline.saturating_duration_since(Instant::now());
    // 0 would mean no timeout.
    let left = left.max(Duration::from_millis(1));
    sqlx::query!(
        "SELECT set_config('statement_timeout', $1, true)",
        milliseconds(left),
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// A pool for work that no reader waits for: a migration, a test, a service's background. The first connection is
/// opened here.
pub async fn connect(settings: &Settings, schema: &'static str) -> Result<PgPool, Fault> {
    let bounds = PoolBounds {
        connections: settings.max_connections,
        acquire_timeout: Duration::from_secs(settings.acquire_timeout_seconds),
    };
    connect_with(bounds, options(settings, schema)?, schema).await
}

fn options(settings: &Settings, schema: &'static str) -> Result<PgConnectOptions, Fault> {
    let search_path = format!("{schema},{EXTENSIONS_SCHEMA}");
    let options = PgConnectOptions::from_str(&settings.url)
        .map_err(|error| refuse(&format!("is not valid: {error}"), schema))?
        .application_name(&format!("cityguide-{schema}"))
        .options([
            ("search_path", search_path.as_str()),
            ("statement_timeout", BACKGROUND_STATEMENT_TIMEOUT),
            ("idle_in_transaction_session_timeout", "60s"),
        ])
        .log_statements(tracing::log::LevelFilter::Trace)
        .log_slow_statements(tracing::log::LevelFilter::Warn, Duration::from_secs(1));
    with_tls(options, settings, schema)
}

/// Configures TLS as requested by the URL: with the server's certificate verified, or not at all. PostgreSQL's other
/// modes accept any server, or fall back to clear text, so they do not protect against an attacker who can redirect a
/// connection.
fn with_tls(
    options: PgConnectOptions,
    settings: &Settings,
    schema: &str,
) -> Result<PgConnectOptions, Fault> {
    let options = match options.get_ssl_mode() {
        // `Prefer` is the library's default mode for a URL without a mode.
        PgSslMode::Prefer if !names_ssl_mode(&settings.url) => options.ssl_mode(PgSslMode::Disable),
        _ => options,
    };
    match (options.get_ssl_mode(), settings.ca.as_str()) {
        (PgSslMode::VerifyFull | PgSslMode::Disable, "") => Ok(options),
        (PgSslMode::VerifyFull, ca) => {
            server_tls::authorities("database.ca", ca)?;
            Ok(options.ssl_root_cert_from_pem(ca.into()))
        }
        (PgSslMode::Disable, _) => Err(refuse(
            "has no sslmode=verify-full, which database.ca is for",
            schema,
        )),
        _ => Err(refuse(
            "has an sslmode that does not verify the server: it must be verify-full or disable",
            schema,
        )),
    }
}

fn names_ssl_mode(url: &str) -> bool {
    let (_, query) = url.split_once('?').unwrap_or_default();
    query
        .split('&')
        .any(|pair| pair.starts_with("sslmode=") || pair.starts_with("ssl-mode="))
}

fn refuse(what: &str, schema: &str) -> Fault {
    let message = format!("settings: database.url or services.{schema}.database_url {what}");
    Fault::new(Code::Invalid, message)
}

/// Formats a duration in PostgreSQL's notation.
fn milliseconds(duration: Duration) -> String {
    format!("{}ms", duration.as_millis())
}

struct PoolBounds {
    connections: u32,
    acquire_timeout: Duration,
}

impl PoolBounds {
    fn pool(&self) -> PgPoolOptions {
        PgPoolOptions::new()
            .min_connections(0)
            .max_connections(self.connections)
            .acquire_timeout(self.acquire_timeout)
            .test_before_acquire(false)
            .before_acquire(|connection, state| {
                Box::pin(async move {
                    if state.idle_for > TRUSTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
    }
}

async fn connect_with(
    bounds: PoolBounds,
    options: PgConnectOptions,
    schema: &str,
) -> Result<PgPool, Fault> {
    let address = format!("{}:{}", options.get_host(), options.get_port());
    bounds.pool().connect_with(options).await.map_err(|error| {
        let hint = format!(
            "start it, or set database.url (CITYGUIDE__DATABASE__URL) or services.{schema}.database_url"
        );
        let error = server_tls::explained(&error, "database.ca");
        Fault::new(
            Code::Unavailable,
            format!("PostgreSQL at {address} cannot be reached: {error}; {hint}"),
        )
    })
}

/// Whether the database responds; for readiness.
pub async fn check(pool: &PgPool) -> Result<(), Fault> {
    sqlx::query("SELECT 1").execute(pool).await?;
    Ok(())
}

//! A service's pool.

use std::{str::FromStr, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::{
    ConnectOptions, Connection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::error::{Code, Fault};

/// A connection used this recently is assumed to be open: checking each time would cost a busy service one
/// round trip per query. No database restarts within this time.
const TRUSTED: Duration = Duration::from_millis(50);

/// `[database]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The URL of PostgreSQL: `postgres://user:password@host:port/database`. A secret; may come from
    /// `database.url_file`.
    pub url: String,
    /// Connections each service may hold.
    pub max_connections: u32,
    /// Seconds to wait for a free connection before the call is answered 503.
    pub acquire_timeout_seconds: u64,
}

/// A pool whose connections use one service's schema. The first connection is made here, so that a start
/// without its database ends with a clear line.
pub async fn connect(settings: &Settings, schema: &'static str) -> Result<PgPool, Fault> {
    let options = PgConnectOptions::from_str(&settings.url)
        .map_err(|error| Fault::new(Code::Invalid, format!("database.url is not valid: {error}")))?
        .application_name(&format!("cityguide-{schema}"))
        .options([
            ("search_path", schema),
            ("statement_timeout", "30s"),
            ("idle_in_transaction_session_timeout", "60s"),
        ])
        .log_statements(tracing::log::LevelFilter::Trace)
        .log_slow_statements(tracing::log::LevelFilter::Warn, Duration::from_secs(1));
    let address = format!("{}:{}", options.get_host(), options.get_port());
    PgPoolOptions::new()
        .min_connections(0)
        .max_connections(settings.max_connections)
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move {
                if state.idle_for > TRUSTED {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .acquire_timeout(Duration::from_secs(settings.acquire_timeout_seconds))
        .connect_with(options)
        .await
        .map_err(|error| {
            let hint = "start it, or set database.url (CITYGUIDE__DATABASE__URL)";
            Fault::new(
                Code::Unavailable,
                format!("PostgreSQL at {address} cannot be reached: {error}; {hint}"),
            )
        })
}

/// Whether the database answers; for readiness.
pub async fn check(pool: &PgPool) -> Result<(), Fault> {
    sqlx::query("SELECT 1").execute(pool).await?;
    Ok(())
}

//! Queries about the database itself, besides the queries of the services.

use chassis::error::Fault;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

/// The number of connections that PostgreSQL allows besides its reserved ones.
pub(crate) async fn allowed_connections(pool: &PgPool) -> Result<i64, Fault> {
    let allowed = sqlx::query_scalar(
        "SELECT current_setting('max_connections')::bigint
             - current_setting('superuser_reserved_connections')::bigint",
    );
    Ok(allowed.fetch_one(pool).await?)
}

/// PostgreSQL's clock.
pub(crate) async fn clock(pool: &PgPool) -> Result<DateTime<Utc>, Fault> {
    let clock = sqlx::query_scalar("SELECT clock_timestamp()");
    Ok(clock.fetch_one(pool).await?)
}

/// The instant of the last complete backup.
pub(crate) async fn last_backup(pool: &PgPool) -> Result<Option<DateTime<Utc>>, Fault> {
    let last = sqlx::query_scalar("SELECT at FROM identity.last_backup");
    Ok(last.fetch_optional(pool).await?)
}

//! The table `last_backup`, which `cityguide backup` writes.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::PgPool;

/// The instant of the last backup.
#[sql("last_backup.at")]
pub(crate) async fn at(pool: &PgPool) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!("SELECT at FROM last_backup")
        .fetch_optional(pool)
        .await
}

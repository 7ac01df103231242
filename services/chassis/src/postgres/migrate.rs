//! Migrations: a service's own, and the chassis's tables beside them, in one schema under one table.

use sqlx::{PgPool, migrate::Migrator};

use crate::error::{Code, Fault};

static CHASSIS: Migrator = sqlx::migrate!();

/// Brings a service's schema up to date. The service's migrator comes from `sqlx::migrate!()` under
/// its `sqlx.toml`, which names the schema and the table.
pub async fn migrate(pool: &PgPool, service: &Migrator) -> Result<(), Fault> {
    let mut migrations: Vec<_> = CHASSIS
        .migrations
        .iter()
        .chain(service.migrations.iter())
        .cloned()
        .collect();
    migrations.sort_by_key(|migration| migration.version);
    let mut both = Migrator::with_migrations(migrations);
    both.table_name.clone_from(&service.table_name);
    both.create_schemas.clone_from(&service.create_schemas);
    let mut connection = pool.acquire().await?;
    // A migration that waits for a lock makes everyone behind it wait: better to fail and run again.
    sqlx::query("SET lock_timeout = '1s'")
        .execute(&mut *connection)
        .await?;
    both.run_direct(None, &mut *connection, false)
        .await
        .map_err(|error| {
            let table = &service.table_name;
            Fault::new(
                Code::Internal,
                format!("migrating {}: {error}", schema_of(table)),
            )
        })?;
    // The setting must not outlive the migration in the pool.
    connection.close().await?;
    Ok(())
}

fn schema_of(table: &str) -> &str {
    table.split_once('.').map_or(table, |(schema, _)| schema)
}

/// Refuses a schema that lacks a migration: serving on it would fail at the first question.
pub async fn check_migrated(pool: &PgPool, service: &Migrator) -> Result<(), Fault> {
    let table = &service.table_name;
    let behind = |what: &str| {
        let message = format!(
            "the schema {} {what}: run `cityguide migrate`",
            schema_of(table)
        );
        Fault::new(Code::Unavailable, message)
    };
    let applied = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!(
        "SELECT version FROM {table} WHERE success"
    )))
    .fetch_all(pool)
    .await;
    let applied = match applied {
        Ok(applied) => applied,
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42P01") => {
            return Err(behind("does not exist"));
        }
        Err(error) => return Err(error.into()),
    };
    let known = CHASSIS.migrations.iter().chain(service.migrations.iter());
    if known
        .into_iter()
        .all(|migration| applied.contains(&migration.version))
    {
        Ok(())
    } else {
        Err(behind("is not up to date"))
    }
}

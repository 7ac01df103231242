//! All SQL of backups and restores.

pub(super) mod catalog;
pub(super) mod dump;
pub(super) mod load;

use chassis::{
    error::{Code, Fault},
    postgres,
};
use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool, raw_sql};

/// Serialises backups of a database.
const LOCK: &str = "cityguide backup";

/// Quotes an identifier.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Quotes a table's name with its schema.
fn qualified(schema: &str, name: &str) -> String {
    format!("{}.{}", quoted(schema), quoted(name))
}

async fn execute(connection: &mut PgConnection, statements: String) -> Result<(), Fault> {
    let statements = raw_sql(AssertSqlSafe(statements));
    statements.execute(connection).await?;
    Ok(())
}

/// The database of the site, for the role that may read or change all schemas.
pub(super) async fn connect(database: &postgres::Settings) -> Result<PgPool, Fault> {
    postgres::connect(database, "identity").await
}

/// A connection without time limits: a large table takes long, and so does a slow store of backups.
async fn patient(pool: &PgPool) -> Result<PgConnection, Fault> {
    let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
    let limits = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";
    execute(&mut connection, limits.to_owned()).await?;
    Ok(connection)
}

/// Locks the database against other backups until the connection closes.
pub(super) async fn lock(pool: &PgPool) -> Result<PgConnection, Fault> {
    let mut connection = patient(pool).await?;
    let is_ours: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock(hashtextextended($1, 0))")
        .bind(LOCK)
        .fetch_one(&mut connection)
        .await?;
    if is_ours {
        return Ok(connection);
    }
    let message = "another backup of this database is in progress";
    Err(Fault::new(Code::Conflict, message))
}

/// Stores the instant of a complete backup, for the metric of its age.
pub(super) async fn record(pool: &PgPool, at: DateTime<Utc>) -> Result<(), Fault> {
    let insert = "INSERT INTO identity.last_backup (at) VALUES ($1)
        ON CONFLICT (is_only) DO UPDATE SET at = excluded.at";
    sqlx::query(insert).bind(at).execute(pool).await?;
    Ok(())
}

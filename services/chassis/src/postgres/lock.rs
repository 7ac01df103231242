//! Named locks.

use sqlx::PgConnection;

/// Waits for a named lock, which is held until the transaction ends.
pub async fn lock_until_commit(
    connection: &mut PgConnection,
    name: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
        name
    )
    .execute(connection)
    .await?;
    Ok(())
}

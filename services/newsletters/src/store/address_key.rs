//! `address_key`: the key for hashing addresses.

use chassis::sql;
use sqlx::PgPool;

/// Returns the key; stores `fresh` if there is no key yet.
#[sql("address_key.ensure")]
pub(crate) async fn ensure(pool: &PgPool, fresh: &[u8]) -> Result<Vec<u8>, sqlx::Error> {
    sqlx::query!(
        "INSERT INTO address_key (key) VALUES ($1) ON CONFLICT DO NOTHING",
        fresh
    )
    .execute(pool)
    .await?;
    sqlx::query_scalar!("SELECT key FROM address_key")
        .fetch_one(pool)
        .await
}

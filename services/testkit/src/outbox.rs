//! Reads a service's outbox.

use sqlx::{AssertSqlSafe, Row};

use crate::{database::TestDatabase, until};

/// An event in an outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Target exchange.
    pub exchange: String,
    /// Routing key.
    pub key: String,
    /// Protobuf encoding of the event.
    pub payload: Vec<u8>,
}

/// Returns the unpublished events of a schema's outbox, oldest first.
///
/// # Panics
/// If the outbox cannot be read.
pub async fn waiting(database: &TestDatabase, schema: &str) -> Vec<Waiting> {
    let statement = format!("SELECT exchange, key, payload FROM {schema}.outbox ORDER BY seq");
    let rows = sqlx::query(AssertSqlSafe(statement))
        .fetch_all(&mut *database.kept().await)
        .await
        .unwrap_or_else(|error| panic!("the outbox of {schema} cannot be read: {error}"));
    rows.iter()
        .map(|row| Waiting {
            exchange: row.get("exchange"),
            key: row.get("key"),
            payload: row.get("payload"),
        })
        .collect()
}

/// Waits until all events of a schema are published.
///
/// # Panics
/// If events remain after the maximum duration of a wait.
pub async fn assert_drains(database: &TestDatabase, schema: &str) {
    let what = format!("the outbox of {schema} drains");
    until(&what, async || {
        waiting(database, schema).await.is_empty().then_some(())
    })
    .await;
}

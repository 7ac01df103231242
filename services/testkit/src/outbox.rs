//! Inspects a service's outbox.

use sqlx::{AssertSqlSafe, Row};

use crate::{database::TestDatabase, until};

/// An event that waits in an outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The exchange to publish it to.
    pub exchange: String,
    /// Its routing key.
    pub key: String,
    /// The protobuf encoding of the event.
    pub payload: Vec<u8>,
}

/// The events that wait in a schema's outbox, in the order of writing.
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

/// Checks that all events of a schema are published, soon: nothing is left behind.
///
/// # Panics
/// If some are still there after thirty seconds, within which outboxes must drain once a fault has
/// ended.
pub async fn assert_drains(database: &TestDatabase, schema: &str) {
    let what = format!("the outbox of {schema} drains");
    until(&what, async || {
        waiting(database, schema).await.is_empty().then_some(())
    })
    .await;
}

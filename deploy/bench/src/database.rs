//! The bench's access to the site's database.

use std::time::Duration;

use anyhow::{Context, anyhow};
use sqlx::{
    AssertSqlSafe, FromRow, PgPool,
    postgres::{PgPoolOptions, PgRow},
};

/// Timeout for the handling of events.
const TIMEOUT: Duration = Duration::from_mins(2);
const POLL: Duration = Duration::from_millis(10);

/// A single connection, shared by several parts of a case.
#[derive(Debug, Clone)]
pub(crate) struct Database(PgPool);

impl Database {
    pub(crate) async fn open(url: &str) -> anyhow::Result<Self> {
        // Temporary tables and functions belong to the connection.
        let options = PgPoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None);
        let pool = options.connect(url).await;
        Ok(Self(pool.context("PostgreSQL does not answer")?))
    }

    pub(crate) async fn run(&self, statements: &str) -> anyhow::Result<()> {
        let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
        statements.execute(&self.0).await?;
        Ok(())
    }

    /// Runs one prepared statement.
    pub(crate) async fn execute(&self, statement: &'static str) -> anyhow::Result<()> {
        sqlx::query(statement).execute(&self.0).await?;
        Ok(())
    }

    pub(crate) async fn rows<T>(&self, query: &str) -> anyhow::Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let rows = sqlx::query_as(AssertSqlSafe(query.to_owned())).fetch_all(&self.0);
        rows.await.with_context(|| query.to_owned())
    }

    /// Returns the only column of the first row.
    pub(crate) async fn value<T>(&self, query: &str) -> anyhow::Result<T>
    where
        (T,): for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let rows = self.rows::<(T,)>(query).await?;
        let row = rows.into_iter().next();
        Ok(row.with_context(|| format!("nothing: {query}"))?.0)
    }

    /// Waits until a condition is true.
    pub(crate) async fn wait(&self, condition: &str, within: Duration) -> anyhow::Result<()> {
        let query = format!("SELECT {condition}");
        let waiting = async {
            while !self.value::<bool>(&query).await? {
                tokio::time::sleep(POLL).await;
            }
            anyhow::Ok(())
        };
        let waited = tokio::time::timeout(within, waiting).await;
        waited.map_err(|_| anyhow!("not in time: {condition}"))?
    }

    /// Waits until bookmarks has received all places, then has PostgreSQL analyse the tables.
    pub(crate) async fn settle(&self) -> anyhow::Result<()> {
        let received = "(SELECT count(*) FROM bookmarks.targets WHERE kind = 'listing')
            = (SELECT count(*) FROM places.listings)";
        self.wait(received, TIMEOUT).await?;
        self.run("ANALYZE").await
    }

    /// Waits until a service's outbox is empty and identity has handled this number of events.
    pub(crate) async fn delivered(&self, schema: &str, events: u64) -> anyhow::Result<()> {
        let done = format!(
            "NOT EXISTS (SELECT FROM {schema}.outbox) AND (SELECT count(*) FROM identity.inbox) >= {events}"
        );
        self.wait(&done, TIMEOUT).await
    }
}

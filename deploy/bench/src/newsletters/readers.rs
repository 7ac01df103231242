//! Who gets the issues, and what became of them, in the site's own tables.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use sqlx::{AssertSqlSafe, PgConnection, Row};

use super::PATIENCE;

/// Makes this number of readers who get the contests' newsletter, in place of those before.
pub(super) async fn replace(connection: &mut PgConnection, readers: i64) -> anyhow::Result<()> {
    let sql = format!(
        "DELETE FROM newsletters.issues WHERE kind = 'contests';
         TRUNCATE newsletters.subscribers CASCADE;
         INSERT INTO newsletters.subscribers (email, email_key, is_confirmed, email_at, token, created_at, changed_at)
         SELECT address, address, true, now(), md5(address) || substr(md5(address || 'more'), 1, 11), now(), now()
         FROM (SELECT 'reader' || i || '@example.com' AS address FROM generate_series(1, {readers}) i) readers;
         INSERT INTO newsletters.subscriptions (subscriber_id, kind, since, is_welcomed)
         SELECT id, 'contests', now(), true FROM newsletters.subscribers;
         ANALYZE;
         CHECKPOINT"
    );
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(connection)
        .await?;
    Ok(())
}

/// Waits until an issue is as it should be.
pub(super) async fn until(
    connection: &mut PgConnection,
    name: &str,
    wanted: &str,
) -> anyhow::Result<()> {
    let sql = format!("SELECT {wanted} FROM newsletters.issues WHERE slot = $1");
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let row = sqlx::query(AssertSqlSafe(sql.clone())).bind(name);
        if row.fetch_one(&mut *connection).await?.try_get(0)? {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    bail!("{name} was not ready in time: {wanted}")
}

/// Recipients whose letters the server has taken.
pub(super) async fn accepted(connection: &mut PgConnection, name: &str) -> anyhow::Result<i64> {
    let row = sqlx::query(
        "SELECT count(*) FROM newsletters.deliveries d JOIN newsletters.issues i ON i.id = d.issue_id
         WHERE i.slot = $1 AND d.fate = 'accepted'",
    );
    Ok(row.bind(name).fetch_one(connection).await?.try_get(0)?)
}

/// Seconds from the moment at which an issue was scheduled to the last mark.
pub(super) async fn seconds(connection: &mut PgConnection, name: &str) -> anyhow::Result<f64> {
    between(connection, name, "min(i.created_at)").await
}

/// Seconds from the first mark to the last.
pub(super) async fn seconds_of_sending(
    connection: &mut PgConnection,
    name: &str,
) -> anyhow::Result<f64> {
    between(connection, name, "min(d.at)").await
}

async fn between(connection: &mut PgConnection, name: &str, begin: &str) -> anyhow::Result<f64> {
    let sql = format!(
        "SELECT extract(epoch FROM max(d.at) - {begin})::float8 FROM newsletters.deliveries d
         JOIN newsletters.issues i ON i.id = d.issue_id WHERE i.slot = $1"
    );
    let row = sqlx::query(AssertSqlSafe(sql)).bind(name);
    let seconds: Option<f64> = row.fetch_one(connection).await?.try_get(0)?;
    seconds.context("nothing was sent")
}

/// What became of the issue for each recipient: the address, the fate and the server's answer.
pub(super) async fn fates(
    connection: &mut PgConnection,
    name: &str,
) -> anyhow::Result<Vec<(String, String, String)>> {
    let rows = sqlx::query(
        "SELECT s.email, d.fate, coalesce(d.answer, '') FROM newsletters.deliveries d
         JOIN newsletters.issues i ON i.id = d.issue_id JOIN newsletters.subscribers s ON s.id = d.subscriber_id
         WHERE i.slot = $1",
    );
    let rows = rows.bind(name).fetch_all(connection).await?;
    let fates = rows
        .iter()
        .map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?)));
    Ok(fates.collect::<Result<_, sqlx::Error>>()?)
}

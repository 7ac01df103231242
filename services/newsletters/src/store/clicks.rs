//! `clicks`: numbers of clicks on links of issues.

use chassis::sql;
use sqlx::PgPool;

/// Counts a click on a link.
#[sql("clicks.count")]
pub(crate) async fn count(pool: &PgPool, issue_id: i64, number: i32) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO clicks (issue_id, number, count) VALUES ($1, $2, 1)
         ON CONFLICT (issue_id, number) DO UPDATE SET count = clicks.count + 1",
        issue_id,
        number,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Number of clicks on a link.
#[derive(Debug)]
pub(crate) struct Clicks {
    pub(crate) number: i32,
    pub(crate) count: i64,
}

/// Returns the clicked links of an issue.
#[sql("clicks.of_issue")]
pub(crate) async fn of_issue(pool: &PgPool, issue_id: i64) -> Result<Vec<Clicks>, sqlx::Error> {
    sqlx::query_as!(
        Clicks,
        "SELECT number, count FROM clicks WHERE issue_id = $1",
        issue_id
    )
    .fetch_all(pool)
    .await
}

//! The table `reports`: readers' reports about photos.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Report, ReportReason};

/// Stores a report; returns false if the reader has already reported the photo.
#[sql("reports.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile_id: i64,
    photo_id: i64,
    (reason, comment): (ReportReason, &str),
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO reports (photo_id, profile_id, reason, comment, at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
        photo_id,
        profile_id,
        reason.as_str(),
        comment,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// The number of reports on a photo about which no operator has decided.
#[sql("reports.count_open")]
pub(crate) async fn count_open(
    connection: &mut PgConnection,
    photo_id: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM reports WHERE photo_id = $1 AND NOT is_settled"#,
        photo_id,
    )
    .fetch_one(connection)
    .await
}

/// Settles a photo's reports after an operator's decision: they no longer count.
#[sql("reports.settle")]
pub(crate) async fn settle(
    connection: &mut PgConnection,
    photo_id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE reports SET is_settled = true WHERE photo_id = $1 AND NOT is_settled",
        photo_id,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The reports on a photo, oldest first: at most 100.
#[sql("reports.about")]
pub(crate) async fn about(pool: &PgPool, photo_id: i64) -> Result<Vec<Report>, sqlx::Error> {
    sqlx::query_as!(
        Report,
        "SELECT reason, comment, at FROM reports WHERE photo_id = $1 ORDER BY at LIMIT 100",
        photo_id,
    )
    .fetch_all(pool)
    .await
}

//! `reports`: what readers have told about photos.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Report, ReportReason};

/// Stores a report; returns false if the reader has reported the photo before.
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

/// The reports on a photo that no operator has decided about.
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

/// An operator has decided about a photo: its reports count no more.
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

/// The reports on a photo, the oldest first, at most 100.
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

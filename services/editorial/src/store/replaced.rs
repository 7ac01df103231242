//! `replaced_occurrences` of recurring events.

use chassis::sql;
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use sqlx::PgConnection;

use crate::domain::Replaced;

/// Stores an occurrence; returns false if it was already stored.
#[sql("replaced.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    replaced: &Replaced,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO replaced_occurrences (series, starts, zone) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING",
        replaced.series,
        replaced.starts,
        replaced.zone.name(),
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Whether a recurring event already has `most` replaced occurrences and this occurrence is not among them.
#[sql("replaced.is_full")]
pub(crate) async fn is_full(
    connection: &mut PgConnection,
    replaced: &Replaced,
    most: i64,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) >= $4 AND NOT COALESCE(bool_or(starts = $2 AND zone = $3), false) AS "is_full!"
           FROM replaced_occurrences WHERE series = $1"#,
        replaced.series,
        replaced.starts,
        replaced.zone.name(),
        most,
    )
    .fetch_one(connection)
    .await
}

/// Returns the replaced occurrences of a recurring event: local starts and their zones.
#[sql("replaced.of_series")]
pub(crate) async fn of_series(
    connection: &mut PgConnection,
    series: &str,
) -> Result<Vec<(NaiveDateTime, Tz)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT starts, zone FROM replaced_occurrences WHERE series = $1",
        series,
    )
    .fetch_all(connection)
    .await?;
    let rows = rows.into_iter();
    // Only names of parsed zones are stored.
    Ok(rows
        .filter_map(|row| Some((row.starts, row.zone.parse().ok()?)))
        .collect())
}

//! `third_party_choices`: readers' consent to third-party content.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor};

use crate::domain::ThirdPartyChoice;

/// A reader's choice.
#[sql("third_party_choices.of")]
pub(crate) async fn of(
    executor: impl PgExecutor<'_>,
    profile_id: i64,
) -> Result<Option<ThirdPartyChoice>, sqlx::Error> {
    sqlx::query_as!(
        ThirdPartyChoice,
        r#"SELECT w.text AS "wording?", at FROM third_party_choices c LEFT JOIN wordings w ON w.digest = c.wording
         WHERE profile_id = $1"#,
        profile_id,
    )
    .fetch_optional(executor)
    .await
}

/// Serialises the calls of a reader until the transaction ends.
#[sql("third_party_choices.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended('newsletters.third_party_choices', $1))",
        profile_id,
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Stores a reader's choice and replaces the previous one; a refusal has no wording.
#[sql("third_party_choices.put")]
pub(crate) async fn put(
    connection: &mut PgConnection,
    profile_id: i64,
    wording: Option<&[u8]>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO third_party_choices (profile_id, is_allowed, wording, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (profile_id) DO UPDATE SET is_allowed = excluded.is_allowed, wording = excluded.wording, at = excluded.at",
        profile_id,
        wording.is_some(),
        wording,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a reader's choice; returns whether it existed.
#[sql("third_party_choices.delete")]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM third_party_choices WHERE profile_id = $1",
        profile_id,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

//! `contest_entries`: entries to contests.

use chassis::{email::Email, error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::Entry;

/// Inserts an entry; returns false if its address has already entered.
#[sql("contest_entries.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    contest_id: i64,
    entry: &Entry,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO contest_entries (contest_id, full_name, email, email_key, answer, entered_at, mailed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (contest_id, email_key) DO NOTHING",
        contest_id,
        entry.full_name,
        entry.email.as_str(),
        entry.email.key(),
        entry.answer,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Records a mail about an existing entry; returns false if the last mail about it is younger than `since`.
#[sql("contest_entries.mail_again")]
pub(crate) async fn mail_again(
    connection: &mut PgConnection,
    contest_id: i64,
    email: &Email,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE contest_entries SET mailed_at = $4
         WHERE contest_id = $1 AND email_key = $2 AND mailed_at <= $3",
        contest_id,
        email.key(),
        since,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes the entries of contests that closed before this time; returns their number.
#[sql("contest_entries.delete_of_closed")]
pub(crate) async fn delete_of_closed(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM contest_entries WHERE ctid = ANY(ARRAY(
                SELECT e.ctid FROM contest_entries e JOIN items i ON i.id = e.contest_id
                WHERE (i.detail #>> '{contest,closes_at}')::timestamptz <= $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// A stored entry with the contest's name, for an export.
pub(crate) struct ExportedEntry {
    pub(crate) id: i64,
    pub(crate) contest_id: i64,
    pub(crate) contest_name: String,
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) answer: String,
    pub(crate) entered_at: DateTime<Utc>,
}

/// Returns the entries with this address after this id, ordered by id.
#[sql("contest_entries.export")]
pub(crate) async fn export(
    pool: &PgPool,
    email: &Email,
    after: i64,
    most: i64,
) -> Result<Vec<ExportedEntry>, sqlx::Error> {
    sqlx::query_as!(
        ExportedEntry,
        "SELECT e.id, e.contest_id, i.name AS contest_name, e.full_name, e.email, e.answer, e.entered_at
         FROM contest_entries e JOIN items i ON i.id = e.contest_id
         WHERE e.email_key = $1 AND e.id > $2 ORDER BY e.id LIMIT $3",
        email.key(),
        after,
        most,
    )
    .fetch_all(pool)
    .await
}

/// Deletes the entries that an address made until this time; returns their number.
#[sql("contest_entries.erase")]
pub(crate) async fn erase(
    connection: &mut PgConnection,
    email: &Email,
    until: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM contest_entries WHERE email_key = $1 AND entered_at <= $2",
        email.key(),
        until,
    );
    Ok(done.execute(connection).await?.rows_affected())
}

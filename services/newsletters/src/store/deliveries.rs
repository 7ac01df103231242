//! `deliveries`: the outcome of an issue for each recipient.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use vocabulary::newsletters::Kind;

use crate::domain::issue::{Delivery, Fate, FateCount};

/// Returns the next subscribers of a newsletter.
#[sql("subscriptions.after")]
pub(crate) async fn subscribers_after(
    connection: &mut PgConnection,
    kind: Kind,
    after: i64,
    most: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT subscriber_id FROM subscriptions WHERE kind = $1 AND subscriber_id > $2 ORDER BY subscriber_id LIMIT $3",
        kind.name(),
        after,
        most,
    )
    .fetch_all(connection)
    .await
}

/// Queues an issue for the subscribers with confirmed addresses.
#[sql("deliveries.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    issue_id: i64,
    subscribers: &[i64],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO deliveries (issue_id, subscriber_id, at)
         SELECT $1, id, $3 FROM subscribers WHERE id = ANY($2) AND is_confirmed
         ON CONFLICT DO NOTHING",
        issue_id,
        subscribers,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A delivery to be made.
#[derive(Debug)]
pub(crate) struct Due {
    pub(crate) subscriber_id: i64,
    pub(crate) email: String,
    pub(crate) email_key: String,
    pub(crate) token: String,
    /// Whether the subscription is still active.
    pub(crate) is_wanted: bool,
}

/// Returns the next due deliveries of an issue, to subscribers up to `until` whose domains are not held back; empty if
/// the issue is not being sent.
#[sql("deliveries.due")]
pub(crate) async fn due(
    pool: &PgPool,
    issue_id: i64,
    (after, until): (i64, i64),
    held: &[String],
    most: i64,
) -> Result<Vec<Due>, sqlx::Error> {
    sqlx::query_as!(
        Due,
        r#"SELECT d.subscriber_id, s.email, s.email_key, s.token, EXISTS (
                SELECT FROM subscriptions p WHERE p.subscriber_id = s.id AND p.kind = i.kind) AS "is_wanted!"
         FROM deliveries d JOIN issues i ON i.id = d.issue_id JOIN subscribers s ON s.id = d.subscriber_id
         WHERE d.issue_id = $1 AND d.subscriber_id > $2 AND d.subscriber_id <= $3 AND d.fate IN ('queued', 'deferred')
             AND i.state = 'sending' AND substring(s.email_key FROM '[^@]*$') <> ALL($5)
         ORDER BY d.subscriber_id LIMIT $4"#,
        issue_id,
        after,
        until,
        most,
        held,
    )
    .fetch_all(pool)
    .await
}

/// A recipient with an account.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) subscriber_id: i64,
    pub(crate) profile_id: i64,
}

/// Returns the due recipients with an account within a range of subscribers.
#[sql("deliveries.readers")]
pub(crate) async fn readers(
    pool: &PgPool,
    issue_id: i64,
    (after, until): (i64, i64),
) -> Result<Vec<Reader>, sqlx::Error> {
    sqlx::query_as!(
        Reader,
        r#"SELECT d.subscriber_id, s.profile_id AS "profile_id!"
         FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
         WHERE d.issue_id = $1 AND d.subscriber_id > $2 AND d.subscriber_id <= $3 AND d.fate IN ('queued', 'deferred')
             AND s.profile_id IS NOT NULL"#,
        issue_id,
        after,
        until,
    )
    .fetch_all(pool)
    .await
}

/// The outcome of a delivery.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) subscriber_id: i64,
    pub(crate) fate: Fate,
    /// Reply of the mail server; empty if it was not contacted.
    pub(crate) answer: String,
}

/// Records the outcomes of deliveries.
#[sql("deliveries.mark")]
pub(crate) async fn mark(
    connection: &mut PgConnection,
    issue_id: i64,
    marks: &[Mark],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let subscribers: Vec<_> = marks.iter().map(|mark| mark.subscriber_id).collect();
    let fates: Vec<_> = marks
        .iter()
        .map(|mark| mark.fate.name().to_owned())
        .collect();
    let answers: Vec<_> = marks.iter().map(|mark| mark.answer.clone()).collect();
    sqlx::query!(
        "UPDATE deliveries d SET fate = m.fate, answer = nullif(m.answer, ''), at = $5
         FROM unnest($2::bigint[], $3::text[], $4::text[]) AS m (subscriber_id, fate, answer)
         WHERE d.issue_id = $1 AND d.subscriber_id = m.subscriber_id",
        issue_id,
        &subscribers,
        &fates,
        &answers,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Records the outcome of the last email delivered to an address.
#[sql("deliveries.mark_last")]
pub(crate) async fn mark_last(
    connection: &mut PgConnection,
    email_key: &str,
    fate: Fate,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE deliveries SET fate = $2, at = $3 WHERE (issue_id, subscriber_id) = (
             SELECT d.issue_id, d.subscriber_id FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
             WHERE s.email_key = $1 AND d.fate IN ('accepted', 'bounced') ORDER BY d.issue_id DESC LIMIT 1)",
        email_key,
        fate.name(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that an email accepted by its server was returned. Returns the key of its address, unless the subscriber's
/// address has changed since.
#[sql("deliveries.mark_returned")]
pub(crate) async fn mark_returned(
    connection: &mut PgConnection,
    (issue_id, subscriber_id): (i64, i64),
    fate: Fate,
    answer: &str,
    now: DateTime<Utc>,
) -> Result<Option<String>, sqlx::Error> {
    let found = sqlx::query_scalar!(
        r#"UPDATE deliveries d SET fate = $3, answer = nullif($4, ''), at = $5 FROM subscribers s, deliveries old
         WHERE d.issue_id = $1 AND d.subscriber_id = $2 AND s.id = $2 AND d.fate IN ('queued', 'deferred', 'accepted')
             AND old.issue_id = $1 AND old.subscriber_id = $2
         RETURNING CASE WHEN s.email_at <= old.at THEN s.email_key END AS "email_key?""#,
        issue_id,
        subscriber_id,
        fate.name(),
        answer,
        now,
    )
    .fetch_optional(connection)
    .await?;
    Ok(found.flatten())
}

/// Withdraws the deliveries of an issue that have not been made.
#[sql("deliveries.withdraw")]
pub(crate) async fn withdraw(
    connection: &mut PgConnection,
    issue_id: i64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE deliveries SET fate = 'withdrawn', at = $2 WHERE issue_id = $1 AND fate IN ('queued', 'deferred')",
        issue_id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the numbers of an issue's deliveries by outcome.
#[sql("deliveries.counts")]
pub(crate) async fn counts(
    executor: impl PgExecutor<'_>,
    issue_id: i64,
) -> Result<Vec<FateCount>, sqlx::Error> {
    sqlx::query_as!(
        FateCount,
        r#"SELECT fate, count(*) AS "count!" FROM deliveries WHERE issue_id = $1 GROUP BY fate ORDER BY fate"#,
        issue_id,
    )
    .fetch_all(executor)
    .await
}

/// Returns the deliveries to a subscriber after this issue, ordered by issue.
#[sql("deliveries.of_subscriber")]
pub(crate) async fn of_subscriber(
    executor: impl PgExecutor<'_>,
    subscriber_id: i64,
    after: i64,
    most: i64,
) -> Result<Vec<Delivery>, sqlx::Error> {
    sqlx::query_as!(
        Delivery,
        "SELECT d.issue_id, i.kind, i.slot, d.fate, d.answer, d.at FROM deliveries d JOIN issues i ON i.id = d.issue_id
         WHERE d.subscriber_id = $1 AND d.issue_id > $2 ORDER BY d.issue_id LIMIT $3",
        subscriber_id,
        after,
        most,
    )
    .fetch_all(executor)
    .await
}

/// Transfers a subscriber's deliveries to another subscriber.
#[sql("deliveries.move_to")]
pub(crate) async fn move_to(
    connection: &mut PgConnection,
    from: i64,
    to: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE deliveries d SET subscriber_id = $2 WHERE subscriber_id = $1
         AND NOT EXISTS (SELECT FROM deliveries o WHERE o.issue_id = d.issue_id AND o.subscriber_id = $2)",
        from,
        to,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a subscriber's deliveries; returns their number.
#[sql("deliveries.delete_of")]
pub(crate) async fn delete_of(
    connection: &mut PgConnection,
    subscriber_id: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM deliveries WHERE subscriber_id = $1",
        subscriber_id
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Deletes the deliveries of issues that were finished before this time; returns their number.
#[sql("deliveries.delete_before")]
pub(crate) async fn delete_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM deliveries WHERE ctid = ANY(ARRAY(
                SELECT d.ctid FROM issues i JOIN deliveries d ON d.issue_id = i.id WHERE i.finished_at < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

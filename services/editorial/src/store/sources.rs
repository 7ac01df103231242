//! `sources`: state of polled feeds and calendars.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::domain::polling::{Configured, Lease, Poll, PollCounts, PollResult, SourceState};

/// Maximum number of listed sources.
const LISTED: i64 = 1_000;

/// Records new sources, which are due immediately.
#[sql("sources.see")]
pub(crate) async fn see(
    pool: &PgPool,
    sources: &[Configured],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
    sqlx::query!(
        "INSERT INTO sources (name, first_seen_at, next_poll_at)
         SELECT name, $2, $2 FROM unnest($1::text[]) AS s (name) ON CONFLICT DO NOTHING",
        &names,
        now,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Leases the source that has been due longest, until a time. `is_forced` also leases a source that is not due. Returns
/// `None` if no source is due or all are leased.
#[sql("sources.lease")]
pub(crate) async fn lease(
    pool: &PgPool,
    sources: &[Configured],
    [now, until]: [DateTime<Utc>; 2],
    is_forced: bool,
) -> Result<Option<Lease>, sqlx::Error> {
    let (names, configs): (Vec<String>, Vec<String>) = sources
        .iter()
        .map(|source| (source.name.clone(), source.config.clone()))
        .unzip();
    sqlx::query_as!(
        Lease,
        r#"WITH configured AS (SELECT name, config FROM unnest($1::text[], $2::text[]) AS c (name, config)),
         due AS (
             SELECT s.name FROM sources s JOIN configured USING (name)
             WHERE (s.leased_until IS NULL OR s.leased_until <= $3) AND (s.next_poll_at <= $3 OR $5)
             ORDER BY s.next_poll_at, s.name LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
         UPDATE sources s SET lease = gen_random_uuid(), leased_until = $4, config = c.config,
             etag = CASE WHEN s.config = c.config THEN s.etag ELSE '' END,
             last_modified = CASE WHEN s.config = c.config THEN s.last_modified ELSE '' END,
             digest = CASE WHEN s.config = c.config THEN s.digest ELSE '' END
         FROM due JOIN configured c USING (name) WHERE s.name = due.name
         RETURNING s.name, s.lease AS "id!", s.etag, s.last_modified, s.digest, s.failures"#,
        &names,
        &configs,
        now,
        until,
        is_forced,
    )
    .fetch_optional(pool)
    .await
}

/// Ends a lease and records its poll. Returns whether the lease was still valid.
#[sql("sources.record")]
pub(crate) async fn record(
    pool: &PgPool,
    (name, lease): (&str, Uuid),
    ended: &Poll,
    [now, next]: [DateTime<Utc>; 2],
) -> Result<bool, sqlx::Error> {
    let has_failed = ended.result == PollResult::Failed;
    let is_imported = ended.result == PollResult::Imported;
    let counts = ended.counts;
    let done = sqlx::query!(
        "UPDATE sources SET lease = NULL, leased_until = NULL, polled_at = $3, next_poll_at = $4, result = $5, reason = $6,
             failures = CASE WHEN $7 THEN failures + 1 ELSE 0 END,
             succeeded_at = CASE WHEN $7 THEN succeeded_at ELSE $3 END,
             etag = CASE WHEN $7 THEN etag ELSE $8 END,
             last_modified = CASE WHEN $7 THEN last_modified ELSE $9 END,
             digest = CASE WHEN $7 THEN digest ELSE $10 END,
             created = CASE WHEN $11 THEN $12 ELSE created END,
             changed = CASE WHEN $11 THEN $13 ELSE changed END,
             unchanged = CASE WHEN $11 THEN $14 ELSE unchanged END,
             refused = CASE WHEN $11 THEN $15 ELSE refused END
         WHERE name = $1 AND lease = $2",
        name,
        lease,
        now,
        next,
        ended.result.as_str(),
        ended.reason,
        has_failed,
        ended.etag,
        ended.last_modified,
        ended.digest,
        is_imported,
        counts.created,
        counts.changed,
        counts.unchanged,
        counts.refused,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Ends a lease without a result: the source remains due as before.
#[sql("sources.release")]
pub(crate) async fn release(pool: &PgPool, name: &str, lease: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE sources SET lease = NULL, leased_until = NULL WHERE name = $1 AND lease = $2",
        name,
        lease,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Returns all sources by name, including sources that are missing from the site's file.
#[sql("sources.list")]
pub(crate) async fn list(pool: &PgPool) -> Result<Vec<SourceState>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT name, first_seen_at, next_poll_at, polled_at, succeeded_at, leased_until, result, reason, created, changed,
             unchanged, refused, failures
         FROM sources ORDER BY name LIMIT $1",
        LISTED,
    )
    .fetch_all(pool)
    .await?;
    let states = rows.into_iter().map(|row| SourceState {
        name: row.name,
        first_seen_at: row.first_seen_at,
        next_poll_at: row.next_poll_at,
        polled_at: row.polled_at,
        succeeded_at: row.succeeded_at,
        leased_until: row.leased_until,
        result: row.result.as_deref().and_then(PollResult::parse),
        reason: row.reason,
        counts: PollCounts {
            created: row.created,
            changed: row.changed,
            unchanged: row.unchanged,
            refused: row.refused,
        },
        failures: row.failures,
    });
    Ok(states.collect())
}

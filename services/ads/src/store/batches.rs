//! The table `batches`: events that were stored together, linked in a chain.

use ad_delivery::Link;
use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::NaiveDate;
use sqlx::{PgConnection, PgPool};

/// A batch that is not in the chain yet.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) id: i64,
    pub(crate) days: Vec<NaiveDate>,
}

/// The number of batches that are not in the chain yet; at most `most` are counted.
#[sql("batches.waiting")]
pub(crate) async fn waiting(pool: &PgPool, most: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "waiting!" FROM (SELECT FROM batches WHERE position IS NULL LIMIT $1) AS w"#,
        most,
    )
    .fetch_one(pool)
    .await
}

/// Acquires the lock of the chain, and returns the next batches, at most `limit`.
#[sql("batches.take")]
pub(crate) async fn take(
    connection: &mut PgConnection,
    limit: i64,
) -> Result<Vec<Waiting>, sqlx::Error> {
    // A new day's partition has no statistics for a few minutes, so the planner would prefer to scan all of it.
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended('ads.batches', 0)), set_config('enable_seqscan', 'off', true)",
    )
    .fetch_one(&mut *connection)
    .await?;
    sqlx::query_as!(
        Waiting,
        "SELECT id, days FROM batches WHERE position IS NULL ORDER BY id LIMIT $1",
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Appends batches after the last link of the chain, with the digests of their events, and signs their links.
#[sql("batches.link")]
pub(crate) async fn link(
    connection: &mut PgConnection,
    mut link: Link,
    batches: &[(i64, [u8; 32])],
    sign: impl Fn(&Link) -> Vec<u8>,
) -> Result<(), sqlx::Error> {
    let (mut ids, mut digests, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    let (mut links, mut signatures) = (Vec::new(), Vec::new());
    for (id, digest) in batches {
        link = link.next(*digest);
        ids.push(*id);
        digests.push(digest.to_vec());
        positions.push(link.position);
        links.push(link.digest.to_vec());
        signatures.push(sign(&link));
    }
    sqlx::query!(
        "UPDATE batches b SET digest = n.digest, position = n.position, link = n.link, signature = n.signature
         FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::bytea[], $5::bytea[])
           AS n (id, digest, position, link, signature)
         WHERE b.id = n.id",
        &ids,
        &digests,
        &positions,
        &links,
        &signatures,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The last link of the chain.
#[sql("batches.last")]
pub(crate) async fn last(connection: &mut PgConnection) -> Result<Link, sqlx::Error> {
    let last = sqlx::query!(
        r#"SELECT position AS "position!", link AS "link!" FROM batches
         WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1"#,
    )
    .fetch_optional(connection)
    .await?;
    let Some(last) = last else {
        return Ok(Link::NONE);
    };
    Ok(Link {
        position: last.position,
        digest: digest(last.link)?,
    })
}

/// Converts the stored bytes of a digest.
fn digest(bytes: Vec<u8>) -> Result<[u8; 32], sqlx::Error> {
    let length = bytes.len();
    bytes.try_into().map_err(|_| {
        sqlx::Error::Decode(format!("a digest of {length} bytes in place of 32").into())
    })
}

/// A batch in the chain.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) id: i64,
    pub(crate) position: i64,
    pub(crate) days: Vec<NaiveDate>,
    pub(crate) digest: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) is_emptied: bool,
}

/// The batches after a position.
#[sql("batches.after")]
pub(crate) async fn after(
    pool: &PgPool,
    position: i64,
    limit: i64,
) -> Result<Vec<Linked>, sqlx::Error> {
    sqlx::query_as!(
        Linked,
        r#"SELECT id, position AS "position!", days, digest AS "digest!", signature AS "signature!", is_emptied
         FROM batches WHERE position > $1 ORDER BY position LIMIT $2"#,
        position,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// The earliest day of the batches whose events are not deleted; `None` without such batches.
#[sql("batches.first_day")]
pub(crate) async fn first_day(pool: &PgPool) -> Result<Option<NaiveDate>, sqlx::Error> {
    sqlx::query_scalar!("SELECT min(first_day) FROM batches WHERE NOT is_emptied")
        .fetch_one(pool)
        .await
}

/// Marks the judged batches with events of days before a given day as emptied; returns the number of batches.
pub(crate) async fn empty(pool: &PgPool, before: NaiveDate) -> Result<u64, Fault> {
    in_batches(|most| empty_some(pool, before, most)).await
}

#[sql("batches.empty")]
async fn empty_some(pool: &PgPool, before: NaiveDate, most: i64) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE batches SET is_emptied = true WHERE id = ANY(ARRAY(
           SELECT id FROM batches WHERE NOT is_emptied AND position IS NOT NULL AND first_day < $1
           ORDER BY first_day LIMIT $2))",
        before,
        most,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected())
}

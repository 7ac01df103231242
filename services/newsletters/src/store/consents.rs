//! `consents` and `wordings`: the consent ledger.

use chassis::{error::Fault, postgres::in_batches, sql};
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::domain::{Act, BEFORE_FIRST, Entry, Link, LinkedEntry};

/// An entry to append.
#[derive(Debug, Clone)]
pub(crate) struct NewEntry<'a> {
    /// Hash of the address.
    pub(crate) address: &'a [u8],
    /// Empty if the act concerns all newsletters.
    pub(crate) kind: &'a str,
    pub(crate) act: Act,
    pub(crate) wording: Option<&'a [u8]>,
    pub(crate) way: &'a str,
    pub(crate) page: &'a str,
    pub(crate) network: &'a str,
}

/// Appends an entry, which is linked shortly afterwards.
#[sql("consents.append")]
pub(crate) async fn append(
    connection: &mut PgConnection,
    entry: &NewEntry<'_>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO consents (address, kind, act, wording, way, page, network, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        entry.address,
        entry.kind,
        entry.act.as_str(),
        entry.wording,
        entry.way,
        entry.page,
        entry.network,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores a wording; returns its digest.
#[sql("wordings.keep")]
pub(crate) async fn keep_wording(
    connection: &mut PgConnection,
    text: &str,
) -> Result<Vec<u8>, sqlx::Error> {
    let digest = Sha256::digest(text).to_vec();
    sqlx::query!(
        "INSERT INTO wordings (digest, text) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        digest,
        text,
    )
    .execute(connection)
    .await?;
    Ok(digest)
}

/// Links at most `limit` unlinked entries; returns their number. Calls are serialised, so that there is a single chain.
#[sql("consents.link")]
pub(crate) async fn link(connection: &mut PgConnection, limit: i64) -> Result<u64, sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('newsletters.consents', 0))")
        .fetch_one(&mut *connection)
        .await?;
    let mut link = last(&mut *connection).await?;
    let waiting = sqlx::query!(
        r#"SELECT id, address AS "address!", kind AS "kind!", act AS "act!", wording, way AS "way!", page AS "page!",
             network AS "network!", at
         FROM consents WHERE position IS NULL ORDER BY id LIMIT $1"#,
        limit,
    )
    .fetch_all(&mut *connection)
    .await?;
    let (mut ids, mut positions, mut digests) = (Vec::new(), Vec::new(), Vec::new());
    for row in waiting {
        link = link.next(&LinkedEntry {
            address: row.address,
            kind: row.kind,
            act: row.act,
            wording: row.wording,
            way: row.way,
            page: row.page,
            network: row.network,
            at: row.at,
        });
        ids.push(row.id);
        positions.push(link.position);
        digests.push(link.digest.to_vec());
    }
    sqlx::query!(
        "UPDATE consents c SET position = n.position, digest = n.digest
         FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS n (id, position, digest) WHERE c.id = n.id",
        &ids,
        &positions,
        &digests,
    )
    .execute(connection)
    .await?;
    Ok(ids.len() as u64)
}

/// Returns the end of the chain.
#[sql("consents.last")]
pub(crate) async fn last(executor: impl PgExecutor<'_>) -> Result<Link, sqlx::Error> {
    let last = sqlx::query!(
        r#"SELECT position AS "position!", digest AS "digest!" FROM consents
         WHERE position IS NOT NULL ORDER BY position DESC LIMIT 1"#,
    )
    .fetch_optional(executor)
    .await?;
    Ok(last.map_or(Link::NONE, |last| Link {
        position: last.position,
        digest: last.digest.try_into().unwrap_or(BEFORE_FIRST),
    }))
}

/// A stored link; the entry is `None` if it was emptied.
#[derive(Debug)]
pub(crate) struct StoredLink {
    pub(crate) position: i64,
    pub(crate) digest: Vec<u8>,
    pub(crate) entry: Option<LinkedEntry>,
}

/// Returns the links after a position.
#[sql("consents.links_after")]
pub(crate) async fn links_after(
    pool: &PgPool,
    position: i64,
    limit: i64,
) -> Result<Vec<StoredLink>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT position AS "position!", digest AS "digest!", address, kind, act, wording, way, page, network, at
         FROM consents WHERE position > $1 ORDER BY position LIMIT $2"#,
        position,
        limit,
    )
    .fetch_all(pool)
    .await?;
    let links = rows.into_iter().map(|row| StoredLink {
        position: row.position,
        digest: row.digest,
        entry: row.address.map(|address| LinkedEntry {
            address,
            kind: row.kind.unwrap_or_default(),
            act: row.act.unwrap_or_default(),
            wording: row.wording,
            way: row.way.unwrap_or_default(),
            page: row.page.unwrap_or_default(),
            network: row.network.unwrap_or_default(),
            at: row.at,
        }),
    });
    Ok(links.collect())
}

/// Returns the ledger entries for this address after this id, oldest first.
#[sql("consents.of_address")]
pub(crate) async fn of_address(
    pool: &PgPool,
    address: &[u8],
    after: i64,
    limit: i64,
) -> Result<Vec<Entry>, sqlx::Error> {
    sqlx::query_as!(
        Entry,
        r#"SELECT c.id, position, kind AS "kind!", act AS "act!", coalesce(w.text, '') AS "wording!", way AS "way!",
             page AS "page!", network AS "network!", at, c.digest
         FROM consents c LEFT JOIN wordings w ON w.digest = c.wording
         WHERE address = $1 AND c.id > $2 ORDER BY c.id LIMIT $3"#,
        address,
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// Returns the number of ledger entries for this address.
#[sql("consents.count")]
pub(crate) async fn count(pool: &PgPool, address: &[u8]) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM consents WHERE address = $1"#,
        address,
    )
    .fetch_one(pool)
    .await
}

/// Empties expired entries: requests, withdrawals and refusals before this time, and consents that were withdrawn
/// before this time. Their links remain, so that the chain can still be verified.
#[sql("consents.empty_before")]
pub(crate) async fn empty_before(pool: &PgPool, before: DateTime<Utc>) -> Result<u64, Fault> {
    in_batches(|most| async move {
        let done = sqlx::query!(
            "UPDATE consents SET address = NULL, kind = NULL, act = NULL, wording = NULL, way = NULL, page = NULL,
               network = NULL
             WHERE id = ANY(ARRAY(
                SELECT id FROM consents c WHERE at < $1 AND address IS NOT NULL AND position IS NOT NULL
                AND (act IN ('requested', 'withdrawn', 'refused') OR EXISTS (
                    SELECT FROM consents w WHERE w.address = c.address AND w.kind = c.kind AND w.act = 'withdrawn'
                    AND w.id > c.id AND w.at < $1))
                ORDER BY id LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

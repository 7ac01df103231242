//! `batches`: events that were stored together, and their chain.

use ad_delivery::{Link, LogSigner};
use chassis::sql;
use chrono::NaiveDate;
use sqlx::{PgConnection, PgPool};

/// Links and signs batches that are not yet, at most `limit`; returns how many. Callers take turns, so that there is one
/// chain.
#[sql("batches.link")]
pub(crate) async fn link(
    connection: &mut PgConnection,
    signer: &LogSigner,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('ads.batches', 0))")
        .fetch_one(&mut *connection)
        .await?;
    let mut link = last(&mut *connection).await?;
    let waiting = sqlx::query!(
        "SELECT id, digest FROM batches WHERE position IS NULL ORDER BY id LIMIT $1",
        limit,
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut ids = Vec::new();
    let (mut positions, mut links, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
    for row in waiting {
        link = link.next(digest(row.digest)?);
        ids.push(row.id);
        positions.push(link.position);
        links.push(link.digest.to_vec());
        signatures.push(signer.sign(&link));
    }
    sqlx::query!(
        "UPDATE batches b SET position = n.position, link = n.link, signature = n.signature
         FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[]) AS n (id, position, link, signature)
         WHERE b.id = n.id",
        &ids,
        &positions,
        &links,
        &signatures,
    )
    .execute(connection)
    .await?;
    Ok(ids.len() as u64)
}

/// The end of the chain.
#[sql("batches.last")]
async fn last(connection: &mut PgConnection) -> Result<Link, sqlx::Error> {
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

fn digest(bytes: Vec<u8>) -> Result<[u8; 32], sqlx::Error> {
    let length = bytes.len();
    bytes.try_into().map_err(|_| {
        sqlx::Error::Decode(format!("a digest of {length} bytes in place of 32").into())
    })
}

/// A batch in its place.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) id: i64,
    pub(crate) position: i64,
    pub(crate) days: Vec<NaiveDate>,
    pub(crate) digest: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) is_emptied: bool,
}

/// The batches after a place.
#[sql("batches.after")]
pub(crate) async fn after(
    pool: &PgPool,
    position: i64,
    limit: i64,
) -> Result<Vec<Linked>, sqlx::Error> {
    sqlx::query_as!(
        Linked,
        r#"SELECT id, position AS "position!", days, digest, signature AS "signature!", is_emptied
         FROM batches WHERE position > $1 ORDER BY position LIMIT $2"#,
        position,
        limit,
    )
    .fetch_all(pool)
    .await
}

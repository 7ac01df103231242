//! The table `targets`: the projection of all items that can be saved.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};

use crate::domain::{Target, TargetKind};

/// Whether a target can be saved; `None` if it is unknown.
#[sql("targets.is_available")]
pub(crate) async fn is_available(
    pool: &PgPool,
    kind: TargetKind,
    id: i64,
) -> Result<Option<bool>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT is_available FROM targets WHERE kind = $1 AND id = $2",
        kind.as_str(),
        id,
    )
    .fetch_optional(pool)
    .await
}

/// The targets among `ids` that are known, available or not.
#[sql("targets.known")]
pub(crate) async fn known(
    pool: &PgPool,
    kind: TargetKind,
    ids: &[i64],
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM targets WHERE kind = $1 AND id = ANY($2)",
        kind.as_str(),
        ids,
    )
    .fetch_all(pool)
    .await
}

/// Stores targets from an event or an owner's response, unless a newer version is stored.
#[sql("targets.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    targets: &[Target],
) -> Result<(), sqlx::Error> {
    let kinds: Vec<&str> = targets.iter().map(|target| target.kind.as_str()).collect();
    let ids: Vec<i64> = targets.iter().map(|target| target.id).collect();
    let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    let available: Vec<bool> = targets.iter().map(|target| target.is_available).collect();
    let published: Vec<_> = targets.iter().map(|target| target.date_published).collect();
    let versions: Vec<i64> = targets.iter().map(|target| target.version).collect();
    // Rows are inserted in the order of their keys, so that two consumers cannot deadlock.
    sqlx::query!(
        r#"INSERT INTO targets AS t (kind, id, name, is_available, date_published, version)
         SELECT DISTINCT ON (kind, id) * FROM unnest(
             $1::text[], $2::bigint[], $3::text[], $4::boolean[], $5::timestamptz[], $6::bigint[]
         ) AS given (kind, id, name, is_available, date_published, version)
         ORDER BY kind, id, version DESC
         ON CONFLICT (kind, id) DO UPDATE
         SET name = excluded.name, is_available = excluded.is_available,
             date_published = excluded.date_published, version = excluded.version
         WHERE excluded.version > t.version"#,
        &kinds as &[&str],
        &ids,
        &names as &[&str],
        &available,
        &published as &[Option<DateTime<Utc>>],
        &versions,
    )
    .execute(connection)
    .await?;
    Ok(())
}

//! `targets`: the projection of everything that can be saved.

use chassis::sql;
use sqlx::{PgConnection, PgPool};

use crate::domain::{Target, TargetKind};

/// Whether a target can be saved; `None` if it is not known.
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

/// Stores a target from an event or an owner's answer, unless a newer version is known.
#[sql("targets.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    target: &Target,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO targets AS t (kind, id, name, is_available, date_published, version)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (kind, id) DO UPDATE
         SET name = excluded.name, is_available = excluded.is_available,
             date_published = excluded.date_published, version = excluded.version
         WHERE excluded.version > t.version",
        target.kind,
        target.id,
        target.name,
        target.is_available,
        target.date_published,
        target.version,
    )
    .execute(connection)
    .await?;
    Ok(())
}

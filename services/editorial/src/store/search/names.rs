//! Names of documents and their changes.

use std::collections::BTreeSet;

use chassis::sql;
use futures::TryStreamExt as _;
use sqlx::{PgConnection, PgPool};
use suggestions::{Builder, Changes, DocumentKind, Entry, Key};

use super::documents::columns;

/// Number of revisions whose changes are stored. Processes read changes every second, so only a process that could not
/// do so for hours is further behind.
const KEPT: i64 = 10_000;

/// Kind of the row that records the revision itself.
const NOTHING: &str = "";

/// Records the documents changed by a revision. A revision without changes is also recorded, so that a process can
/// verify that it has not missed any.
#[sql("search_names.note")]
pub(crate) async fn note(
    connection: &mut PgConnection,
    revision: i64,
    keys: &[Key],
) -> Result<(), sqlx::Error> {
    let (mut kinds, mut ids) = columns(keys);
    kinds.push(NOTHING.to_owned());
    ids.push(0);
    sqlx::query!(
        "INSERT INTO search_changes (revision, kind, id)
         SELECT $1::bigint, kind, id FROM unnest($2::text[], $3::bigint[]) AS k (kind, id)",
        revision,
        &kinds,
        &ids,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "DELETE FROM search_changes WHERE revision <= $1",
        revision - KEPT
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Reads all names except the names of closed places.
#[sql("search_names.all")]
pub(crate) async fn all(pool: &PgPool) -> Result<Builder, sqlx::Error> {
    let mut builder = Builder::default();
    let mut rows = sqlx::query!(
        "SELECT kind, id, name, path, quality FROM search_documents WHERE NOT is_closed"
    )
    .fetch(pool);
    while let Some(row) = rows.try_next().await? {
        let entry = Entry {
            name: row.name,
            path: row.path,
            quality: row.quality,
        };
        if let Some(kind) = DocumentKind::parse(&row.kind) {
            builder.add((kind, row.id), &entry);
        }
    }
    Ok(builder)
}

/// Returns the changes after a revision up to another. The value is `None` for a deleted document or a closed place.
/// Returns `None` if the changes are incomplete: there are too many revisions, or some changes have been deleted.
#[sql("search_names.since")]
pub(crate) async fn since(
    pool: &PgPool,
    (after, until): (i64, i64),
) -> Result<Option<Changes>, sqlx::Error> {
    if until - after > KEPT {
        return Ok(None);
    }
    let rows = sqlx::query!(
        r#"SELECT c.revision AS "revision!", c.kind AS "kind!", c.id AS "id!", d.name AS "name?", d.path AS "path?", d.quality AS "quality?"
           FROM search_changes c
           LEFT JOIN search_documents d ON d.kind = c.kind AND d.id = c.id AND NOT d.is_closed
           WHERE c.revision > $1 AND c.revision <= $2"#,
        after,
        until,
    )
    .fetch_all(pool)
    .await?;
    let noted: BTreeSet<i64> = rows.iter().map(|row| row.revision).collect();
    if i64::try_from(noted.len()).ok() != Some(until - after) {
        return Ok(None);
    }
    let rows = rows.into_iter().filter_map(|row| {
        let entry = row.name.zip(row.path).zip(row.quality);
        let entry = entry.map(|((name, path), quality)| Entry {
            name,
            path,
            quality,
        });
        Some(((DocumentKind::parse(&row.kind)?, row.id), entry))
    });
    Ok(Some(rows.collect()))
}

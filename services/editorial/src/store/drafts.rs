//! Drafts in `items`, and editors' decisions to publish them.

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool, types::Json};

use super::turns::Announced;
use crate::domain::{Draft, DraftText, Kind, Named, PagePath, Release};

/// `LIKE` pattern for the source ids of items from a content folder. Their files specify whether they are drafts.
const OF_A_FILE: &str = "content:%";

#[derive(FromRow)]
struct Row {
    id: i64,
    kind: String,
    section: String,
    slug: String,
    name: String,
    source_id: String,
    published_at: DateTime<Utc>,
    released_at: Option<DateTime<Utc>>,
    released_by: Option<String>,
}

impl From<Row> for Draft {
    fn from(row: Row) -> Self {
        // The column's check constraint allows no other kind.
        let kind = Kind::parse(&row.kind).unwrap_or(Kind::Page);
        let by = row.released_by.unwrap_or_default();
        Self {
            id: row.id,
            kind,
            path: PagePath::new(kind, &row.section, &row.slug).canonical(),
            name: row.name,
            source_id: row.source_id,
            published_at: row.published_at,
            released: row.released_at.map(|at| Release { at, by }),
        }
    }
}

/// Returns the latest drafts and the number of all drafts.
#[sql("drafts.list")]
pub(crate) async fn list(pool: &PgPool, limit: i64) -> Result<(Vec<Draft>, i64), sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, kind, section, slug, name, source_id, published_at, released_at, released_by
         FROM items WHERE is_draft ORDER BY id DESC LIMIT $1",
        limit,
    )
    .fetch_all(pool)
    .await?;
    let count = sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM items WHERE is_draft"#)
        .fetch_one(pool)
        .await?;
    Ok((rows.into_iter().map(Draft::from).collect(), count))
}

#[derive(FromRow)]
struct TextRow {
    #[sqlx(flatten)]
    row: Row,
    excerpt: String,
    body_html: String,
    authors: Json<Vec<Named>>,
    tags: Json<Vec<Named>>,
}

/// Returns a draft, or an item that was a draft until an editor published it.
#[sql("drafts.find")]
pub(crate) async fn find(pool: &PgPool, id: i64) -> Result<Option<DraftText>, sqlx::Error> {
    let found: Option<TextRow> = sqlx::query_as(
        "SELECT id, kind, section, slug, name, source_id, published_at, released_at, released_by,
             excerpt, body_html, authors, tags
         FROM items WHERE id = $1 AND (is_draft OR released_at IS NOT NULL)",
    )
    .bind(id)
    .fetch_optional(pool)
    .await?;
    Ok(found.map(|found| DraftText {
        draft: found.row.into(),
        excerpt: found.excerpt,
        body_html: found.body_html,
        authors: found.authors.0,
        tags: found.tags.0,
    }))
}

/// Locks items by id until the transaction ends.
#[sql("drafts.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Locked>, sqlx::Error> {
    sqlx::query_as!(
        Locked,
        r#"SELECT id, is_draft, released_at IS NOT NULL AS "is_released!", source_id LIKE $2 AS "is_of_a_file!", source_id
         FROM items WHERE id = ANY($1) ORDER BY id FOR UPDATE"#,
        ids,
        OF_A_FILE,
    )
    .fetch_all(connection)
    .await
}

/// Data for an editor's decision.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) id: i64,
    pub(crate) is_draft: bool,
    pub(crate) is_released: bool,
    pub(crate) is_of_a_file: bool,
    pub(crate) source_id: String,
}

/// Turns drafts into regular items, which are published on their dates ([`super::turns::turn`]).
#[sql("drafts.release")]
pub(crate) async fn release(
    connection: &mut PgConnection,
    ids: &[i64],
    by: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE items SET is_draft = false, released_at = $2, released_by = $3, withdrawn_at = NULL, next_turn_at = $2,
            changed_at = $2
         WHERE id = ANY($1)",
        ids,
        now,
        by,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Turns items into drafts again; returns their new state.
#[sql("drafts.withdraw")]
pub(crate) async fn withdraw(
    connection: &mut PgConnection,
    ids: &[i64],
    now: DateTime<Utc>,
) -> Result<Vec<Announced>, sqlx::Error> {
    sqlx::query_as!(
        Announced,
        "UPDATE items SET is_draft = true, released_at = NULL, released_by = NULL, withdrawn_at = $2, is_live = false,
            next_turn_at = NULL, changed_at = $2, version = version + 1
         WHERE id = ANY($1)
         RETURNING id, kind, name, is_live, published_at, version",
        ids,
        now,
    )
    .fetch_all(connection)
    .await
}

/// Returns items by id, ordered by id.
#[sql("drafts.among")]
pub(crate) async fn among(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Draft>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, kind, section, slug, name, source_id, published_at, released_at, released_by
         FROM items WHERE id = ANY($1) ORDER BY id",
        ids,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(Draft::from).collect())
}

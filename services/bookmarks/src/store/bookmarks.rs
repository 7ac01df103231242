//! `bookmarks` of readers. Every statement names the owner.

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::{
        keyset::{Keyset, push_keywords},
        stamps::{Change, Stamped},
    },
    saved::Kind,
    sql, stamped,
};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};

use crate::domain::{Bookmark, MapEntry, TargetKind};

/// The fields a list can be ordered by; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_created", "name"];

#[derive(FromRow)]
struct BookmarkRow {
    id: i64,
    target_id: i64,
    created_at: DateTime<Utc>,
    name: String,
    is_available: bool,
}

impl From<BookmarkRow> for Bookmark {
    fn from(row: BookmarkRow) -> Self {
        Self {
            id: row.id,
            target_id: row.target_id,
            created_at: row.created_at,
            target_name: row.name,
            is_available: row.is_available,
        }
    }
}

/// A record's id and when it was made.
pub(crate) struct Record {
    pub(crate) id: i64,
    pub(crate) created_at: DateTime<Utc>,
}

/// Creates the record of a target that is known and available; `None` if it is not, or if the record exists
/// already. It waits for a parallel insert of the same record to commit or fail.
#[sql("bookmarks.insert")]
pub(crate) async fn insert(
    pool: &PgPool,
    change: &Change,
    target: (TargetKind, i64),
) -> Result<Option<Stamped>, sqlx::Error> {
    stamped!(
        "INSERT INTO bookmarks (profile_id, kind, target_id, created_at)
         SELECT $1, $2, id, $3 FROM targets WHERE kind = $10 AND id = $11 AND is_available
         ON CONFLICT (profile_id, kind, target_id) DO NOTHING
         RETURNING id, created_at",
        change,
        target.0.as_str(),
        target.1,
    )
    .fetch_optional(pool)
    .await
}

/// The record of a target.
#[sql("bookmarks.find")]
pub(crate) async fn find(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
    target_id: i64,
) -> Result<Option<Record>, sqlx::Error> {
    sqlx::query_as!(
        Record,
        "SELECT id, created_at FROM bookmarks
         WHERE profile_id = $1 AND kind = $2 AND target_id = $3",
        profile_id,
        kind.name(),
        target_id,
    )
    .fetch_optional(pool)
    .await
}

/// Removes the owner's record; `None` if there is none.
#[sql("bookmarks.delete")]
pub(crate) async fn delete(
    pool: &PgPool,
    change: &Change,
    id: i64,
) -> Result<Option<Stamped>, sqlx::Error> {
    stamped!(
        "DELETE FROM bookmarks WHERE profile_id = $1 AND kind = $2 AND id = $10
         RETURNING id, created_at",
        change,
        id,
    )
    .fetch_optional(pool)
    .await
}

/// The whole map from target to record.
#[sql("bookmarks.map")]
pub(crate) async fn map(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
) -> Result<Vec<MapEntry>, sqlx::Error> {
    sqlx::query_as!(
        MapEntry,
        "SELECT id, target_id FROM bookmarks WHERE profile_id = $1 AND kind = $2 ORDER BY id",
        profile_id,
        kind.name(),
    )
    .fetch_all(pool)
    .await
}

/// One page of the list, with one row more than its limit if there is a next page.
#[sql("bookmarks.list")]
pub(crate) async fn list(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
    target: TargetKind,
    page: &Page,
) -> Result<Vec<Bookmark>, sqlx::Error> {
    let (column, key) = compared(page.ordering.field);
    let keyset = Keyset::column(page, column, key, "b.id");
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT b.id, b.target_id, b.created_at, t.name, t.is_available FROM ",
    );
    let push_reader = |query: &mut QueryBuilder<Postgres>| {
        query.push(" WHERE b.profile_id = ").push_bind(profile_id);
        query.push(" AND b.kind = ").push_bind(kind.name());
    };
    // Records that are skipped are counted in the index of the order, and their targets never read. Every record
    // has its target.
    let needs_targets = page.ordering.field == "name" || page.keywords.is_some();
    let is_by_id = page.skip > 0 && !needs_targets;
    if is_by_id {
        query.push("(SELECT b.id FROM bookmarks b");
        push_reader(&mut query);
        keyset.push_page(&mut query, page);
        query.push(") page JOIN bookmarks b ON b.id = page.id");
    } else {
        query.push("bookmarks b");
    }
    query.push(" JOIN targets t ON t.id = b.target_id AND t.kind = ");
    query.push_bind(target.as_str());
    push_reader(&mut query);
    push_keywords(&mut query, page, "t.name");
    if is_by_id {
        keyset.push_order(&mut query);
    } else {
        keyset.push_page(&mut query, page);
    }
    // How rare a word is decides how the page is best found: such a statement is planned for its words each time.
    let rows: Vec<BookmarkRow> = query
        .build_query_as()
        .persistent(page.keywords.is_none())
        .fetch_all(pool)
        .await?;
    Ok(rows.into_iter().map(Bookmark::from).collect())
}

/// The column that an ordering compares, and the type of its values.
fn compared(field: &str) -> (&'static str, KeyType) {
    match field {
        "name" => ("t.name", KeyType::Text),
        _ => ("b.created_at", KeyType::Instant),
    }
}

/// The type of an ordering's values.
pub(crate) fn key_type(field: &str) -> KeyType {
    compared(field).1
}

/// The cursor after a page that ends with this bookmark.
pub(crate) fn cursor(page: &Page, last: &Bookmark) -> (String, i64) {
    let key = match page.ordering.field {
        "name" => last.target_name.clone(),
        _ => instant::to_rfc3339(last.created_at),
    };
    (key, last.id)
}

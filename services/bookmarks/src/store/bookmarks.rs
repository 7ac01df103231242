//! The table `bookmarks`. Statements for a reader are restricted to that reader's rows.

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::{
        keyset::{Keyset, push_keywords},
        stamps::{Change, Stamped},
    },
    sql, stamped,
};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, PgPool, Postgres, QueryBuilder};
use vocabulary::saved::Kind;

use crate::domain::{Bookmark, MapEntry, TargetKind};

/// The orderings of lists; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_created", "name"];

#[derive(FromRow)]
struct BookmarkRow {
    id: i64,
    target_id: i64,
    created_at: DateTime<Utc>,
    name: String,
    is_available: bool,
    is_done: Option<bool>,
    add_to_calendar: Option<bool>,
}

impl From<BookmarkRow> for Bookmark {
    fn from(row: BookmarkRow) -> Self {
        Self {
            id: row.id,
            target_id: row.target_id,
            created_at: row.created_at,
            target_name: row.name,
            is_available: row.is_available,
            is_done: row.is_done,
            add_to_calendar: row.add_to_calendar,
        }
    }
}

/// The columns that only one kind has; `None` for other kinds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    pub(crate) is_done: Option<bool>,
    pub(crate) add_to_calendar: Option<bool>,
}

impl Options {
    /// The options of a new record.
    pub(crate) fn of_new(kind: Kind, add_to_calendar: bool) -> Self {
        Self {
            is_done: (kind == Kind::Todos).then_some(false),
            add_to_calendar: (kind == Kind::EventBookmarks).then_some(add_to_calendar),
        }
    }
}

/// A record without its target's projection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    pub(crate) id: i64,
    pub(crate) target_id: i64,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) is_done: Option<bool>,
    pub(crate) add_to_calendar: Option<bool>,
}

/// Creates the record for a known and available target; `None` for any other target, or if the record already exists.
/// Waits for a concurrent insert of the same record to commit or fail.
#[sql("bookmarks.insert")]
pub(crate) async fn insert(
    database: impl PgExecutor<'_>,
    change: &Change,
    target: (TargetKind, i64),
    options: Options,
) -> Result<Option<Stamped>, sqlx::Error> {
    stamped!(
        "INSERT INTO bookmarks (profile_id, kind, target_id, created_at, is_done, add_to_calendar)
         SELECT $1, $2, id, $3, $12, $13 FROM targets WHERE kind = $10 AND id = $11 AND is_available
         ON CONFLICT (profile_id, kind, target_id) DO NOTHING
         RETURNING id, created_at",
        change,
        target.0.as_str(),
        target.1,
        options.is_done,
        options.add_to_calendar,
    )
    .fetch_optional(database)
    .await
}

/// Creates the records for targets that are known and available; returns how many. Existing records are unchanged. Rows
/// are inserted in the order of their targets, so that two calls cannot deadlock.
#[sql("bookmarks.insert_all")]
pub(crate) async fn insert_all(
    connection: &mut PgConnection,
    change: &Change,
    target: TargetKind,
    target_ids: &[i64],
    options: Options,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO bookmarks (profile_id, kind, target_id, created_at, is_done, add_to_calendar)
         SELECT $1, $2, id, $3, $6, $7 FROM targets
         WHERE kind = $4 AND id = ANY($5) AND is_available ORDER BY id
         ON CONFLICT (profile_id, kind, target_id) DO NOTHING",
        change.profile_id,
        change.kind,
        change.now,
        target.as_str(),
        target_ids,
        options.is_done,
        options.add_to_calendar,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Stamps a change of several records, and appends its event.
#[sql("bookmarks.stamp")]
pub(crate) async fn stamp(
    connection: &mut PgConnection,
    change: &Change,
) -> Result<Stamped, sqlx::Error> {
    stamped!(
        "SELECT 0::bigint AS id, $3::timestamptz AS created_at",
        change
    )
    .fetch_one(connection)
    .await
}

/// The targets among `target_ids` that the reader has saved.
#[sql("bookmarks.among")]
pub(crate) async fn among(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
    target_ids: &[i64],
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT target_id FROM bookmarks WHERE profile_id = $1 AND kind = $2 AND target_id = ANY($3)",
        profile_id,
        kind.name(),
        target_ids,
    )
    .fetch_all(pool)
    .await
}

/// The record for a target.
#[sql("bookmarks.find")]
pub(crate) async fn find(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
    target_id: i64,
) -> Result<Option<Record>, sqlx::Error> {
    sqlx::query_as!(
        Record,
        "SELECT id, target_id, created_at, is_done, add_to_calendar FROM bookmarks
         WHERE profile_id = $1 AND kind = $2 AND target_id = $3",
        profile_id,
        kind.name(),
        target_id,
    )
    .fetch_optional(pool)
    .await
}

/// The owner's to-do with this id.
#[sql("bookmarks.find_todo")]
pub(crate) async fn find_todo(
    pool: &PgPool,
    profile_id: i64,
    id: i64,
) -> Result<Option<Record>, sqlx::Error> {
    sqlx::query_as!(
        Record,
        "SELECT id, target_id, created_at, is_done, add_to_calendar FROM bookmarks
         WHERE profile_id = $1 AND id = $2 AND kind = $3",
        profile_id,
        id,
        Kind::Todos.name(),
    )
    .fetch_optional(pool)
    .await
}

/// Marks the owner's to-do as done or not done; `None` if it does not exist or is already in that state.
#[sql("bookmarks.set_done")]
pub(crate) async fn set_done(
    pool: &PgPool,
    change: &Change,
    id: i64,
    is_done: bool,
) -> Result<Option<Stamped>, sqlx::Error> {
    stamped!(
        "UPDATE bookmarks SET is_done = $11
         WHERE profile_id = $1 AND kind = $2 AND id = $10 AND is_done <> $11
         RETURNING id, created_at",
        change,
        id,
        is_done,
    )
    .fetch_optional(pool)
    .await
}

/// The number of a reader's to-dos that are done, or not done.
#[sql("bookmarks.count_done")]
pub(crate) async fn count_done(
    pool: &PgPool,
    profile_id: i64,
    is_done: bool,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM bookmarks WHERE profile_id = $1 AND is_done = $2"#,
        profile_id,
        is_done,
    )
    .fetch_one(pool)
    .await
}

/// Removes the owner's record; `None` if it does not exist.
#[sql("bookmarks.delete")]
pub(crate) async fn delete(
    database: impl PgExecutor<'_>,
    change: &Change,
    id: i64,
) -> Result<Option<Stamped>, sqlx::Error> {
    stamped!(
        "DELETE FROM bookmarks WHERE profile_id = $1 AND kind = $2 AND id = $10
         RETURNING id, created_at",
        change,
        id,
    )
    .fetch_optional(database)
    .await
}

/// The event of the owner's bookmark, if it is saved with the calendar; locks the bookmark until the transaction ends.
#[sql("bookmarks.lock_in_calendar")]
pub(crate) async fn lock_in_calendar(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT target_id FROM bookmarks WHERE profile_id = $1 AND id = $2 AND kind = $3 AND add_to_calendar
         FOR UPDATE",
        profile_id,
        id,
        Kind::EventBookmarks.name(),
    )
    .fetch_optional(connection)
    .await
}

/// Adds the calendar to the owner's event bookmark; `None` if it does not exist or already has the calendar.
#[sql("bookmarks.add_to_calendar")]
pub(crate) async fn add_to_calendar(
    connection: &mut PgConnection,
    change: &Change,
    id: i64,
) -> Result<Option<Stamped>, sqlx::Error> {
    stamped!(
        "UPDATE bookmarks SET add_to_calendar = true
         WHERE profile_id = $1 AND kind = $2 AND id = $10 AND NOT coalesce(add_to_calendar, false)
         RETURNING id, created_at",
        change,
        id,
    )
    .fetch_optional(connection)
    .await
}

/// An event bookmark that is saved with the calendar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InCalendar {
    pub(crate) profile_id: i64,
    pub(crate) id: i64,
    pub(crate) target_id: i64,
}

/// A page of all readers' bookmarks that are saved with the calendar, ordered by reader and id.
#[sql("bookmarks.in_calendars")]
pub(crate) async fn in_calendars(
    pool: &PgPool,
    after: (i64, i64),
    limit: i64,
) -> Result<Vec<InCalendar>, sqlx::Error> {
    sqlx::query_as!(
        InCalendar,
        "SELECT profile_id, id, target_id FROM bookmarks
         WHERE (profile_id, id) > ($1, $2) AND add_to_calendar ORDER BY profile_id, id LIMIT $3",
        after.0,
        after.1,
        limit,
    )
    .fetch_all(pool)
    .await
}

struct MapRow {
    id: i64,
    target_id: i64,
    is_done: Option<bool>,
    stamped_at: Option<DateTime<Utc>>,
}

/// The complete map from targets to records, and the kind's stamp at that moment; `None` if the map is empty.
#[sql("bookmarks.map")]
pub(crate) async fn map(
    pool: &PgPool,
    profile_id: i64,
    kind: Kind,
) -> Result<(Vec<MapEntry>, Option<DateTime<Utc>>), sqlx::Error> {
    // A single statement saves the reader a round trip to the database.
    let rows = sqlx::query_as!(
        MapRow,
        "SELECT id, target_id, is_done,
             (SELECT at FROM stamps WHERE profile_id = $1 AND kind = $2) AS stamped_at
         FROM bookmarks WHERE profile_id = $1 AND kind = $2 ORDER BY id",
        profile_id,
        kind.name(),
    )
    .fetch_all(pool)
    .await?;
    let stamped_at = rows.first().and_then(|row| row.stamped_at);
    let entries = rows.into_iter().map(|row| MapEntry {
        id: row.id,
        target_id: row.target_id,
        is_done: row.is_done,
    });
    Ok((entries.collect(), stamped_at))
}

/// The owner and filter of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filter {
    pub(crate) profile_id: i64,
    pub(crate) kind: Kind,
    pub(crate) target: TargetKind,
    /// Whether to list done or not done records; `None`: both.
    pub(crate) is_done: Option<bool>,
}

/// A page of the list, with one row more than its limit if there is a next page.
#[sql("bookmarks.list")]
pub(crate) async fn list(
    pool: &PgPool,
    filter: Filter,
    page: &Page,
) -> Result<Vec<Bookmark>, sqlx::Error> {
    let (column, key) = compared(page.ordering.field);
    let keyset = Keyset::column(page, column, key, "b.id");
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT b.id, b.target_id, b.created_at, t.name, t.is_available, b.is_done, b.add_to_calendar
         FROM ",
    );
    let push_filter = |query: &mut QueryBuilder<Postgres>| {
        query.push(" WHERE b.profile_id = ");
        query.push_bind(filter.profile_id);
        query.push(" AND b.kind = ").push_bind(filter.kind.name());
        if let Some(is_done) = filter.is_done {
            query.push(" AND b.is_done = ").push_bind(is_done);
        }
    };
    // Skipped records are counted in the index of the order, without reading their targets. Every record has a target.
    let needs_targets = page.ordering.field == "name" || page.keywords.is_some();
    let is_by_id = page.skip > 0 && !needs_targets;
    if is_by_id {
        query.push("(SELECT b.id FROM bookmarks b");
        push_filter(&mut query);
        keyset.push_page(&mut query, page);
        query.push(") page JOIN bookmarks b ON b.id = page.id");
    } else {
        query.push("bookmarks b");
    }
    query.push(" JOIN targets t ON t.id = b.target_id AND t.kind = ");
    query.push_bind(filter.target.as_str());
    push_filter(&mut query);
    push_keywords(&mut query, page, "t.name");
    if is_by_id {
        keyset.push_order(&mut query);
    } else {
        keyset.push_page(&mut query, page);
    }
    // The best plan depends on how rare the words are, so this statement is planned for each query.
    let rows: Vec<BookmarkRow> = query
        .build_query_as()
        .persistent(page.keywords.is_none())
        .fetch_all(pool)
        .await?;
    Ok(rows.into_iter().map(Bookmark::from).collect())
}

/// The column of an ordering, and the type of its values.
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

/// The cursor of the page that follows this bookmark.
pub(crate) fn cursor(page: &Page, last: &Bookmark) -> (String, i64) {
    let key = match page.ordering.field {
        "name" => last.target_name.clone(),
        _ => instant::to_rfc3339(last.created_at),
    };
    (key, last.id)
}

/// The items saved by a reader.
#[derive(Debug)]
pub(crate) struct SavedByReader {
    pub(crate) profile_id: i64,
    /// The ids of the saved items, latest first.
    pub(crate) target_ids: Vec<i64>,
}

/// The items of a kind most recently saved by each reader, if they are still published.
#[sql("bookmarks.latest_of")]
pub(crate) async fn latest_of(
    pool: &PgPool,
    (kind, target): (Kind, TargetKind),
    readers: &[i64],
    most: i64,
) -> Result<Vec<SavedByReader>, sqlx::Error> {
    sqlx::query_as!(
        SavedByReader,
        r#"SELECT r.id AS "profile_id!", array_agg(s.target_id ORDER BY s.created_at DESC, s.id DESC) AS "target_ids!"
         FROM unnest($2::bigint[]) AS r (id) CROSS JOIN LATERAL (
             SELECT b.id, b.target_id, b.created_at FROM bookmarks b
             JOIN targets t ON t.kind = $3 AND t.id = b.target_id AND t.is_available
             WHERE b.profile_id = r.id AND b.kind = $1 ORDER BY b.created_at DESC, b.id DESC LIMIT $4) s
         GROUP BY r.id"#,
        kind.name(),
        readers,
        target.as_str(),
        most,
    )
    .fetch_all(pool)
    .await
}

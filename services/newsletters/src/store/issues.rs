//! `issues`: newsletter issues and the progress of their sending.

use std::collections::HashSet;

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::keyset::Keyset,
    sql,
};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgExecutor, PgPool, Postgres, QueryBuilder, types::Json};
use vocabulary::newsletters::Kind;

use crate::domain::issue::{Content, Draft, Issue, State};

/// Orderings of the archive.
pub(crate) const ORDERINGS: &[&str] = &["-date_sent"];

/// An issue to insert.
#[derive(Debug)]
pub(crate) struct NewIssue<'a> {
    pub(crate) kind: Kind,
    pub(crate) slot: &'a str,
    pub(crate) since: DateTime<Utc>,
    pub(crate) until: DateTime<Utc>,
    pub(crate) send_at: DateTime<Utc>,
    pub(crate) draft: Option<&'a Draft>,
}

/// Inserts an issue; `None` if its slot already has an issue.
#[sql("issues.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    issue: &NewIssue<'_>,
    now: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO issues (kind, slot, since, until, send_at, draft, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT DO NOTHING RETURNING id",
        issue.kind.name(),
        issue.slot,
        issue.since,
        issue.until,
        issue.send_at,
        issue.draft.map(Json) as _,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// An issue that another system has sent.
#[derive(Debug)]
pub(crate) struct PastIssue<'a> {
    pub(crate) kind: Kind,
    pub(crate) name: &'a str,
    pub(crate) draft: &'a Draft,
    pub(crate) content: &'a Content,
    pub(crate) sent_at: DateTime<Utc>,
}

/// An issue that has a name already.
#[derive(Debug)]
pub(crate) struct Namesake {
    pub(crate) draft: Option<Json<Draft>>,
    pub(crate) send_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
}

impl Namesake {
    /// Returns the draft of an imported issue: no other issue is newer than its sending and has a draft.
    pub(crate) fn imported(&self) -> Option<&Draft> {
        let draft = self.draft.as_deref();
        draft.filter(|_| self.created_at > self.send_at)
    }
}

/// Locks the issue of this name until the transaction ends.
#[sql("issues.lock_named")]
pub(crate) async fn lock_named(
    connection: &mut PgConnection,
    kind: Kind,
    name: &str,
) -> Result<Option<Namesake>, sqlx::Error> {
    sqlx::query_as!(
        Namesake,
        r#"SELECT draft AS "draft: Json<Draft>", send_at, created_at FROM issues WHERE kind = $1 AND slot = $2 FOR UPDATE"#,
        kind.name(),
        name,
    )
    .fetch_optional(connection)
    .await
}

/// Stores a sent issue, which replaces an imported issue of its name. Returns whether it was stored: the site may have
/// made an issue of this name meanwhile.
#[sql("issues.import")]
pub(crate) async fn import(
    connection: &mut PgConnection,
    issue: &PastIssue<'_>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO issues AS i (kind, slot, state, since, until, send_at, draft, content, created_at, finished_at, is_listed)
         VALUES ($1, $2, 'sent', $3, $3, $3, $4, $5, $6, $6, true)
         ON CONFLICT (kind, slot) DO UPDATE SET since = excluded.since, until = excluded.until, send_at = excluded.send_at,
            draft = excluded.draft, content = excluded.content, created_at = excluded.created_at, finished_at = excluded.finished_at
         WHERE i.draft IS NOT NULL AND i.created_at > i.send_at",
        issue.kind.name(),
        issue.name,
        issue.sent_at,
        Json(issue.draft) as _,
        Json(issue.content) as _,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether a slot has an issue.
#[sql("issues.exists")]
pub(crate) async fn exists(pool: &PgPool, kind: Kind, slot: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM issues WHERE kind = $1 AND slot = $2) AS "exists!""#,
        kind.name(),
        slot,
    )
    .fetch_one(pool)
    .await
}

/// Returns the end of the period that the last scheduled issue of a kind covers.
#[sql("issues.last_until")]
pub(crate) async fn last_until(
    executor: impl PgExecutor<'_>,
    kind: Kind,
    before: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT max(until) FROM issues WHERE kind = $1 AND until < $2 AND draft IS NULL AND state <> 'cancelled'",
        kind.name(),
        before,
    )
    .fetch_one(executor)
    .await
}

#[derive(FromRow)]
struct Row {
    id: i64,
    kind: String,
    slot: String,
    state: String,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
    send_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
    draft: Option<Json<Draft>>,
    content: Option<Json<Content>>,
}

impl Row {
    /// Returns `None` for a kind or state of a later release.
    fn issue(self) -> Option<Issue> {
        Some(Issue {
            id: self.id,
            kind: Kind::named(&self.kind)?,
            slot: self.slot,
            state: State::named(&self.state)?,
            since: self.since,
            until: self.until,
            send_at: self.send_at,
            finished_at: self.finished_at,
            draft: self.draft.map(|draft| draft.0),
            content: self.content.map(|content| content.0),
        })
    }
}

/// Returns an issue by id.
#[sql("issues.get")]
pub(crate) async fn get(
    executor: impl PgExecutor<'_>,
    id: i64,
) -> Result<Option<Issue>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, kind, slot, state, since, until, send_at, finished_at, draft AS "draft: Json<Draft>",
            content AS "content: Json<Content>" FROM issues WHERE id = $1"#,
        id,
    )
    .fetch_optional(executor)
    .await?;
    Ok(row.and_then(Row::issue))
}

/// Returns the latest issues.
#[sql("issues.latest")]
pub(crate) async fn latest(
    executor: impl PgExecutor<'_>,
    most: i64,
) -> Result<Vec<Issue>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, kind, slot, state, since, until, send_at, finished_at, draft AS "draft: Json<Draft>",
            content AS "content: Json<Content>" FROM issues ORDER BY send_at DESC, id DESC LIMIT $1"#,
        most,
    )
    .fetch_all(executor)
    .await?;
    Ok(rows.into_iter().filter_map(Row::issue).collect())
}

/// Returns a page of public issues, with an additional row if there is a next page.
#[sql("issues.archived")]
pub(crate) async fn archived(pool: &PgPool, page: &Page) -> Result<Vec<Issue>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT i.id, i.kind, i.slot, i.state, i.since, i.until, i.send_at, i.finished_at, i.draft, i.content
         FROM issues i WHERE i.state IN ('sending', 'sent')",
    );
    let keyset = Keyset::column(page, "i.send_at", KeyType::Instant, "i.id");
    keyset.push_page(&mut query, page);
    let rows: Vec<Row> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().filter_map(Row::issue).collect())
}

/// Returns the type of an ordering's values.
pub(crate) fn key_type(_: &str) -> KeyType {
    KeyType::Instant
}

/// Returns the cursor after a page that ends with this issue.
pub(crate) fn cursor(last: &Issue) -> (String, i64) {
    (instant::to_rfc3339(last.send_at), last.id)
}

/// Returns the number of public issues. They are counted on demand, as there are only a few hundred per year.
#[sql("issues.archived_count")]
pub(crate) async fn archived_count(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM issues WHERE state IN ('sending', 'sent')"#
    )
    .fetch_one(pool)
    .await
}

/// Returns the references of items in issues of a kind since a time.
#[sql("issues.brought")]
pub(crate) async fn brought(
    executor: impl PgExecutor<'_>,
    kind: Kind,
    since: DateTime<Utc>,
) -> Result<HashSet<String>, sqlx::Error> {
    let contents = sqlx::query_scalar!(
        r#"SELECT content AS "content!: Json<Content>" FROM issues
         WHERE kind = $1 AND until >= $2 AND content IS NOT NULL AND state <> 'cancelled'"#,
        kind.name(),
        since,
    )
    .fetch_all(executor)
    .await?;
    let references = contents.iter().flat_map(|content| content.0.references());
    Ok(references.map(str::to_owned).collect())
}

/// Stores the content of a scheduled issue and starts sending it, or marks it as empty if there is no content. Returns
/// whether it was still scheduled.
#[sql("issues.compose")]
pub(crate) async fn compose(
    connection: &mut PgConnection,
    id: i64,
    content: Option<&Content>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let (state, finished_at) = match content {
        Some(_) => (State::Sending, None),
        None => (State::Empty, Some(now)),
    };
    let done = sqlx::query!(
        "UPDATE issues SET content = $2, state = $3, finished_at = $4 WHERE id = $1 AND state = 'scheduled'",
        id,
        content.map(Json) as _,
        state.name(),
        finished_at,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Locks an issue until the transaction ends, provided that its recipients are still being listed. Returns its kind and
/// the last listed subscriber.
#[sql("issues.lock_listing")]
pub(crate) async fn lock_listing(
    connection: &mut PgConnection,
    id: i64,
) -> Result<Option<(Kind, i64)>, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT kind, listed_until FROM issues WHERE id = $1 AND state = 'sending' AND NOT is_listed FOR UPDATE",
        id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.and_then(|row| Some((Kind::named(&row.kind)?, row.listed_until))))
}

/// Records the last subscriber whose delivery is listed, or that the list is complete.
#[sql("issues.set_listed")]
pub(crate) async fn set_listed(
    connection: &mut PgConnection,
    id: i64,
    until: Option<i64>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE issues SET listed_until = coalesce($2, listed_until), is_listed = $2::bigint IS NULL WHERE id = $1",
        id,
        until,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Finishes an issue without remaining deliveries. Returns whether it was finished.
#[sql("issues.finish")]
pub(crate) async fn finish(
    pool: &PgPool,
    id: i64,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE issues SET state = 'sent', finished_at = $2 WHERE id = $1 AND state = 'sending' AND is_listed
         AND NOT EXISTS (SELECT FROM deliveries WHERE issue_id = $1 AND fate IN ('queued', 'deferred'))",
        id,
        now,
    )
    .execute(pool)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Cancels an issue that is scheduled or being sent. Returns whether it was cancelled.
#[sql("issues.cancel")]
pub(crate) async fn cancel(
    connection: &mut PgConnection,
    id: i64,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE issues SET state = 'cancelled', finished_at = $2 WHERE id = $1 AND state IN ('scheduled', 'sending')",
        id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

//! Database writes of imports.

use std::sync::LazyLock;

use chassis::{intake::Outcome, postgres::Columns as _, sql};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{AssertSqlSafe, FromRow, PgConnection, types::Json};

use crate::domain::{Detail, Kind, Named, PagePath, Proposal, Schedule, twins};

use super::turns::Announced;

chassis::columns! {
    /// Columns of an item that an import writes.
    struct Columns {
        kind: String, "kind";
        section: String, "section";
        slug: String, "slug";
        name: String, "name";
        excerpt: String, "excerpt";
        body_html: String, "text";
        image_url: Option<String>, "picture";
        is_age_restricted: bool, "is_age_restricted";
        published_at: DateTime<Utc>, "published";
        unpublished_at: Option<DateTime<Utc>>, "unpublished";
        is_draft: bool, "is_draft";
        authors: Json<Vec<Named>>, "authors";
        tags: Json<Vec<Named>>, "tags";
        detail: Json<Detail>, "detail";
        // Fields of an event's detail that lists filter by.
        category: Option<String>, "detail";
        neighbourhood: Option<String>, "detail";
        is_free: Option<bool>, "detail";
        // Key shared with the same event of other sources.
        twin_key: Option<String>, "detail";
    }
}

impl Columns {
    fn new(proposal: &Proposal, published_at: DateTime<Utc>) -> Self {
        let proposal = proposal.clone();
        let event = match &proposal.detail {
            Detail::Event(event) => Some(event),
            _ => None,
        };
        Self {
            twin_key: event.and_then(|event| twins::key(&proposal.name, &event.schedule)),
            category: event.map(|event| event.category.clone()),
            neighbourhood: event.map(|event| event.neighbourhood.clone()),
            is_free: event.map(|event| event.is_free),
            kind: proposal.kind.as_str().to_owned(),
            section: proposal.section,
            slug: proposal.slug,
            name: proposal.name,
            excerpt: proposal.excerpt,
            body_html: proposal.body,
            image_url: proposal.image_url,
            is_age_restricted: proposal.is_age_restricted,
            published_at,
            unpublished_at: proposal.unpublished_at,
            is_draft: proposal.is_draft,
            authors: Json(proposal.authors),
            tags: Json(proposal.tags),
            detail: Json(proposal.detail),
        }
    }

    /// Returns the fields that differ; for a detail, its individual fields.
    fn fields_changed(&self, wanted: &Self) -> Vec<&'static str> {
        let fields = self.difference(wanted).into_iter();
        let fields = fields.filter(|field| *field != "detail");
        fields
            .chain(self.detail.difference(&wanted.detail))
            .collect()
    }

    fn path(&self) -> Option<String> {
        let kind = Kind::parse(&self.kind)?;
        Some(PagePath::new(kind, &self.section, &self.slug).canonical())
    }
}

/// Whether an item is visible, and when that next changes.
#[derive(Clone, Copy)]
struct Turn {
    is_live: bool,
    next: Option<DateTime<Utc>>,
}

/// The outcome of an item.
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    /// The item's current summary.
    pub(crate) announced: Announced,
    /// Former path of the item's page.
    pub(crate) former_path: Option<String>,
}

/// Returns another source's item with this path.
#[sql("intake.holder")]
pub(crate) async fn holder(
    connection: &mut PgConnection,
    path: &PagePath,
    source_id: &str,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT source_id FROM items
         WHERE kind = $1 AND section = $2 AND slug = $3 AND source_id <> $4",
        path.kind.as_str(),
        path.section,
        path.slug,
        source_id,
    )
    .fetch_optional(connection)
    .await
}

/// Whether a source's item is from a content folder, or an editor has decided whether it is a draft.
#[sql("intake.is_an_editors")]
pub(crate) async fn is_an_editors(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<bool, sqlx::Error> {
    let existing = find(connection, source_id).await?;
    let is_decided = existing.is_some_and(|existing| existing.is_released || existing.is_withdrawn);
    Ok(is_decided || source_id.starts_with("content:"))
}

/// Transfers an item to another source, unless that source already has an item. From then on, the new source determines
/// whether it is a draft. Returns whether the item was transferred.
#[sql("intake.hand_over")]
pub(crate) async fn hand_over(
    connection: &mut PgConnection,
    from: &str,
    to: &str,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE items SET source_id = $2, released_at = NULL, released_by = NULL, withdrawn_at = NULL
         WHERE source_id = $1 AND NOT EXISTS (SELECT 1 FROM items WHERE source_id = $2)",
        from,
        to,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Creates or changes an item.
#[sql("intake.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    existing: Option<Existing>,
    proposal: &Proposal,
    now: DateTime<Utc>,
) -> Result<Taken, sqlx::Error> {
    let first_published = existing
        .as_ref()
        .map_or(now, |existing| existing.columns.published_at);
    let published_at = proposal.published_at.unwrap_or(first_published);
    let wanted = Columns::new(proposal, published_at);
    let turn = Turn {
        is_live: proposal.is_live(published_at, now),
        next: proposal.next_turn(published_at, now),
    };
    let Some(existing) = existing else {
        let announced = insert(connection, &proposal.source_id, &wanted, turn).await?;
        return Ok(Taken {
            outcome: Outcome::Created,
            announced,
            former_path: None,
        });
    };
    let outcome = Outcome::of_difference(existing.columns.fields_changed(&wanted));
    let former_path = existing
        .columns
        .path()
        .filter(|_| existing.columns.path() != wanted.path());
    let announced = match outcome {
        Outcome::Unchanged => existing.announced(),
        _ => update(connection, existing.id, &wanted, turn, now).await?,
    };
    Ok(Taken {
        outcome,
        announced,
        former_path,
    })
}

/// Unpublishes a cancelled item; `None` if it was already unpublished.
#[sql("intake.cancel")]
pub(crate) async fn cancel(
    connection: &mut PgConnection,
    existing: Existing,
    now: DateTime<Utc>,
) -> Result<Option<Announced>, sqlx::Error> {
    let mut columns = existing.columns;
    // Publication must end after it begins.
    let end = now.max(columns.published_at + TimeDelta::microseconds(1));
    let has_ended = columns.unpublished_at.is_some_and(|ended| ended <= end);
    if has_ended && !existing.is_live {
        return Ok(None);
    }
    columns.unpublished_at = Some(end);
    let hidden = Turn {
        is_live: false,
        next: None,
    };
    update(connection, existing.id, &columns, hidden, now)
        .await
        .map(Some)
}

/// Replaces an event's schedule.
#[sql("intake.reschedule")]
pub(crate) async fn reschedule(
    connection: &mut PgConnection,
    existing: Existing,
    schedule: Schedule,
    now: DateTime<Utc>,
) -> Result<Announced, sqlx::Error> {
    let mut columns = existing.columns;
    if let Detail::Event(event) = &mut columns.detail.0 {
        event.schedule = schedule;
    }
    let turn = Turn {
        is_live: existing.is_live,
        next: existing.next_turn_at,
    };
    update(connection, existing.id, &columns, turn, now).await
}

/// A stored item.
#[derive(FromRow)]
pub(crate) struct Existing {
    id: i64,
    is_live: bool,
    next_turn_at: Option<DateTime<Utc>>,
    version: i64,
    is_released: bool,
    is_withdrawn: bool,
    #[sqlx(flatten)]
    columns: Columns,
}

impl Existing {
    /// Returns the path of the item's page.
    pub(crate) fn path(&self) -> Option<String> {
        self.columns.path()
    }

    /// Whether an editor has published it as a draft.
    pub(crate) fn is_released(&self) -> bool {
        self.is_released
    }

    /// Whether an editor has turned it into a draft again.
    pub(crate) fn is_withdrawn(&self) -> bool {
        self.is_withdrawn
    }

    /// Returns an event's schedule; `None` for other kinds.
    pub(crate) fn schedule(&self) -> Option<&Schedule> {
        match &self.columns.detail.0 {
            Detail::Event(event) => Some(&event.schedule),
            _ => None,
        }
    }

    fn announced(self) -> Announced {
        Announced {
            id: self.id,
            kind: self.columns.kind,
            name: self.columns.name,
            is_live: self.is_live,
            published_at: self.columns.published_at,
            version: self.version,
        }
    }
}

static FIND: LazyLock<String> = LazyLock::new(|| {
    let columns = Columns::list("");
    format!(
        "SELECT id, is_live, next_turn_at, version, released_at IS NOT NULL AS is_released,
            withdrawn_at IS NOT NULL AS is_withdrawn, {columns}
         FROM items WHERE source_id = $1"
    )
});

/// Returns the stored item of a source.
#[sql("intake.find")]
pub(crate) async fn find(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<Option<Existing>, sqlx::Error> {
    sqlx::query_as(AssertSqlSafe(FIND.as_str()))
        .bind(source_id)
        .fetch_optional(connection)
        .await
}

/// Columns of [`Announced`].
const TOLD: &str = "id, kind, name, is_live, published_at, version";

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let [source_id, is_live, next_turn_at] = Columns::following();
    format!(
        "INSERT INTO items ({}, source_id, is_live, next_turn_at)
         VALUES ({}, {source_id}, {is_live}, {next_turn_at}) RETURNING {TOLD}",
        Columns::list(""),
        Columns::placeholders()
    )
});

async fn insert(
    connection: &mut PgConnection,
    source_id: &str,
    wanted: &Columns,
    turn: Turn,
) -> Result<Announced, sqlx::Error> {
    sqlx::query_as_with(AssertSqlSafe(INSERT.as_str()), wanted.arguments()?)
        .bind(source_id)
        .bind(turn.is_live)
        .bind(turn.next)
        .fetch_one(connection)
        .await
}

static UPDATE: LazyLock<String> = LazyLock::new(|| {
    let [id, is_live, next_turn_at, now] = Columns::following();
    format!(
        "UPDATE items SET {}, is_live = {is_live}, next_turn_at = {next_turn_at}, changed_at = {now},
            version = version + 1
         WHERE id = {id} RETURNING {TOLD}",
        Columns::assigned()
    )
});

async fn update(
    connection: &mut PgConnection,
    id: i64,
    wanted: &Columns,
    turn: Turn,
    now: DateTime<Utc>,
) -> Result<Announced, sqlx::Error> {
    sqlx::query_as_with(AssertSqlSafe(UPDATE.as_str()), wanted.arguments()?)
        .bind(id)
        .bind(turn.is_live)
        .bind(turn.next)
        .bind(now)
        .fetch_one(connection)
        .await
}

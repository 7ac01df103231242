//! Writes of imports.

use chassis::{intake::Outcome, sql};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, types::Json};

use crate::domain::{Detail, Event, Kind, Named, PagePath, Proposal};

use super::turns::Told;

/// A stored item, in the columns that an import writes.
struct Stored {
    kind: String,
    section: String,
    slug: String,
    name: String,
    excerpt: String,
    body_html: String,
    image_url: Option<String>,
    is_age_restricted: bool,
    published_at: DateTime<Utc>,
    unpublished_at: Option<DateTime<Utc>>,
    authors: Json<Vec<Named>>,
    tags: Json<Vec<Named>>,
    detail: Json<Detail>,
}

impl Stored {
    fn new(proposal: &Proposal) -> Self {
        let proposal = proposal.clone();
        Self {
            kind: proposal.kind.as_str().to_owned(),
            section: proposal.section,
            slug: proposal.slug,
            name: proposal.name,
            excerpt: proposal.excerpt,
            body_html: proposal.body,
            image_url: proposal.image_url,
            is_age_restricted: proposal.is_age_restricted,
            published_at: proposal.published_at,
            unpublished_at: proposal.unpublished_at,
            authors: Json(proposal.authors),
            tags: Json(proposal.tags),
            detail: Json(proposal.detail),
        }
    }

    fn difference(&self, wanted: &Self) -> Vec<&'static str> {
        let fields = chassis::difference!(Stored, *self, wanted, {
            kind: "kind",
            section: "section",
            slug: "slug",
            name: "name",
            excerpt: "excerpt",
            body_html: "text",
            image_url: "picture",
            is_age_restricted: "is_age_restricted",
            published_at: "published",
            unpublished_at: "unpublished",
            authors: "authors",
            tags: "tags",
            detail: "detail",
        });
        let detail = self.detail.difference(&wanted.detail);
        let fields = fields.into_iter().filter(|field| *field != "detail");
        fields.chain(detail).collect()
    }

    fn event(&self) -> Option<&Event> {
        match &*self.detail {
            Detail::Event(event) => Some(event),
            _ => None,
        }
    }

    fn path(&self) -> Option<String> {
        let kind = Kind::parse(&self.kind)?;
        Some(PagePath::new(kind, &self.section, &self.slug).canonical())
    }
}

/// Whether an item is shown, and when that changes next.
#[derive(Clone, Copy)]
struct Turn {
    is_live: bool,
    next: Option<DateTime<Utc>>,
}

/// The outcome of an item.
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    /// Its summary as it is now.
    pub(crate) told: Told,
    /// The former path of its page.
    pub(crate) former_path: Option<String>,
}

/// The item that has a path, other than the item of a source.
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

/// Gives an item to another source, unless that has an item already. Returns whether it did.
#[sql("intake.hand_over")]
pub(crate) async fn hand_over(
    connection: &mut PgConnection,
    from: &str,
    to: &str,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE items SET source_id = $2
         WHERE source_id = $1 AND NOT EXISTS (SELECT 1 FROM items WHERE source_id = $2)",
        from,
        to,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Makes or changes an item.
#[sql("intake.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    proposal: &Proposal,
    now: DateTime<Utc>,
) -> Result<Taken, sqlx::Error> {
    let wanted = Stored::new(proposal);
    let turn = Turn {
        is_live: proposal.is_live(now),
        next: proposal.next_turn(now),
    };
    let Some((told, stored)) = find(&mut *connection, &proposal.source_id).await? else {
        let told = insert(connection, &proposal.source_id, &wanted, turn).await?;
        return Ok(Taken {
            outcome: Outcome::Created,
            told,
            former_path: None,
        });
    };
    let outcome = Outcome::of_difference(stored.difference(&wanted));
    let told = match outcome {
        Outcome::Unchanged => told,
        _ => update(connection, told.id, &wanted, turn, now).await?,
    };
    Ok(Taken {
        outcome,
        told,
        former_path: stored.path().filter(|_| stored.path() != wanted.path()),
    })
}

async fn find(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<Option<(Told, Stored)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT id, kind, section, slug, name, excerpt, body_html, image_url, is_age_restricted,
            published_at, unpublished_at, is_live, version,
            authors AS "authors: Json<Vec<Named>>", tags AS "tags: Json<Vec<Named>>",
            detail AS "detail: Json<Detail>"
         FROM items WHERE source_id = $1"#,
        source_id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| {
        let told = Told {
            id: row.id,
            kind: row.kind.clone(),
            name: row.name.clone(),
            is_live: row.is_live,
            published_at: row.published_at,
            version: row.version,
        };
        let stored = Stored {
            kind: row.kind,
            section: row.section,
            slug: row.slug,
            name: row.name,
            excerpt: row.excerpt,
            body_html: row.body_html,
            image_url: row.image_url,
            is_age_restricted: row.is_age_restricted,
            published_at: row.published_at,
            unpublished_at: row.unpublished_at,
            authors: row.authors,
            tags: row.tags,
            detail: row.detail,
        };
        (told, stored)
    }))
}

async fn insert(
    connection: &mut PgConnection,
    source_id: &str,
    wanted: &Stored,
    turn: Turn,
) -> Result<Told, sqlx::Error> {
    let event = wanted.event();
    sqlx::query_as!(
        Told,
        "INSERT INTO items (source_id, kind, section, slug, name, excerpt, body_html, image_url,
            is_age_restricted, published_at, unpublished_at, authors, tags, detail, category,
            neighbourhood, is_free, is_live, next_turn_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         RETURNING id, kind, name, is_live, published_at, version",
        source_id,
        wanted.kind,
        wanted.section,
        wanted.slug,
        wanted.name,
        wanted.excerpt,
        wanted.body_html,
        wanted.image_url,
        wanted.is_age_restricted,
        wanted.published_at,
        wanted.unpublished_at,
        &wanted.authors as &Json<Vec<Named>>,
        &wanted.tags as &Json<Vec<Named>>,
        &wanted.detail as &Json<Detail>,
        event.map(|event| &event.category),
        event.map(|event| &event.neighbourhood),
        event.map(|event| event.is_free),
        turn.is_live,
        turn.next,
    )
    .fetch_one(connection)
    .await
}

async fn update(
    connection: &mut PgConnection,
    id: i64,
    wanted: &Stored,
    turn: Turn,
    now: DateTime<Utc>,
) -> Result<Told, sqlx::Error> {
    let event = wanted.event();
    sqlx::query_as!(
        Told,
        "UPDATE items SET kind = $2, section = $3, slug = $4, name = $5, excerpt = $6, body_html = $7,
            image_url = $8, is_age_restricted = $9, published_at = $10, unpublished_at = $11,
            authors = $12, tags = $13, detail = $14, category = $15, neighbourhood = $16,
            is_free = $17, is_live = $18, next_turn_at = $19,
            changed_at = $20, version = version + 1
         WHERE id = $1
         RETURNING id, kind, name, is_live, published_at, version",
        id,
        wanted.kind,
        wanted.section,
        wanted.slug,
        wanted.name,
        wanted.excerpt,
        wanted.body_html,
        wanted.image_url,
        wanted.is_age_restricted,
        wanted.published_at,
        wanted.unpublished_at,
        &wanted.authors as &Json<Vec<Named>>,
        &wanted.tags as &Json<Vec<Named>>,
        &wanted.detail as &Json<Detail>,
        event.map(|event| &event.category),
        event.map(|event| &event.neighbourhood),
        event.map(|event| event.is_free),
        turn.is_live,
        turn.next,
        now,
    )
    .fetch_one(connection)
    .await
}

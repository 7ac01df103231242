//! `best_of_lists` and `best_of_entries`.

use chassis::{
    instant,
    intake::Outcome,
    paging::{KeyType, Page},
    postgres::keyset::{Keyset, push_keywords},
    sql,
};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool, Postgres, QueryBuilder};

use crate::domain::{BestOfList, BestOfProposal};

/// Orderings of lists; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_published", "name"];

/// Beginning of every query for lists.
const SELECT: &str = "SELECT b.id, b.slug, b.name, b.intro_html, b.image_url, b.date_published,
        (SELECT count(*) FROM best_of_entries e WHERE e.list_id = b.id) AS count
    FROM best_of_lists b WHERE NOT b.is_withdrawn";

#[derive(FromRow)]
struct ListRow {
    id: i64,
    slug: String,
    name: String,
    intro_html: String,
    image_url: Option<String>,
    date_published: DateTime<Utc>,
    count: i64,
}

impl From<ListRow> for BestOfList {
    fn from(row: ListRow) -> Self {
        Self {
            id: row.id,
            slug: row.slug,
            name: row.name,
            intro_html: row.intro_html,
            image_url: row.image_url,
            date_published: row.date_published,
            count: row.count,
        }
    }
}

/// Returns a page of lists, with an additional row if there is a next page. An empty `ids` selects all lists.
#[sql("best_of.list")]
pub(crate) async fn list(
    pool: &PgPool,
    ids: &[i64],
    page: &Page,
) -> Result<Vec<BestOfList>, sqlx::Error> {
    let (column, key) = compared(page.ordering.field);
    let mut query = QueryBuilder::<Postgres>::new(SELECT);
    push_keywords(&mut query, page, "b.name");
    if !ids.is_empty() {
        query.push(" AND b.id = ANY(").push_bind(ids).push(")");
    }
    Keyset::column(page, column, key, "b.id").push_page(&mut query, page);
    let rows: Vec<ListRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(BestOfList::from).collect())
}

/// Returns the cursor after a page that ends with this list.
pub(crate) fn cursor(page: &Page, last: &BestOfList) -> (String, i64) {
    let key = match page.ordering.field {
        "name" => last.name.clone(),
        _ => instant::to_rfc3339(last.date_published),
    };
    (key, last.id)
}

/// Returns the column for an ordering and the type of its values.
fn compared(field: &str) -> (&'static str, KeyType) {
    match field {
        "name" => ("b.name", KeyType::Text),
        _ => ("b.date_published", KeyType::Instant),
    }
}

/// Returns the type of an ordering's values.
pub(crate) fn key_type(field: &str) -> KeyType {
    compared(field).1
}

/// Returns the number of lists. They are counted on demand, as a site has only hundreds.
#[sql("best_of.count")]
pub(crate) async fn count(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM best_of_lists WHERE NOT is_withdrawn"#)
        .fetch_one(pool)
        .await
}

#[sql("best_of.find")]
pub(crate) async fn find(pool: &PgPool, slug: &str) -> Result<Option<BestOfList>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(SELECT);
    query.push(" AND b.slug = ").push_bind(slug.to_owned());
    let row: Option<ListRow> = query.build_query_as().fetch_optional(pool).await?;
    Ok(row.map(BestOfList::from))
}

/// Returns the lists that rank a place, latest first.
#[sql("best_of.with")]
pub(crate) async fn with(pool: &PgPool, listing_id: i64) -> Result<Vec<BestOfList>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(SELECT);
    query
        .push(" AND b.id IN (SELECT list_id FROM best_of_entries WHERE listing_id = ")
        .push_bind(listing_id)
        .push(") ORDER BY b.date_published DESC, b.id DESC");
    let rows: Vec<ListRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(BestOfList::from).collect())
}

/// Returns the id of the list with this slug.
#[sql("best_of.id_of")]
pub(crate) async fn id_of(pool: &PgPool, slug: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM best_of_lists WHERE slug = $1 AND NOT is_withdrawn",
        slug
    )
    .fetch_optional(pool)
    .await
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) rank: i32,
    pub(crate) listing_id: i64,
    pub(crate) text_html: String,
}

/// Returns the entries of a list, best first.
#[sql("best_of.entries")]
pub(crate) async fn entries(
    pool: impl sqlx::PgExecutor<'_>,
    list_id: i64,
) -> Result<Vec<Entry>, sqlx::Error> {
    sqlx::query_as!(
        Entry,
        "SELECT rank, listing_id, text_html FROM best_of_entries WHERE list_id = $1 ORDER BY rank",
        list_id,
    )
    .fetch_all(pool)
    .await
}

/// Returns the ids of places by source id.
#[sql("best_of.places")]
pub(crate) async fn places(
    connection: &mut PgConnection,
    source_ids: &[String],
) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT source_id, id FROM listings WHERE source_id = ANY($1)",
        source_ids,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.source_id, row.id))
        .collect())
}

/// Columns of a list that an import writes.
struct Stored {
    slug: String,
    name: String,
    intro_html: String,
    image_url: Option<String>,
    date_published: DateTime<Utc>,
    is_withdrawn: bool,
    entries: Vec<Entry>,
}

/// The outcome of a list, and the places whose pages have changed with it.
pub(crate) struct Kept {
    pub(crate) outcome: Outcome,
    pub(crate) touched: Vec<i64>,
}

/// Creates or changes a list with these entries. Returns `None` if another list has its slug.
#[sql("best_of.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    proposal: &BestOfProposal,
    entries: Vec<Entry>,
) -> Result<Option<Kept>, sqlx::Error> {
    let owner = sqlx::query_scalar!(
        "SELECT source_id FROM best_of_lists WHERE slug = $1 AND source_id <> $2",
        proposal.slug,
        proposal.source_id,
    );
    if owner.fetch_optional(&mut *connection).await?.is_some() {
        return Ok(None);
    }
    let there = stored(&mut *connection, &proposal.source_id).await?;
    let wanted = Stored {
        slug: proposal.slug.clone(),
        name: proposal.name.clone(),
        intro_html: proposal.intro_html.clone(),
        image_url: proposal.image_url.clone(),
        date_published: proposal.date_published,
        is_withdrawn: proposal.is_withdrawn,
        entries,
    };
    let outcome = there.as_ref().map_or(Outcome::Created, |there| {
        Outcome::of_difference(chassis::difference!(Stored, *there, wanted, {
            slug: "slug",
            name: "name",
            intro_html: "text",
            image_url: "picture",
            date_published: "published",
            is_withdrawn: "withdrawn",
            entries: "places",
        }))
    });
    if outcome == Outcome::Unchanged {
        let touched = Vec::new();
        return Ok(Some(Kept { outcome, touched }));
    }
    let before = there.map(|there| there.entries).unwrap_or_default();
    let mut touched: Vec<i64> = before
        .iter()
        .chain(&wanted.entries)
        .map(|entry| entry.listing_id)
        .collect();
    touched.sort_unstable();
    touched.dedup();
    write(connection, &proposal.source_id, &wanted).await?;
    Ok(Some(Kept { outcome, touched }))
}

async fn stored(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<Option<Stored>, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT id, slug, name, intro_html, image_url, date_published, is_withdrawn
         FROM best_of_lists WHERE source_id = $1",
        source_id,
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    Ok(Some(Stored {
        slug: row.slug,
        name: row.name,
        intro_html: row.intro_html,
        image_url: row.image_url,
        date_published: row.date_published,
        is_withdrawn: row.is_withdrawn,
        entries: entries(connection, row.id).await?,
    }))
}

async fn write(
    connection: &mut PgConnection,
    source_id: &str,
    wanted: &Stored,
) -> Result<(), sqlx::Error> {
    let id = sqlx::query_scalar!(
        "INSERT INTO best_of_lists
            (source_id, slug, name, intro_html, image_url, date_published, is_withdrawn)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (source_id) DO UPDATE
         SET slug = excluded.slug, name = excluded.name, intro_html = excluded.intro_html,
             image_url = excluded.image_url, date_published = excluded.date_published,
             is_withdrawn = excluded.is_withdrawn
         RETURNING id",
        source_id,
        wanted.slug,
        wanted.name,
        wanted.intro_html,
        wanted.image_url.as_deref(),
        wanted.date_published,
        wanted.is_withdrawn,
    )
    .fetch_one(&mut *connection)
    .await?;
    sqlx::query!("DELETE FROM best_of_entries WHERE list_id = $1", id)
        .execute(&mut *connection)
        .await?;
    let ranks: Vec<i32> = wanted.entries.iter().map(|entry| entry.rank).collect();
    let listing_ids: Vec<i64> = wanted
        .entries
        .iter()
        .map(|entry| entry.listing_id)
        .collect();
    let texts: Vec<String> = wanted
        .entries
        .iter()
        .map(|entry| entry.text_html.clone())
        .collect();
    sqlx::query!(
        "INSERT INTO best_of_entries (list_id, rank, listing_id, text_html)
         SELECT $1, * FROM unnest($2::integer[], $3::bigint[], $4::text[])",
        id,
        &ranks,
        &listing_ids,
        &texts,
    )
    .execute(connection)
    .await?;
    Ok(())
}

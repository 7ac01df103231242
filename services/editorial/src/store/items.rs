//! `items` that are visible to readers.

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::keyset::{Keyset, push_keywords},
    sql,
};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{FromRow, PgExecutor, PgPool, Postgres, QueryBuilder, types::Json};

use crate::domain::{
    CalendarEvent, Detail, Item, ItemFilter, ItemText, Kind, MonthCount, Named, Occurrence,
    PagePath,
};

/// Orderings of lists except events; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_published", "name"];
/// Orderings of events; the first is the default.
pub(crate) const EVENT_ORDERINGS: &[&str] = &["date_starts", "-date_published", "name"];

const COLUMNS: &str = "SELECT i.id, i.kind, i.section, i.slug, i.name, i.excerpt, i.image_url,
        i.is_age_restricted, i.published_at, i.authors, i.tags, i.detail, i.version";

#[derive(FromRow)]
struct ItemRow {
    id: i64,
    kind: String,
    section: String,
    slug: String,
    name: String,
    excerpt: String,
    body_html: String,
    image_url: Option<String>,
    is_age_restricted: bool,
    published_at: DateTime<Utc>,
    authors: Json<Vec<Named>>,
    tags: Json<Vec<Named>>,
    detail: Json<Detail>,
    version: i64,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
}

impl From<ItemRow> for ItemText {
    fn from(row: ItemRow) -> Self {
        let occurrence = row.starts_at.zip(row.ends_at);
        Self {
            item: Item {
                id: row.id,
                // The column's check constraint allows no other kind.
                kind: Kind::parse(&row.kind).unwrap_or(Kind::Page),
                section: row.section,
                slug: row.slug,
                name: row.name,
                excerpt: row.excerpt,
                image_url: row.image_url,
                is_age_restricted: row.is_age_restricted,
                published_at: row.published_at,
                authors: row.authors.0,
                tags: row.tags.0,
                detail: row.detail.0,
                version: row.version,
                occurrence: occurrence
                    .map(|(starts_at, ends_at)| Occurrence { starts_at, ends_at }),
            },
            body_html: row.body_html,
        }
    }
}

/// Returns a live item without its occurrence.
#[sql("items.find")]
pub(crate) async fn find(
    executor: impl PgExecutor<'_>,
    kind: Kind,
    id: i64,
) -> Result<Option<ItemText>, sqlx::Error> {
    let mut query = one();
    query.push(" WHERE i.is_live AND i.id = ").push_bind(id);
    query.push(" AND i.kind = ").push_bind(kind.as_str());
    let row: Option<ItemRow> = query.build_query_as().fetch_optional(executor).await?;
    Ok(row.map(ItemText::from))
}

/// Returns the live item at this path, without its occurrence.
#[sql("items.at")]
pub(crate) async fn at(pool: &PgPool, path: &PagePath) -> Result<Option<ItemText>, sqlx::Error> {
    let mut query = one();
    query
        .push(" WHERE i.is_live AND i.kind = ")
        .push_bind(path.kind.as_str());
    query
        .push(" AND i.section = ")
        .push_bind(path.section.clone());
    query.push(" AND i.slug = ").push_bind(path.slug.clone());
    let row: Option<ItemRow> = query.build_query_as().fetch_optional(pool).await?;
    Ok(row.map(ItemText::from))
}

/// Returns a live item of any kind.
#[sql("items.any")]
pub(crate) async fn any(pool: &PgPool, id: i64) -> Result<Option<ItemText>, sqlx::Error> {
    let mut query = one();
    query.push(" WHERE i.is_live AND i.id = ").push_bind(id);
    let row: Option<ItemRow> = query.build_query_as().fetch_optional(pool).await?;
    Ok(row.map(ItemText::from))
}

/// Returns the live items of a kind with these ids, unordered, with or without their texts. Events have their next
/// occurrence, or the last occurrence if they are over.
#[sql("items.among")]
pub(crate) async fn among(
    pool: &PgPool,
    kind: Kind,
    ids: &[i64],
    with_text: bool,
    now: DateTime<Utc>,
) -> Result<Vec<ItemText>, sqlx::Error> {
    let mut query = QueryBuilder::new(columns(with_text));
    query.push(
        ", o.starts_at, o.ends_at FROM items i LEFT JOIN LATERAL (
            SELECT starts_at, ends_at FROM occurrences WHERE item_id = i.id
            ORDER BY ends_at > ",
    );
    query.push_bind(now);
    query.push(" DESC, CASE WHEN ends_at > ").push_bind(now);
    query.push(
        " THEN starts_at END, starts_at DESC LIMIT 1) o ON true WHERE i.is_live AND i.kind = ",
    );
    query.push_bind(kind.as_str());
    query.push(" AND i.id = ANY(").push_bind(ids).push(")");
    let rows: Vec<ItemRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(ItemText::from).collect())
}

#[derive(FromRow)]
struct CalendarRow {
    #[sqlx(flatten)]
    item: ItemRow,
    is_live: bool,
    last_change: DateTime<Utc>,
}

/// Returns the events with these ids that are or were live, unordered and without occurrences.
#[sql("items.for_calendar")]
pub(crate) async fn for_calendar(
    pool: &PgPool,
    ids: &[i64],
    now: DateTime<Utc>,
) -> Result<Vec<CalendarEvent>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(columns(false));
    query.push(
        ", NULL::timestamptz AS starts_at, NULL::timestamptz AS ends_at, i.is_live,
            greatest(i.published_at, i.changed_at, CASE WHEN i.unpublished_at <= ",
    );
    query.push_bind(now);
    query.push(" THEN i.unpublished_at END) AS last_change FROM items i WHERE NOT i.is_draft AND i.published_at <= ");
    query.push_bind(now).push(" AND i.kind = ");
    query.push_bind(Kind::Event.as_str());
    query.push(" AND i.id = ANY(").push_bind(ids).push(")");
    let rows: Vec<CalendarRow> = query.build_query_as().fetch_all(pool).await?;
    let events = rows.into_iter().map(|row| CalendarEvent {
        item: row.item.into(),
        is_live: row.is_live,
        last_change: row.last_change,
    });
    Ok(events.collect())
}

fn one() -> QueryBuilder<Postgres> {
    let none = "NULL::timestamptz";
    QueryBuilder::new(format!(
        "{}, {none} AS starts_at, {none} AS ends_at FROM items i",
        columns(true)
    ))
}

/// Returns the columns to read. A card has no text, so the long column is not read.
fn columns(with_text: bool) -> String {
    let text = if with_text { "i.body_html" } else { "''" };
    format!("{COLUMNS}, {text} AS body_html")
}

/// Returns the column for an ordering and the type of its values.
fn compared(field: &str) -> (&'static str, KeyType) {
    match field {
        "name" => ("i.name", KeyType::Text),
        "date_starts" => ("o.starts_at", KeyType::Instant),
        _ => ("i.published_at", KeyType::Instant),
    }
}

/// Returns the type of an ordering's values.
pub(crate) fn key_type(field: &str) -> KeyType {
    compared(field).1
}

/// Returns a page, with an additional row if there is a next page.
#[sql("items.list")]
pub(crate) async fn list(
    pool: &PgPool,
    filter: &ItemFilter,
    page: &Page,
    with_text: bool,
    now: DateTime<Utc>,
) -> Result<Vec<ItemText>, sqlx::Error> {
    let (column, key) = compared(page.ordering.field);
    let keyset = Keyset::column(page, column, key, "i.id");
    let mut query = QueryBuilder::<Postgres>::new(columns(with_text));
    query.push(", o.starts_at, o.ends_at FROM ");
    // Skipped rows are only read from the ordering's index.
    let is_by_id = page.skip > 0;
    if is_by_id {
        query.push("(SELECT i.id, o.starts_at, o.ends_at FROM ");
    }
    from(&mut query, filter, now);
    narrow(&mut query, filter);
    push_keywords(&mut query, page, "i.name");
    keyset.push_page(&mut query, page);
    if is_by_id {
        query.push(") o JOIN items i ON i.id = o.id");
        keyset.push_order(&mut query);
    }
    // The best plan depends on how rare a word is, so this statement is planned for each query.
    let rows: Vec<ItemRow> = query
        .build_query_as()
        .persistent(page.keywords.is_none())
        .fetch_all(pool)
        .await?;
    Ok(rows.into_iter().map(ItemText::from).collect())
}

/// Appends the text after `FROM`: an event is joined with its first occurrence within the window, and omitted if it has
/// none; other items have no occurrences.
fn from(query: &mut QueryBuilder<Postgres>, filter: &ItemFilter, now: DateTime<Utc>) {
    if filter.kind == Kind::Event {
        query.push(
            "items i CROSS JOIN LATERAL (
            SELECT starts_at, ends_at FROM occurrences WHERE item_id = i.id AND ends_at > ",
        );
        query.push_bind(filter.from.unwrap_or(now));
        if let Some(to) = filter.to {
            query.push(" AND starts_at < ").push_bind(to);
        }
        query.push(" ORDER BY starts_at LIMIT 1) o");
    } else {
        query.push(
            "items i CROSS JOIN (SELECT NULL::timestamptz AS starts_at, NULL::timestamptz AS ends_at) o",
        );
    }
    query.push(" WHERE i.is_live");
    // A section implies an article, so the condition on `kind` is omitted: the section indexes do not contain that
    // column.
    if filter.section.is_none() || filter.kind != Kind::Article {
        query.push(" AND i.kind = ").push_bind(filter.kind.as_str());
    }
}

fn narrow(query: &mut QueryBuilder<Postgres>, filter: &ItemFilter) {
    let named = |slug: &str| json!([{ "slug": slug }]);
    if let Some(section) = &filter.section {
        query
            .push(" AND i.section <> '' AND i.section = ")
            .push_bind(section.clone());
    }
    if let Some(author) = &filter.author {
        query.push(" AND i.authors @> ").push_bind(named(author));
    }
    if let Some(tag) = &filter.tag {
        query.push(" AND i.tags @> ").push_bind(named(tag));
    }
    if let Some(category) = &filter.category {
        query.push(" AND i.category = ").push_bind(category.clone());
    }
    match &filter.neighbourhood {
        // The search keeps the current neighbourhood of every place.
        Some(neighbourhood) if filter.kind == Kind::Article => {
            query
                .push(
                    " AND i.id IN (SELECT p.item_id FROM item_places p
                      JOIN search_documents d ON d.kind = 'listing' AND d.id = p.listing_id
                      WHERE d.neighbourhood = ",
                )
                .push_bind(neighbourhood.clone())
                .push(")");
        }
        Some(neighbourhood) => {
            query
                .push(" AND i.neighbourhood = ")
                .push_bind(neighbourhood.clone());
        }
        None => {}
    }
    if let Some(listing_id) = filter.listing_id {
        query
            .push(" AND i.id IN (SELECT item_id FROM item_places WHERE listing_id = ")
            .push_bind(listing_id)
            .push(")");
    }
    if let Some(is_free) = filter.is_free {
        query.push(" AND i.is_free = ").push_bind(is_free);
    }
    if let Some(ids) = &filter.ids {
        query
            .push(" AND i.id = ANY(")
            .push_bind(ids.clone())
            .push(")");
    }
    if filter.kind != Kind::Event {
        if let Some(from) = filter.from {
            query.push(" AND i.published_at >= ").push_bind(from);
        }
        if let Some(to) = filter.to {
            query.push(" AND i.published_at < ").push_bind(to);
        }
    }
}

/// Returns the cursor after a page that ends with this item.
pub(crate) fn cursor(page: &Page, last: &ItemText) -> (String, i64) {
    let last = &last.item;
    let key = match page.ordering.field {
        "name" => last.name.clone(),
        "date_starts" => last
            .occurrence
            .map(|occurrence| instant::to_rfc3339(occurrence.starts_at))
            .unwrap_or_default(),
        _ => instant::to_rfc3339(last.published_at),
    };
    (key, last.id)
}

/// Returns the months with published articles in a time zone, latest first.
#[sql("items.months")]
pub(crate) async fn months(pool: &PgPool, zone: &str) -> Result<Vec<MonthCount>, sqlx::Error> {
    sqlx::query_as!(
        MonthCount,
        r#"SELECT extract(year FROM at)::integer AS "year!", extract(month FROM at)::integer AS "month!",
            count(*) AS "count!"
           FROM (SELECT published_at AT TIME ZONE $1 AS at FROM items WHERE kind = 'article' AND is_live) p
           GROUP BY 1, 2 ORDER BY 1 DESC, 2 DESC"#,
        zone,
    )
    .fetch_all(pool)
    .await
}

//! `listings` as visible to readers.

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::keyset::{Keyset, push_keywords},
    sql,
};
use chrono::{DateTime, NaiveDateTime, Utc};
use sqlx::{PgConnection, PgPool, Postgres, QueryBuilder};

use super::row::{COLUMNS, JOINS, ListingRow};

use crate::domain::{Listing, ListingDetail, ListingFilter};

/// Orderings of lists; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &[
    "-date_published",
    "-date_reviewed",
    "name",
    "rating",
    "distance",
];

/// Returns a place with all its fields.
#[sql("listings.find")]
pub(crate) async fn find(pool: &PgPool, id: i64) -> Result<Option<ListingDetail>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS.as_str());
    query.push(" FROM listings l").push(JOINS);
    query.push(" WHERE l.id = ").push_bind(id);
    let row: Option<ListingRow> = query.build_query_as().fetch_optional(pool).await?;
    Ok(row.map(ListingDetail::from))
}

/// Returns the public data of the places with these ids.
#[sql("listings.among")]
pub(crate) async fn among(pool: &PgPool, ids: &[i64]) -> Result<Vec<Listing>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS.as_str());
    query.push(" FROM listings l").push(JOINS);
    query
        .push(" WHERE l.id = ANY(")
        .push_bind(ids.to_vec())
        .push(")");
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(public).collect())
}

/// Returns the texts about the places with these ids, except places of age-restricted types.
#[sql("listings.texts")]
pub(crate) async fn texts(pool: &PgPool, ids: &[i64]) -> Result<Vec<(i64, String)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT l.id AS "id!", texts.body_html AS "body_html!"
           FROM listings l
           JOIN listing_types t ON t.id = l.type_id AND NOT t.is_age_restricted
           CROSS JOIN LATERAL (
               SELECT l.review_html AS body_html, NULL::timestamptz AS date_published
               UNION ALL
               SELECT e.text_html, b.date_published
               FROM best_of_entries e JOIN best_of_lists b ON b.id = e.list_id AND NOT b.is_withdrawn
               WHERE e.listing_id = l.id
           ) texts
           WHERE l.id = ANY($1) AND texts.body_html <> ''
           ORDER BY l.id, texts.date_published DESC NULLS FIRST"#,
        ids,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id, row.body_html))
        .collect())
}

/// Returns the public data of the places with these slugs or names.
#[sql("listings.named")]
pub(crate) async fn named(
    pool: &PgPool,
    slugs: &[String],
    names: &[String],
) -> Result<Vec<Listing>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS.as_str());
    query.push(" FROM listings l").push(JOINS);
    // A slug is unique among the places of a type, whose index begins with the type.
    query
        .push(
            " WHERE l.id IN (
            SELECT s.id FROM listing_types k JOIN listings s ON s.type_id = k.id AND s.slug = ANY(",
        )
        .push_bind(slugs.to_vec())
        .push(") UNION SELECT id FROM listings WHERE name = ANY(")
        .push_bind(names.to_vec())
        .push("))");
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(public).collect())
}

/// Returns the best open places of a neighbourhood: the places of best-of lists by their best rank, then the others by
/// votes.
#[sql("listings.best_of_neighbourhood")]
pub(crate) async fn best_of_neighbourhood(
    pool: &PgPool,
    neighbourhood_id: i64,
    limit: i64,
) -> Result<Vec<Listing>, sqlx::Error> {
    const ORDER: &str = " ORDER BY l.best_rank NULLS LAST, l.rating_rank DESC, l.id DESC";
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS.as_str());
    query
        .push(
            " FROM (SELECT * FROM (
            SELECT l.*, (
                SELECT min(e.rank) FROM best_of_entries e
                JOIN best_of_lists b ON b.id = e.list_id AND NOT b.is_withdrawn
                WHERE e.listing_id = l.id
            ) AS best_rank
            FROM listings l WHERE NOT l.is_closed AND l.neighbourhood_id = ",
        )
        .push_bind(neighbourhood_id)
        .push(") l")
        .push(ORDER)
        .push(" LIMIT ")
        .push_bind(limit)
        .push(") l")
        .push(JOINS)
        .push(ORDER);
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(public).collect())
}

/// Returns the public data of a place.
fn public(row: ListingRow) -> Listing {
    ListingDetail::from(row).public().listing
}

/// Returns the ids of places by source id.
#[sql("listings.of_sources")]
pub(crate) async fn of_sources(
    pool: &PgPool,
    source_ids: &[String],
) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT source_id, id FROM listings WHERE source_id = ANY($1)",
        source_ids
    );
    let rows = rows.fetch_all(pool).await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.source_id, row.id))
        .collect())
}

/// Returns the public data of similar places of the same type. Only the latest places are read from each index, so that
/// the cost does not depend on the number of places.
#[sql("listings.similar")]
pub(crate) async fn similar(
    pool: &PgPool,
    place: &Listing,
) -> Result<Vec<ListingDetail>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS.as_str());
    query.push(" FROM listings l").push(JOINS);
    query.push(" WHERE l.id IN (");
    let narrowed = [
        place
            .neighbourhood
            .as_ref()
            .map(|area| ("neighbourhood_id", Value::Id(area.id))),
        place
            .sub_type
            .as_ref()
            .map(|kind| ("sub_type_slug", Value::Slug(&kind.slug))),
        Some(("type_id", Value::Id(place.kind.id))),
    ];
    for (number, (column, value)) in narrowed.into_iter().flatten().enumerate() {
        query.push(if number == 0 { "(" } else { " UNION (" });
        query
            .push("SELECT id FROM listings WHERE NOT is_closed AND type_id = ")
            .push_bind(place.kind.id)
            .push(" AND id <> ")
            .push_bind(place.id)
            .push(format!(" AND {column} = "));
        match value {
            Value::Id(id) => query.push_bind(id),
            Value::Slug(slug) => query.push_bind(slug.to_owned()),
        };
        query
            .push(" ORDER BY date_published DESC, id DESC LIMIT ")
            .push_bind(SIMILAR_PER_INDEX)
            .push(")");
    }
    query.push(")");
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows
        .into_iter()
        .map(|row| ListingDetail::from(row).public())
        .collect())
}

/// Number of places read from each index.
const SIMILAR_PER_INDEX: i64 = 60;

enum Value<'a> {
    Id(i64),
    Slug(&'a str),
}

/// Returns the id of the place at this path.
#[sql("listings.id_at")]
pub(crate) async fn id_at(
    pool: &PgPool,
    type_slug: &str,
    slug: &str,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT l.id FROM listings l JOIN listing_types t ON t.id = l.type_id
         WHERE t.slug = $1 AND l.slug = $2",
        type_slug,
        slug,
    )
    .fetch_optional(pool)
    .await
}

/// Returns the column for an ordering and the type of its values.
fn compared(field: &str) -> (&'static str, KeyType) {
    match field {
        "name" => ("l.name", KeyType::Text),
        "date_reviewed" => ("l.review_date", KeyType::Date),
        "rating" => ("l.rating_rank", KeyType::Number),
        "distance" => ("l.location <-> cube(", KeyType::Number),
        _ => ("l.date_published", KeyType::Instant),
    }
}

/// Returns the type of an ordering's values.
pub(crate) fn key_type(field: &str) -> KeyType {
    compared(field).1
}

fn keyset(filter: &ListingFilter, page: &Page) -> Keyset {
    let (column, key) = compared(page.ordering.field);
    match filter.near {
        // The index can only be scanned from the nearest place: the farthest places from a point are the nearest to its
        // antipode.
        Some(near) if page.ordering.field == "distance" => {
            let sign = if page.ordering.descending { -1.0 } else { 1.0 };
            let point = near.on_unit_sphere().map(|axis| sign * axis);
            Keyset::distance(column, point.to_vec(), "l.id")
        }
        _ => Keyset::column(page, column, key, "l.id"),
    }
}

/// A place in a list, and the cursor after a page that ends with it.
pub(crate) struct Listed {
    pub(crate) listing: Listing,
    /// In a list of open places: whether it is open; `None` if its opening hours must be evaluated.
    pub(crate) is_open: Option<bool>,
    key: String,
}

impl Listed {
    fn new(row: ListingRow, field: &str) -> Self {
        let key = match field {
            "name" => row.columns.name.clone(),
            "date_reviewed" => row
                .columns
                .review_date
                .map(|date| date.to_string())
                .unwrap_or_default(),
            "rating" => row.rating_rank.to_string(),
            "distance" => row.chord.unwrap_or_default().to_string(),
            _ => instant::to_rfc3339(row.columns.date_published),
        };
        Self {
            is_open: row.is_open,
            listing: public(row),
            key,
        }
    }

    /// Returns the ordering's value and the id.
    pub(crate) fn cursor(&self) -> (String, i64) {
        (self.key.clone(), self.listing.id)
    }
}

/// Returns a page of public places, with an additional row if there is a next page. Ordering by review omits places
/// without a review. A list of open places includes places whose periods are not stored.
#[sql("listings.list")]
pub(crate) async fn list(
    pool: &PgPool,
    filter: &ListingFilter,
    page: &Page,
) -> Result<Vec<Listed>, sqlx::Error> {
    let keyset = keyset(filter, page);
    // The best plan depends on how rare a word is and how many places are open, so statements with either condition are
    // planned for each execution.
    let is_planned_once = page.keywords.is_none() && filter.open_at.is_none();
    let ids = if page.skip > 0 && filter.open_at.is_none() {
        Some(ids_after_skipped(pool, filter, page, &keyset).await?)
    } else {
        None
    };
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS.as_str());
    if keyset.is_distance() {
        query.push(", ");
        keyset.push_expression(&mut query);
        query.push(" AS chord");
    }
    if filter.open_at.is_some() {
        query.push(", l.is_open");
    }
    if let Some(ids) = ids {
        query.push(" FROM listings l").push(JOINS);
        query.push(" WHERE l.id = ANY(").push_bind(ids).push(")");
    } else {
        // Selects the page before the joins: in a single query with joins, the planner underestimates the number of
        // places with equal dates, which an import creates, and would read and sort them all.
        query.push(" FROM (");
        match filter.open_at {
            None => query.push("SELECT * FROM listings l"),
            Some(at) => push_open_at(&mut query, at),
        };
        query.push(" WHERE true");
        push_filter(&mut query, filter, page);
        keyset.push_page(&mut query, page);
        query.push(") l").push(JOINS);
    }
    keyset.push_order(&mut query);
    let rows: Vec<ListingRow> = query
        .build_query_as()
        .persistent(is_planned_once)
        .fetch_all(pool)
        .await?;
    let listed = rows
        .into_iter()
        .map(|row| Listed::new(row, page.ordering.field));
    Ok(listed.collect())
}

/// Returns the ids of a page after skipped rows, which are only read from the ordering's index. A separate statement,
/// because PostgreSQL plans statements with an offset each time, which is fast without joins.
async fn ids_after_skipped(
    pool: &PgPool,
    filter: &ListingFilter,
    page: &Page,
    keyset: &Keyset,
) -> Result<Vec<i64>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new("SELECT l.id FROM listings l WHERE true");
    push_filter(&mut query, filter, page);
    keyset.push_page(&mut query, page);
    query
        .build_query_scalar()
        .persistent(page.keywords.is_none())
        .fetch_all(pool)
        .await
}

/// Selects places and whether they are open, if their periods are stored.
fn push_open_at(
    query: &mut QueryBuilder<Postgres>,
    at: NaiveDateTime,
) -> &mut QueryBuilder<Postgres> {
    query
        .push("SELECT l.*, p.periods @> ")
        .push_bind(at)
        .push(
            " AS is_open FROM listings l
             LEFT JOIN open_periods p ON p.opening_hours = l.opening_hours AND p.covers @> ",
        )
        .push_bind(at)
}

fn push_filter(query: &mut QueryBuilder<Postgres>, filter: &ListingFilter, page: &Page) {
    if page.ordering.field == "date_reviewed" {
        query.push(" AND l.review_date IS NOT NULL");
    }
    if let Some(type_id) = filter.type_id {
        query.push(" AND l.type_id = ").push_bind(type_id);
    }
    if let Some(neighbourhood_id) = filter.neighbourhood_id {
        query
            .push(" AND l.neighbourhood_id = ")
            .push_bind(neighbourhood_id);
    }
    if let Some(slug) = &filter.sub_type_slug {
        query
            .push(" AND l.sub_type_slug = ")
            .push_bind(slug.clone());
    }
    if let Some(is_closed) = filter.is_closed {
        query.push(if is_closed {
            " AND l.is_closed"
        } else {
            " AND NOT l.is_closed"
        });
    }
    if let Some(reviewed) = filter.reviewed {
        query
            .push(" AND (l.review_date IS NOT NULL) = ")
            .push_bind(reviewed);
    }
    if let Some(at) = filter.open_at {
        query
            .push(" AND l.opening_hours IS NOT NULL AND NOT l.is_closed AND (p.periods @> ")
            .push_bind(at)
            .push(") IS NOT FALSE");
    }
    if filter.near.is_some() {
        query.push(" AND l.location IS NOT NULL");
    }
    if let Some(list_id) = filter.best_of_id {
        query
            .push(" AND l.id IN (SELECT listing_id FROM best_of_entries WHERE list_id = ")
            .push_bind(list_id)
            .push(")");
    }
    if let Some(ids) = &filter.ids {
        query
            .push(" AND l.id = ANY(")
            .push_bind(ids.clone())
            .push(")");
    }
    push_keywords(query, page, "l.name");
}

/// A place's summary for other services.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) date_published: DateTime<Utc>,
    pub(crate) version: i64,
}

/// Returns places after this id, ordered by id.
#[sql("listings.summaries")]
pub(crate) async fn summaries(
    pool: &PgPool,
    after: i64,
    limit: i64,
) -> Result<Vec<Summary>, sqlx::Error> {
    sqlx::query_as!(
        Summary,
        "SELECT id, name, date_published, version FROM listings WHERE id > $1 ORDER BY id LIMIT $2",
        after,
        limit,
    )
    .fetch_all(pool)
    .await
}

#[sql("listings.summaries_of")]
pub(crate) async fn summaries_of(
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Summary>, sqlx::Error> {
    sqlx::query_as!(
        Summary,
        "SELECT id, name, date_published, version FROM listings WHERE id = ANY($1)",
        ids,
    )
    .fetch_all(connection)
    .await
}

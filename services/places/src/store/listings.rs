//! `listings`: what readers see of places.

use chassis::{
    instant,
    paging::{self, Page},
};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};

use crate::domain::{
    Coordinates, Hours, Listing, ListingDetail, ListingFilter, ListingType, Neighbourhood, Review,
    SubType,
};

/// The fields a list can be ordered by; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_published", "-date_reviewed", "name"];

/// Every read of places begins alike.
const SELECT: &str =
    "SELECT l.id, l.slug, l.name, l.sub_type_slug, l.sub_type_name, l.address, l.phone,
        l.website, l.is_closed, l.image_url, l.latitude, l.longitude, l.dinesafe_establishment_id,
        l.opening_hours,
        l.date_published, l.review_html, l.review_author, l.review_date,
        t.id AS type_id, t.slug AS type_slug, t.name AS type_name,
        t.name_singular AS type_name_singular, t.is_food AS type_is_food,
        n.id AS neighbourhood_id, n.slug AS neighbourhood_slug, n.name AS neighbourhood_name
    FROM listings l
    JOIN listing_types t ON t.id = l.type_id
    LEFT JOIN neighbourhoods n ON n.id = l.neighbourhood_id";

#[derive(FromRow)]
struct ListingRow {
    id: i64,
    slug: String,
    name: String,
    sub_type_slug: Option<String>,
    sub_type_name: Option<String>,
    address: Option<String>,
    phone: Option<String>,
    website: Option<String>,
    is_closed: bool,
    image_url: Option<String>,
    latitude: Option<f64>,
    longitude: Option<f64>,
    dinesafe_establishment_id: Option<String>,
    opening_hours: Option<String>,
    date_published: DateTime<Utc>,
    review_html: Option<String>,
    review_author: Option<String>,
    review_date: Option<NaiveDate>,
    type_id: i64,
    type_slug: String,
    type_name: String,
    type_name_singular: String,
    type_is_food: bool,
    neighbourhood_id: Option<i64>,
    neighbourhood_slug: Option<String>,
    neighbourhood_name: Option<String>,
}

impl From<ListingRow> for ListingDetail {
    fn from(row: ListingRow) -> Self {
        let review = match (row.review_html, row.review_author, row.review_date) {
            (Some(html), Some(author), Some(date)) => Some(Review { html, author, date }),
            _ => None,
        };
        let neighbourhood = match (
            row.neighbourhood_id,
            row.neighbourhood_slug,
            row.neighbourhood_name,
        ) {
            (Some(id), Some(slug), Some(name)) => Some(Neighbourhood {
                id,
                slug,
                name,
                count: 0,
            }),
            _ => None,
        };
        let listing = Listing {
            id: row.id,
            slug: row.slug,
            name: row.name,
            kind: ListingType {
                id: row.type_id,
                slug: row.type_slug,
                name: row.type_name,
                name_singular: row.type_name_singular,
                is_food: row.type_is_food,
                count: 0,
            },
            sub_type: row
                .sub_type_slug
                .zip(row.sub_type_name)
                .map(|(slug, name)| SubType { slug, name }),
            neighbourhood,
            address: row.address,
            phone: row.phone,
            website: row.website,
            is_closed: row.is_closed,
            image_url: row.image_url,
            coordinates: row
                .latitude
                .zip(row.longitude)
                .map(|(latitude, longitude)| Coordinates {
                    latitude,
                    longitude,
                }),
            dinesafe_establishment_id: row.dinesafe_establishment_id,
            // What was checked when it was written reads again.
            opening_hours: row
                .opening_hours
                .and_then(|text| Hours::parse(&text).ok().flatten()),
            date_published: row.date_published,
        };
        Self { listing, review }
    }
}

/// One place.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.find", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn find(pool: &PgPool, id: i64) -> Result<Option<ListingDetail>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(SELECT);
    query.push(" WHERE l.id = ").push_bind(id);
    let row: Option<ListingRow> = query.build_query_as().fetch_optional(pool).await?;
    Ok(row.map(ListingDetail::from))
}

/// The places among these ids.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.among", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn among(pool: &PgPool, ids: &[i64]) -> Result<Vec<Listing>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(SELECT);
    query
        .push(" WHERE l.id = ANY(")
        .push_bind(ids.to_vec())
        .push(")");
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows
        .into_iter()
        .map(|row| ListingDetail::from(row).listing)
        .collect())
}

/// The id of a place by its path.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.id_at", otel.kind = "client", db.system.name = "postgresql"))]
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

/// What an ordering compares: its column, and the type that a cursor's text takes there.
fn compared(page: &Page) -> (&'static str, &'static str) {
    match page.ordering.field {
        "name" => ("l.name", "text"),
        "date_reviewed" => ("l.review_date", "date"),
        _ => ("l.date_published", "timestamptz"),
    }
}

/// One page, with one row more than its limit where there is a next page. Ordered by review, it holds
/// reviewed places alone.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.list", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn list(
    pool: &PgPool,
    filter: &ListingFilter,
    page: &Page,
) -> Result<Vec<ListingDetail>, sqlx::Error> {
    let (column, kind) = compared(page);
    let (than, direction) = if page.ordering.descending {
        ("<", "DESC")
    } else {
        (">", "ASC")
    };
    let mut query = QueryBuilder::<Postgres>::new(SELECT);
    query.push(format!(" WHERE {column} IS NOT NULL"));
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
        query.push(" AND l.is_closed = ").push_bind(is_closed);
    }
    if let Some(reviewed) = filter.reviewed {
        query
            .push(" AND (l.review_date IS NOT NULL) = ")
            .push_bind(reviewed);
    }
    if filter.open_in.is_some() {
        query.push(" AND l.opening_hours IS NOT NULL AND NOT l.is_closed");
    }
    if let Some(ids) = &filter.ids {
        query
            .push(" AND l.id = ANY(")
            .push_bind(ids.clone())
            .push(")");
    }
    if let Some(keywords) = &page.keywords {
        query
            .push(" AND l.name ILIKE ")
            .push_bind(paging::contains(keywords));
    }
    if let Some(after) = &page.after {
        query.push(format!(" AND ({column}, l.id) {than} ("));
        query
            .push_bind(after.key.clone())
            .push(format!("::{kind}, "));
        query.push_bind(after.id).push(")");
    }
    query.push(format!(
        " ORDER BY {column} {direction}, l.id {direction} LIMIT "
    ));
    query
        .push_bind(page.fetch())
        .push(" OFFSET ")
        .push_bind(i64::from(page.skip));
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(ListingDetail::from).collect())
}

/// Where a page that ends with this place goes on.
pub(crate) fn cursor(page: &Page, last: &ListingDetail) -> (String, i64) {
    let ListingDetail { listing, review } = last;
    let key = match page.ordering.field {
        "name" => listing.name.clone(),
        "date_reviewed" => review
            .as_ref()
            .map(|review| review.date.to_string())
            .unwrap_or_default(),
        _ => instant::to_rfc3339(listing.date_published),
    };
    (key, listing.id)
}

/// Whether a list that is ordered by a field can go on from this key.
pub(crate) fn is_key(field: &str, key: &str) -> bool {
    match field {
        "name" => true,
        "date_reviewed" => key
            .parse::<NaiveDate>()
            .is_ok_and(|date| date.year() > 0 && date.to_string() == key),
        _ => instant::from_rfc3339(key).is_some(),
    }
}

/// What others keep of a place.
#[derive(Debug)]
pub(crate) struct Summary {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) date_published: DateTime<Utc>,
    pub(crate) version: i64,
}

/// Places in the order of their ids, from after one of them on.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.summaries", otel.kind = "client", db.system.name = "postgresql"))]
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

//! `listings`: what readers see of places.

use chassis::{
    instant,
    paging::{self, Page},
};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool, Postgres, QueryBuilder};

use super::row::{COLUMNS, JOINS, ListingRow};

use crate::domain::{Coordinates, Listing, ListingDetail, ListingFilter};

/// The fields a list can be ordered by; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &[
    "-date_published",
    "-date_reviewed",
    "name",
    "rating",
    "distance",
];

/// One place, with all that is known of it.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.find", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn find(pool: &PgPool, id: i64) -> Result<Option<ListingDetail>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS);
    query.push(" FROM listings l").push(JOINS);
    query.push(" WHERE l.id = ").push_bind(id);
    let row: Option<ListingRow> = query.build_query_as().fetch_optional(pool).await?;
    Ok(row.map(ListingDetail::from))
}

/// The places among these ids, as the public sees them.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.among", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn among(pool: &PgPool, ids: &[i64]) -> Result<Vec<Listing>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS);
    query.push(" FROM listings l").push(JOINS);
    query
        .push(" WHERE l.id = ANY(")
        .push_bind(ids.to_vec())
        .push(")");
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows
        .into_iter()
        .map(|row| ListingDetail::from(row).public().listing)
        .collect())
}

/// Places of the same type that readers of a place may like too, as the public sees them: each index is
/// asked for its latest, so that it costs the same however many there are.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.akin", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn akin(
    pool: &PgPool,
    place: &Listing,
) -> Result<Vec<ListingDetail>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS);
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
            .push_bind(AKIN_OF_EACH)
            .push(")");
    }
    query.push(")");
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows
        .into_iter()
        .map(|row| ListingDetail::from(row).public())
        .collect())
}

/// Places that each index is asked for.
const AKIN_OF_EACH: i64 = 60;

enum Value<'a> {
    Id(i64),
    Slug(&'a str),
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

/// What an ordering compares: its column, the type that a cursor's text takes there, and whether it
/// runs down.
struct Walk {
    column: &'static str,
    kind: &'static str,
    /// Bound after the column, which it completes.
    target: Option<Vec<f64>>,
    descending: bool,
}

impl Walk {
    fn of(filter: &ListingFilter, page: &Page) -> Self {
        let descending = page.ordering.descending;
        let (column, kind) = match page.ordering.field {
            "name" => ("l.name", "text"),
            "date_reviewed" => ("l.review_date", "date"),
            "rating" => ("l.rating_rank", "float8"),
            // Only what is near can be walked by the index: the farthest from a point are the nearest
            // to the other end of the Earth.
            "distance" => {
                let at = filter.near.map(Coordinates::on_unit_sphere);
                let target = at.map(|at| at.map(|axis| if descending { -axis } else { axis }));
                return Self {
                    column: "l.location <-> cube(",
                    kind: "float8",
                    target: target.map(Vec::from),
                    descending: false,
                };
            }
            _ => ("l.date_published", "timestamptz"),
        };
        Self {
            column,
            kind,
            target: None,
            descending,
        }
    }

    fn push_column(&self, query: &mut QueryBuilder<Postgres>) {
        query.push(self.column);
        if let Some(target) = &self.target {
            query.push_bind(target.clone()).push(")");
        }
    }
}

/// A place of a list, and where a page that ends with it goes on.
pub(crate) struct Listed {
    pub(crate) listing: Listing,
    key: String,
}

impl Listed {
    fn new(row: ListingRow, field: &str) -> Self {
        let key = match field {
            "name" => row.name.clone(),
            "date_reviewed" => row
                .review_date
                .map(|date| date.to_string())
                .unwrap_or_default(),
            "rating" => row.rating_rank.to_string(),
            "distance" => row.chord.unwrap_or_default().to_string(),
            _ => instant::to_rfc3339(row.date_published),
        };
        let listing = ListingDetail::from(row).public().listing;
        Self { listing, key }
    }

    /// The ordering's value, and the id.
    pub(crate) fn cursor(&self) -> (String, i64) {
        (self.key.clone(), self.listing.id)
    }
}

/// One page, with one row more than its limit where there is a next page, as the public sees it. Ordered
/// by review, it holds reviewed places alone.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.list", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn list(
    pool: &PgPool,
    filter: &ListingFilter,
    page: &Page,
) -> Result<Vec<Listed>, sqlx::Error> {
    let walk = Walk::of(filter, page);
    let (than, direction) = if walk.descending {
        ("<", "DESC")
    } else {
        (">", "ASC")
    };
    let mut query = QueryBuilder::<Postgres>::new(COLUMNS);
    if walk.target.is_some() {
        query.push(", ");
        walk.push_column(&mut query);
        query.push(" AS chord");
    }
    // The page first, and what it shows then: joined in one go, places of one date, of which an import
    // makes many, look so few to the planner that it reads and sorts them all.
    query.push(" FROM (SELECT * FROM listings l WHERE true");
    push_filter(&mut query, filter, page);
    if let Some(after) = &page.after {
        query.push(" AND (");
        walk.push_column(&mut query);
        query.push(format!(", l.id) {than} ("));
        query
            .push_bind(after.key.clone())
            .push(format!("::{}, ", walk.kind));
        query.push_bind(after.id).push(")");
    }
    let push_order = |query: &mut QueryBuilder<Postgres>| {
        query.push(" ORDER BY ");
        walk.push_column(query);
        query.push(format!(" {direction}, l.id {direction}"));
    };
    push_order(&mut query);
    query
        .push(" LIMIT ")
        .push_bind(page.fetch())
        .push(" OFFSET ")
        .push_bind(i64::from(page.skip))
        .push(") l")
        .push(JOINS);
    push_order(&mut query);
    let rows: Vec<ListingRow> = query.build_query_as().fetch_all(pool).await?;
    let listed = rows
        .into_iter()
        .map(|row| Listed::new(row, page.ordering.field));
    Ok(listed.collect())
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
    if filter.open_in.is_some() {
        query.push(" AND l.opening_hours IS NOT NULL AND NOT l.is_closed");
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
    if let Some(keywords) = &page.keywords {
        query
            .push(" AND l.name ILIKE ")
            .push_bind(paging::contains(keywords));
    }
}

/// Whether a list that is ordered by a field can go on from this key.
pub(crate) fn is_key(field: &str, key: &str) -> bool {
    match field {
        "name" => true,
        "date_reviewed" => key
            .parse::<NaiveDate>()
            .is_ok_and(|date| date.year() > 0 && date.to_string() == key),
        "rating" | "distance" => key
            .parse::<f64>()
            .is_ok_and(|number| number.is_finite() && number.to_string() == key),
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

/// What others keep of some places.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "listings.summaries_of", otel.kind = "client", db.system.name = "postgresql"))]
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

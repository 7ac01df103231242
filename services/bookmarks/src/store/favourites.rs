//! `favourites`: who keeps which place. Every statement names the owner.

use chassis::{
    instant,
    paging::{self, Page},
};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection, PgPool, Postgres, QueryBuilder};

use crate::domain::Favourite;

/// The fields a list can be ordered by; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_created", "name"];

#[derive(FromRow)]
struct FavouriteRow {
    id: i64,
    listing_id: i64,
    created_at: DateTime<Utc>,
    name: String,
    is_available: bool,
}

impl From<FavouriteRow> for Favourite {
    fn from(row: FavouriteRow) -> Self {
        Self {
            id: row.id,
            listing_id: row.listing_id,
            created_at: row.created_at,
            listing_name: row.name,
            is_available: row.is_available,
        }
    }
}

/// A record's id and when it was made.
pub(crate) struct Record {
    pub(crate) id: i64,
    pub(crate) created_at: DateTime<Utc>,
}

/// Makes the record of a place that is known and available; `None` where it is not, or where the record
/// stands already. It waits for a parallel twin to commit or fail.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "favourites.insert", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile_id: i64,
    listing_id: i64,
    now: DateTime<Utc>,
) -> Result<Option<Record>, sqlx::Error> {
    sqlx::query_as!(
        Record,
        "INSERT INTO favourites (profile_id, listing_id, created_at)
         SELECT $1, id, $3 FROM listings WHERE id = $2 AND is_available
         ON CONFLICT (profile_id, listing_id) DO NOTHING
         RETURNING id, created_at",
        profile_id,
        listing_id,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// The record of a place.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "favourites.of_listing", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn of_listing(
    pool: &PgPool,
    profile_id: i64,
    listing_id: i64,
) -> Result<Option<Record>, sqlx::Error> {
    sqlx::query_as!(
        Record,
        "SELECT id, created_at FROM favourites WHERE profile_id = $1 AND listing_id = $2",
        profile_id,
        listing_id,
    )
    .fetch_optional(pool)
    .await
}

/// Removes the owner's record; answers whether there was one.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "favourites.delete", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn delete(
    connection: &mut PgConnection,
    profile_id: i64,
    id: i64,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "DELETE FROM favourites WHERE profile_id = $1 AND id = $2",
        profile_id,
        id
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// One entry of the map from listing to record.
pub(crate) struct MapEntry {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
}

/// The whole map.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "favourites.map", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn map(pool: &PgPool, profile_id: i64) -> Result<Vec<MapEntry>, sqlx::Error> {
    sqlx::query_as!(
        MapEntry,
        "SELECT id, listing_id FROM favourites WHERE profile_id = $1 ORDER BY id",
        profile_id
    )
    .fetch_all(pool)
    .await
}

/// One page of the list, with one row more than its limit where there is a next page.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "favourites.list", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn list(
    pool: &PgPool,
    profile_id: i64,
    page: &Page,
) -> Result<Vec<Favourite>, sqlx::Error> {
    let column = if page.ordering.field == "name" {
        "l.name"
    } else {
        "f.created_at"
    };
    let (than, direction) = if page.ordering.descending {
        ("<", "DESC")
    } else {
        (">", "ASC")
    };
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT f.id, f.listing_id, f.created_at, l.name, l.is_available
         FROM favourites f JOIN listings l ON l.id = f.listing_id
         WHERE f.profile_id = ",
    );
    query.push_bind(profile_id);
    if let Some(keywords) = &page.keywords {
        query
            .push(" AND l.name ILIKE ")
            .push_bind(paging::contains(keywords));
    }
    if let Some(after) = &page.after {
        query.push(format!(" AND ({column}, f.id) {than} ("));
        query.push_bind(after.key.clone());
        // The key travels as text and takes the column's type here.
        query.push(if column == "l.name" {
            "::text, "
        } else {
            "::timestamptz, "
        });
        query.push_bind(after.id).push(")");
    }
    query.push(format!(
        " ORDER BY {column} {direction}, f.id {direction} LIMIT "
    ));
    query
        .push_bind(page.fetch())
        .push(" OFFSET ")
        .push_bind(i64::from(page.skip));
    let rows: Vec<FavouriteRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(Favourite::from).collect())
}

/// Where a page that ends with this item goes on.
pub(crate) fn cursor(page: &Page, last: &Favourite) -> (String, i64) {
    let key = match page.ordering.field {
        "name" => last.listing_name.clone(),
        _ => instant::to_rfc3339(last.created_at),
    };
    (key, last.id)
}

/// Whether a list that is ordered by a field can go on from this key.
pub(crate) fn is_key(field: &str, key: &str) -> bool {
    field == "name" || instant::from_rfc3339(key).is_some()
}

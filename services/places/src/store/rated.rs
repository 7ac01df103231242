//! Lists and maps of a reader's votes.

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::keyset::{Keyset, push_keywords},
    sql,
};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};
use vocabulary::saved::Kind;

use crate::domain::{MapEntry, Rating};

/// Orderings of lists; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date_created", "name"];

/// A vote in a list, with the name of its place.
#[derive(Debug, FromRow)]
pub(crate) struct RatedRow {
    id: i64,
    listing_id: i64,
    rating: i16,
    date_created: DateTime<Utc>,
    is_counted: bool,
    /// Name of the place.
    pub(crate) name: String,
}

impl RatedRow {
    pub(crate) fn rating(&self) -> Rating {
        Rating {
            id: self.id,
            listing_id: self.listing_id,
            stars: self.rating,
            date_created: self.date_created,
            is_counted: self.is_counted,
        }
    }
}

struct MapRow {
    id: i64,
    listing_id: i64,
    stars: i16,
    stamped_at: Option<DateTime<Utc>>,
}

/// Returns all of a reader's votes, and the stamp of the ratings from the same snapshot; the stamp is `None` if there
/// are no votes.
#[sql("ratings.map")]
pub(crate) async fn map(
    pool: &PgPool,
    profile_id: i64,
) -> Result<(Vec<MapEntry>, Option<DateTime<Utc>>), sqlx::Error> {
    // A single statement saves a round trip to the database.
    let rows = sqlx::query_as!(
        MapRow,
        "SELECT id, listing_id, rating AS stars,
             (SELECT at FROM stamps WHERE profile_id = $1 AND kind = $2) AS stamped_at
         FROM ratings WHERE profile_id = $1 ORDER BY id",
        profile_id,
        Kind::Ratings.name(),
    )
    .fetch_all(pool)
    .await?;
    let stamped_at = rows.first().and_then(|row| row.stamped_at);
    let entries = rows.into_iter().map(|row| MapEntry {
        id: row.id,
        listing_id: row.listing_id,
        stars: row.stars,
    });
    Ok((entries.collect(), stamped_at))
}

/// Returns a page of a reader's votes, with an additional row if there is a next page.
#[sql("ratings.list")]
pub(crate) async fn list(
    pool: &PgPool,
    profile_id: i64,
    page: &Page,
) -> Result<Vec<RatedRow>, sqlx::Error> {
    let (column, key) = compared(page.ordering.field);
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT r.id, r.listing_id, r.rating, r.date_created, r.is_counted, l.name
         FROM ratings r JOIN listings l ON l.id = r.listing_id WHERE r.profile_id = ",
    );
    query.push_bind(profile_id);
    push_keywords(&mut query, page, "l.name");
    Keyset::column(page, column, key, "r.id").push_page(&mut query, page);
    // The best plan depends on how rare a word is, so this statement is planned for each query.
    query
        .build_query_as()
        .persistent(page.keywords.is_none())
        .fetch_all(pool)
        .await
}

/// Returns the column for an ordering and the type of its values.
fn compared(field: &str) -> (&'static str, KeyType) {
    match field {
        "name" => ("l.name", KeyType::Text),
        _ => ("r.date_created", KeyType::Instant),
    }
}

/// Returns the type of an ordering's values.
pub(crate) fn key_type(field: &str) -> KeyType {
    compared(field).1
}

/// Returns the cursor after a page that ends with this vote.
pub(crate) fn cursor(page: &Page, last: &RatedRow) -> (String, i64) {
    let key = match page.ordering.field {
        "name" => last.name.clone(),
        _ => instant::to_rfc3339(last.date_created),
    };
    (key, last.id)
}

/// A stored vote with the name of its place, for an export.
pub(crate) struct ExportedVote {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) listing_name: String,
    pub(crate) rating: i16,
    pub(crate) date_created: DateTime<Utc>,
    pub(crate) is_counted: bool,
    /// Network that the vote came from; `None` after this information has been deleted.
    pub(crate) network: Option<String>,
    /// Hour in which the account was created; `None` after this information has been deleted.
    pub(crate) account_hour: Option<String>,
}

/// Returns a reader's votes after this id, ordered by id.
#[sql("ratings.export")]
pub(crate) async fn export(
    pool: &PgPool,
    profile_id: i64,
    after: i64,
    most: i64,
) -> Result<Vec<ExportedVote>, sqlx::Error> {
    sqlx::query_as!(
        ExportedVote,
        "SELECT r.id, r.listing_id, l.name AS listing_name, r.rating, r.date_created, r.is_counted, r.network,
             r.account_hour
         FROM ratings r JOIN listings l ON l.id = r.listing_id
         WHERE r.profile_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3",
        profile_id,
        after,
        most,
    )
    .fetch_all(pool)
    .await
}

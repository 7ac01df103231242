//! The table `photos`: one row per photo, from its upload until its deletion.

use chassis::{
    instant,
    paging::{KeyType, Page},
    postgres::keyset::Keyset,
    sql,
};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool, Postgres, QueryBuilder};
use uuid::Uuid;

use super::row::{COLUMNS, PhotoRow};
use crate::domain::{NewPhoto, Photo, Picture, Status, Suspicion};

/// The orderings of published photos; the first is the default.
pub(crate) const PUBLISHED_ORDERINGS: &[&str] = &["-date_published"];
/// The orderings of a reader's own photos.
pub(crate) const OWN_ORDERINGS: &[&str] = &["-date_created"];

/// The type of the values by which photos are ordered.
pub(crate) fn key_type(_: &str) -> KeyType {
    KeyType::Instant
}

/// The cursor of the page that follows a published photo.
pub(crate) fn published_cursor(photo: &Photo) -> (String, i64) {
    (
        photo
            .published_at
            .map(instant::to_rfc3339)
            .unwrap_or_default(),
        photo.id,
    )
}

/// The cursor of the page that follows one of the reader's own photos.
pub(crate) fn own_cursor(photo: &Photo) -> (String, i64) {
    (instant::to_rfc3339(photo.created_at), photo.id)
}

/// A page of published photos, of one place or of all places that are not age-restricted.
#[sql("photos.list")]
pub(crate) async fn list(
    pool: &PgPool,
    listing_id: Option<i64>,
    page: &Page,
) -> Result<Vec<Photo>, sqlx::Error> {
    let mut query = begin();
    query.push(
        "p.status = 'published' AND NOT EXISTS (SELECT FROM restricted_listings r WHERE r.listing_id = p.listing_id)",
    );
    if let Some(listing_id) = listing_id {
        query.push(" AND p.listing_id = ").push_bind(listing_id);
    }
    fetch(pool, query, "p.published_at", page).await
}

/// A page of a reader's own photos, or of the reader's photos with the given ids.
#[sql("photos.list_own")]
pub(crate) async fn list_own(
    pool: &PgPool,
    profile_id: i64,
    ids: &[i64],
    page: &Page,
) -> Result<Vec<Photo>, sqlx::Error> {
    let mut query = begin();
    query.push("p.profile_id = ").push_bind(profile_id);
    if !ids.is_empty() {
        query.push(" AND p.id = ANY(").push_bind(ids.to_vec());
        query.push(")");
    }
    fetch(pool, query, "p.created_at", page).await
}

/// Begins a query that selects a page's photos before joining the uploaders: with the join in a single query, the
/// planner underestimates the number of a place's photos, and reads and sorts them all.
fn begin() -> QueryBuilder<Postgres> {
    QueryBuilder::new(format!(
        "SELECT {COLUMNS} FROM (SELECT * FROM photos p WHERE "
    ))
}

/// Completes the query, and reads a page of photos ordered by a column.
async fn fetch(
    pool: &PgPool,
    mut query: QueryBuilder<Postgres>,
    column: &'static str,
    page: &Page,
) -> Result<Vec<Photo>, sqlx::Error> {
    let keyset = Keyset::column(page, column, KeyType::Instant, "p.id");
    keyset.push_page(&mut query, page);
    query.push(") p JOIN uploaders u USING (profile_id)");
    keyset.push_order(&mut query);
    let rows: Vec<PhotoRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows.into_iter().map(Photo::from).collect())
}

/// The photos that await review, oldest first.
#[sql("photos.waiting")]
pub(crate) async fn waiting(pool: &PgPool, limit: i64) -> Result<Vec<Photo>, sqlx::Error> {
    let rows = sqlx::query_as!(
        PhotoRow,
        "SELECT p.*, u.full_name, u.avatar FROM (
             SELECT id, profile_id, listing_id, status, suspicion, reason, description, credit, licence, name, incoming,
                 width, height, thumbhash, created_at, published_at
             FROM photos WHERE status = 'waiting' ORDER BY created_at, id LIMIT $1
         ) p JOIN uploaders u USING (profile_id) ORDER BY p.created_at, p.id",
        limit,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(Photo::from).collect())
}

/// The photo with this id.
#[sql("photos.find")]
pub(crate) async fn find(
    database: impl PgExecutor<'_>,
    id: i64,
) -> Result<Option<Photo>, sqlx::Error> {
    let row = sqlx::query_as!(
        PhotoRow,
        "SELECT p.id, p.profile_id, p.listing_id, p.status, p.suspicion, p.reason, p.description, p.credit, p.licence,
             p.name, p.incoming, p.width, p.height, p.thumbhash, p.created_at, p.published_at, u.full_name,
             u.avatar
         FROM photos p JOIN uploaders u USING (profile_id) WHERE p.id = $1",
        id,
    )
    .fetch_optional(database)
    .await?;
    Ok(row.map(Photo::from))
}

/// The number of a place's published photos that are listed before a given photo, newest first.
#[sql("photos.count_before")]
pub(crate) async fn count_before(
    pool: &PgPool,
    listing_id: i64,
    published_at: DateTime<Utc>,
    id: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM photos
         WHERE status = 'published' AND listing_id = $1 AND (published_at, id) > ($2, $3)"#,
        listing_id,
        published_at,
        id,
    )
    .fetch_one(pool)
    .await
}

/// Inserts a photo whose sizes are to be made; `None` if the reader has already uploaded the same file for the place.
#[sql("photos.insert")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    profile_id: i64,
    new: &NewPhoto,
    digest: &[u8],
    [name, incoming]: [Uuid; 2],
    now: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO photos (profile_id, listing_id, digest, status, description, credit, licence, name, incoming, created_at)
         VALUES ($1, $2, $3, 'processing', $4, $5, $6, $7, $8, $9)
         ON CONFLICT (profile_id, listing_id, digest) DO NOTHING RETURNING id",
        profile_id,
        new.listing_id,
        digest,
        new.description,
        new.credit,
        new.licence.as_str(),
        name,
        incoming,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// The reader's photo of a place with this file digest.
#[sql("photos.find_same")]
pub(crate) async fn find_same(
    connection: &mut PgConnection,
    profile_id: i64,
    listing_id: i64,
    digest: &[u8],
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM photos WHERE profile_id = $1 AND listing_id = $2 AND digest = $3",
        profile_id,
        listing_id,
        digest,
    )
    .fetch_optional(connection)
    .await
}

/// Locks a photo until the transaction ends; returns its status, uploader, place and texts.
#[sql("photos.lock")]
pub(crate) async fn lock(
    connection: &mut PgConnection,
    id: i64,
) -> Result<Option<Locked>, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT profile_id, listing_id, status, name, incoming, width, description, credit FROM photos WHERE id = $1
         FOR UPDATE",
        id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| Locked {
        id,
        profile_id: row.profile_id,
        listing_id: row.listing_id,
        status: Status::named(&row.status).unwrap_or(Status::Refused),
        name: row.name,
        incoming: row.incoming,
        is_made: row.width.is_some(),
        texts: [row.description, row.credit],
    }))
}

/// A locked photo.
#[derive(Debug)]
pub(crate) struct Locked {
    pub(crate) id: i64,
    pub(crate) profile_id: i64,
    pub(crate) listing_id: i64,
    pub(crate) status: Status,
    pub(crate) name: Uuid,
    pub(crate) incoming: Option<Uuid>,
    /// Whether the sizes are made.
    pub(crate) is_made: bool,
    /// The description and the credit.
    pub(crate) texts: [String; 2],
}

/// Stores the properties of a locked photo's picture after its sizes were made.
#[sql("photos.made")]
pub(crate) async fn made(
    connection: &mut PgConnection,
    id: i64,
    picture: &Picture,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE photos SET width = $2, height = $3, thumbhash = $4, incoming = NULL WHERE id = $1",
        id,
        picture.width,
        picture.height,
        picture.thumbhash,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Publishes a locked photo.
#[sql("photos.publish")]
pub(crate) async fn publish(
    connection: &mut PgConnection,
    id: i64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE photos SET status = 'published', published_at = $2, suspicion = NULL, reason = '', refused_at = NULL
         WHERE id = $1",
        id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Sets a locked photo to await review.
#[sql("photos.hold")]
pub(crate) async fn hold(
    connection: &mut PgConnection,
    id: i64,
    suspicion: Suspicion,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE photos SET status = 'waiting', published_at = NULL, suspicion = $2 WHERE id = $1",
        id,
        suspicion.as_str(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Refuses a locked photo.
#[sql("photos.refuse")]
pub(crate) async fn refuse(
    connection: &mut PgConnection,
    id: i64,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE photos SET status = 'refused', published_at = NULL, reason = $2, refused_at = $3, incoming = NULL
         WHERE id = $1",
        id,
        reason,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes a locked photo.
#[sql("photos.delete")]
pub(crate) async fn delete(connection: &mut PgConnection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM photos WHERE id = $1", id)
        .execute(connection)
        .await?;
    Ok(())
}

/// Photos that were refused before an instant.
#[sql("photos.refused_before")]
pub(crate) async fn refused_before(
    pool: &PgPool,
    before: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM photos WHERE status = 'refused' AND refused_at < $1 ORDER BY refused_at LIMIT $2",
        before,
        limit,
    )
    .fetch_all(pool)
    .await
}

/// The received files among these that are still needed to make a photo or an avatar.
#[sql("photos.still_needed")]
pub(crate) async fn still_needed(
    pool: &PgPool,
    incoming: &[Uuid],
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT incoming AS "incoming!" FROM photos WHERE incoming = ANY($1)
         UNION ALL SELECT avatar_incoming FROM uploaders WHERE avatar_incoming = ANY($1)"#,
        incoming,
    )
    .fetch_all(pool)
    .await
}

/// A reader's photos with one of these statuses, ordered by id.
#[sql("photos.ids_of_reader")]
pub(crate) async fn ids_of_reader(
    database: impl PgExecutor<'_>,
    profile_id: i64,
    statuses: &[Status],
    limit: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    let statuses: Vec<&str> = statuses.iter().map(|status| status.as_str()).collect();
    sqlx::query_scalar!(
        "SELECT id FROM photos WHERE profile_id = $1 AND status = ANY($2) ORDER BY id LIMIT $3",
        profile_id,
        &statuses as &[&str],
        limit,
    )
    .fetch_all(database)
    .await
}

/// The places of a reader's published photos.
#[sql("photos.places_of_reader")]
pub(crate) async fn places_of_reader(
    connection: &mut PgConnection,
    profile_id: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT DISTINCT listing_id FROM photos WHERE profile_id = $1 AND status = 'published' ORDER BY listing_id",
        profile_id,
    )
    .fetch_all(connection)
    .await
}

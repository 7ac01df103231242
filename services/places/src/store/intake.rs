//! What imports write of places.

use chassis::intake::Outcome;
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{FromRow, PgConnection};

use crate::domain::{Coordinates, ListingProposal, first_free};

/// No record has this id.
const NOBODY: i64 = 0;

/// One import at a time: it counts lists anew and chooses free slugs.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "intake.lock", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn lock(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('places.import', 0))")
        .execute(connection)
        .await?;
    Ok(())
}

/// A place as it stands, in the columns that an import decides.
#[derive(FromRow)]
struct Stored {
    type_id: i64,
    slug: String,
    name: String,
    sub_type_slug: Option<String>,
    sub_type_name: Option<String>,
    neighbourhood_id: Option<i64>,
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
}

impl Stored {
    fn difference(&self, wanted: &Self) -> Vec<&'static str> {
        chassis::difference!(Stored, *self, wanted, {
            type_id: "type",
            slug: "slug",
            name: "name",
            sub_type_slug: "sub_type",
            sub_type_name: "sub_type",
            neighbourhood_id: "neighbourhood",
            address: "address",
            phone: "phone",
            website: "website",
            is_closed: "is_closed",
            image_url: "picture",
            latitude: "latitude",
            longitude: "longitude",
            dinesafe_establishment_id: "dinesafe_establishment_id",
            opening_hours: "opening_hours",
            date_published: "published",
            review_html: "review",
            review_author: "review_author",
            review_date: "review_date",
        })
    }
}

/// What became of a place, and what others should hear of it.
pub(crate) struct Taken {
    pub(crate) id: i64,
    pub(crate) version: i64,
    pub(crate) outcome: Outcome,
    pub(crate) date_published: DateTime<Utc>,
}

/// Makes or changes a place. A slug once given stays, unless another is asked for or the type
/// changes.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "intake.keep", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    proposal: &ListingProposal,
    type_id: i64,
    neighbourhood_id: Option<i64>,
    now: DateTime<Utc>,
) -> Result<Taken, sqlx::Error> {
    let there = find(&mut *connection, &proposal.source_id).await?;
    let slug = match &there {
        Some((_, _, stored))
            if stored.type_id == type_id
                && proposal
                    .slug
                    .as_ref()
                    .is_none_or(|asked| *asked == stored.slug) =>
        {
            stored.slug.clone()
        }
        _ => {
            let own_id = there.as_ref().map_or(NOBODY, |(id, ..)| *id);
            free_slug(&mut *connection, type_id, &proposal.base_slug(), own_id).await?
        }
    };
    let first_published = there
        .as_ref()
        .map_or(now, |(_, _, stored)| stored.date_published);
    let wanted = stored_form(proposal, type_id, neighbourhood_id, slug, first_published);
    let Some((id, version, stored)) = there else {
        return insert(connection, &proposal.source_id, &wanted).await;
    };
    let outcome = Outcome::of_difference(stored.difference(&wanted));
    let version = match outcome {
        Outcome::Unchanged => version,
        _ => update(connection, id, &wanted).await?,
    };
    Ok(Taken {
        id,
        version,
        outcome,
        date_published: wanted.date_published,
    })
}

fn stored_form(
    proposal: &ListingProposal,
    type_id: i64,
    neighbourhood_id: Option<i64>,
    slug: String,
    first_published: DateTime<Utc>,
) -> Stored {
    let proposal = proposal.clone();
    let (sub_type_slug, sub_type_name) = proposal
        .sub_type
        .map(|sub_type| (sub_type.slug, sub_type.name))
        .unzip();
    let (latitude, longitude) = proposal
        .coordinates
        .map(|at| (at.latitude, at.longitude))
        .unzip();
    let (review_html, author_and_date) = proposal
        .review
        .map(|review| (review.html, (review.author, review.date)))
        .unzip();
    let (review_author, review_date) = author_and_date.unzip();
    Stored {
        type_id,
        slug,
        name: proposal.name,
        sub_type_slug,
        sub_type_name,
        neighbourhood_id,
        address: proposal.address,
        phone: proposal.phone,
        website: proposal.website,
        is_closed: proposal.is_closed,
        image_url: proposal.image_url,
        latitude,
        longitude,
        dinesafe_establishment_id: proposal.dinesafe_establishment_id,
        opening_hours: proposal
            .opening_hours
            .map(|hours| hours.as_str().to_owned()),
        date_published: proposal.date_published.unwrap_or(first_published),
        review_html,
        review_author,
        review_date,
    }
}

async fn find(
    connection: &mut PgConnection,
    source_id: &str,
) -> Result<Option<(i64, i64, Stored)>, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT id, version, type_id, slug, name, sub_type_slug, sub_type_name, neighbourhood_id,
                address, phone, website, is_closed, image_url, latitude, longitude,
                dinesafe_establishment_id, opening_hours, date_published, review_html, review_author,
                review_date
         FROM listings WHERE source_id = $1",
        source_id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| {
        let stored = Stored {
            type_id: row.type_id,
            slug: row.slug,
            name: row.name,
            sub_type_slug: row.sub_type_slug,
            sub_type_name: row.sub_type_name,
            neighbourhood_id: row.neighbourhood_id,
            address: row.address,
            phone: row.phone,
            website: row.website,
            is_closed: row.is_closed,
            image_url: row.image_url,
            latitude: row.latitude,
            longitude: row.longitude,
            dinesafe_establishment_id: row.dinesafe_establishment_id,
            opening_hours: row.opening_hours,
            date_published: row.date_published,
            review_html: row.review_html,
            review_author: row.review_author,
            review_date: row.review_date,
        };
        (row.id, row.version, stored)
    }))
}

async fn insert(
    connection: &mut PgConnection,
    source_id: &str,
    wanted: &Stored,
) -> Result<Taken, sqlx::Error> {
    let row = sqlx::query!(
        "INSERT INTO listings (source_id, type_id, slug, name, sub_type_slug, sub_type_name,
            neighbourhood_id, address, phone, website, is_closed, image_url, latitude, longitude,
            dinesafe_establishment_id, date_published, review_html, review_author, review_date,
            opening_hours)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
            $20)
         RETURNING id, version",
        source_id,
        wanted.type_id,
        wanted.slug,
        wanted.name,
        wanted.sub_type_slug.as_deref(),
        wanted.sub_type_name.as_deref(),
        wanted.neighbourhood_id,
        wanted.address.as_deref(),
        wanted.phone.as_deref(),
        wanted.website.as_deref(),
        wanted.is_closed,
        wanted.image_url.as_deref(),
        wanted.latitude,
        wanted.longitude,
        wanted.dinesafe_establishment_id.as_deref(),
        wanted.date_published,
        wanted.review_html.as_deref(),
        wanted.review_author.as_deref(),
        wanted.review_date,
        wanted.opening_hours.as_deref(),
    )
    .fetch_one(connection)
    .await?;
    let date_published = wanted.date_published;
    Ok(Taken {
        id: row.id,
        version: row.version,
        outcome: Outcome::Created,
        date_published,
    })
}

async fn update(
    connection: &mut PgConnection,
    id: i64,
    wanted: &Stored,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE listings SET type_id = $2, slug = $3, name = $4, sub_type_slug = $5,
            sub_type_name = $6, neighbourhood_id = $7, address = $8, phone = $9, website = $10,
            is_closed = $11, image_url = $12, latitude = $13, longitude = $14,
            dinesafe_establishment_id = $15, date_published = $16, review_html = $17,
            review_author = $18, review_date = $19, opening_hours = $20, version = version + 1
         WHERE id = $1 RETURNING version",
        id,
        wanted.type_id,
        wanted.slug,
        wanted.name,
        wanted.sub_type_slug.as_deref(),
        wanted.sub_type_name.as_deref(),
        wanted.neighbourhood_id,
        wanted.address.as_deref(),
        wanted.phone.as_deref(),
        wanted.website.as_deref(),
        wanted.is_closed,
        wanted.image_url.as_deref(),
        wanted.latitude,
        wanted.longitude,
        wanted.dinesafe_establishment_id.as_deref(),
        wanted.date_published,
        wanted.review_html.as_deref(),
        wanted.review_author.as_deref(),
        wanted.review_date,
        wanted.opening_hours.as_deref(),
    )
    .fetch_one(connection)
    .await
}

/// The first free slug for a place; what it holds itself is free to it. A long slug is cut to make room
/// for its number, so what is looked for begins like it rather than with the whole of it.
async fn free_slug(
    connection: &mut PgConnection,
    type_id: i64,
    base: &str,
    own_id: i64,
) -> Result<String, sqlx::Error> {
    let taken = sqlx::query_scalar!(
        "SELECT slug FROM listings
         WHERE type_id = $1 AND starts_with(slug, left($2, 60)) AND id <> $3",
        type_id,
        base,
        own_id,
    )
    .fetch_all(connection)
    .await?;
    Ok(first_free(base, |slug| {
        taken.iter().any(|taken| taken == slug)
    }))
}

/// Where a place stands and to which neighbourhood it is said to belong.
pub(crate) struct Standing {
    pub(crate) id: i64,
    pub(crate) at: Coordinates,
    pub(crate) neighbourhood_id: Option<i64>,
}

/// Every place that has a position.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "intake.standing", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn standing(connection: &mut PgConnection) -> Result<Vec<Standing>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT id, latitude AS "latitude!", longitude AS "longitude!", neighbourhood_id
           FROM listings WHERE latitude IS NOT NULL"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Standing {
            id: row.id,
            at: Coordinates {
                latitude: row.latitude,
                longitude: row.longitude,
            },
            neighbourhood_id: row.neighbourhood_id,
        })
        .collect())
}

/// Moves places to other neighbourhoods, after boundaries have changed; answers them as they are now.
#[tracing::instrument(name = "sql", skip_all, fields(otel.name = "intake.reassign", otel.kind = "client", db.system.name = "postgresql"))]
pub(crate) async fn reassign(
    connection: &mut PgConnection,
    moves: &[(i64, Option<i64>)],
) -> Result<Vec<Moved>, sqlx::Error> {
    let (ids, neighbourhoods): (Vec<i64>, Vec<Option<i64>>) = moves.iter().copied().unzip();
    sqlx::query_as!(
        Moved,
        "UPDATE listings l SET neighbourhood_id = m.neighbourhood_id, version = l.version + 1
         FROM unnest($1::bigint[], $2::bigint[]) AS m (id, neighbourhood_id)
         WHERE l.id = m.id
         RETURNING l.id, l.name, l.date_published, l.version",
        &ids,
        &neighbourhoods as &[Option<i64>],
    )
    .fetch_all(connection)
    .await
}

/// A place that has moved to another neighbourhood.
pub(crate) struct Moved {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) date_published: DateTime<Utc>,
    pub(crate) version: i64,
}

//! Writes of imports.

use std::collections::HashMap;

use chassis::{intake::Outcome, sql};
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{FromRow, PgConnection};

use super::slugs::Slugs;
use crate::domain::{Coordinates, ListingProposal};

/// The id and the version of a place that is about to be made.
const NOT_YET: i64 = 0;

/// One import at a time, because it recounts lists and chooses free slugs.
#[sql("intake.lock")]
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

/// The outcome of a place, and its summary if it is to be announced.
pub(crate) struct Taken {
    pub(crate) id: i64,
    pub(crate) version: i64,
    pub(crate) outcome: Outcome,
    pub(crate) date_published: DateTime<Utc>,
}

/// A place that is to stand, with what its names of other things mean here.
pub(crate) struct Wanted {
    pub(crate) proposal: ListingProposal,
    pub(crate) type_id: i64,
    pub(crate) neighbourhood_id: Option<i64>,
}

/// Makes or changes places, each of another source id, in their order. A slug once given stays, unless
/// another is asked for or the type changes. Places are read and made together; what stands is changed
/// at once and one by one, so that a slug that one leaves is free for the next.
#[sql("intake.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    slugs: &mut Slugs,
    places: &[Wanted],
    now: DateTime<Utc>,
) -> Result<Vec<Taken>, sqlx::Error> {
    let mut there = find(&mut *connection, places).await?;
    let there: Vec<_> = places
        .iter()
        .map(|place| there.remove(&place.proposal.source_id))
        .collect();
    let bases: Vec<_> = places
        .iter()
        .zip(&there)
        .filter(|(place, there)| kept_slug(place, there.as_ref()).is_none())
        .map(|(place, _)| (place.type_id, place.proposal.base_slug()))
        .collect();
    slugs.look(&mut *connection, &bases).await?;

    let mut taken = Vec::with_capacity(places.len());
    let mut new = Vec::new();
    for (number, (place, there)) in places.iter().zip(there).enumerate() {
        let slug = slug(&mut *connection, slugs, place, there.as_ref()).await?;
        let first_published = there.as_ref().map_or(now, |one| one.stored.date_published);
        let wanted = stored_form(place, slug, first_published);
        if let Some(there) = there {
            taken.push(change(&mut *connection, slugs, there, &wanted, now).await?);
            continue;
        }
        slugs.give(wanted.type_id, &wanted.slug, None);
        taken.push(Taken {
            id: NOT_YET,
            version: NOT_YET,
            outcome: Outcome::Created,
            date_published: wanted.date_published,
        });
        new.push((number, &place.proposal.source_id, wanted));
    }
    for (number, (id, version)) in insert(connection, &new).await? {
        taken[number].id = id;
        taken[number].version = version;
    }
    Ok(taken)
}

/// The slug that a place is to have.
async fn slug(
    connection: &mut PgConnection,
    slugs: &mut Slugs,
    place: &Wanted,
    there: Option<&There>,
) -> Result<String, sqlx::Error> {
    if let Some(slug) = kept_slug(place, there) {
        return Ok(slug.to_owned());
    }
    let base = place.proposal.base_slug();
    let own_id = there.map(|there| there.id);
    slugs.free(connection, place.type_id, &base, own_id).await
}

/// Changes a place that stands, where it differs.
async fn change(
    connection: &mut PgConnection,
    slugs: &mut Slugs,
    there: There,
    wanted: &Stored,
    now: DateTime<Utc>,
) -> Result<Taken, sqlx::Error> {
    let There {
        id,
        mut version,
        stored,
    } = there;
    let outcome = Outcome::of_difference(stored.difference(wanted));
    if outcome != Outcome::Unchanged {
        slugs.release(stored.type_id, &stored.slug);
        slugs.give(wanted.type_id, &wanted.slug, Some(id));
        version = update(connection, id, wanted, now).await?;
    }
    Ok(Taken {
        id,
        version,
        outcome,
        date_published: wanted.date_published,
    })
}

/// The slug that a place has and keeps.
fn kept_slug<'a>(place: &Wanted, there: Option<&'a There>) -> Option<&'a str> {
    let stored = &there?.stored;
    let asked = place.proposal.slug.as_ref();
    let is_kept =
        stored.type_id == place.type_id && asked.is_none_or(|asked| *asked == stored.slug);
    is_kept.then_some(&stored.slug)
}

fn stored_form(place: &Wanted, slug: String, first_published: DateTime<Utc>) -> Stored {
    let Wanted {
        proposal,
        type_id,
        neighbourhood_id,
    } = place;
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
        type_id: *type_id,
        slug,
        name: proposal.name,
        sub_type_slug,
        sub_type_name,
        neighbourhood_id: *neighbourhood_id,
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

/// A place as it stands.
struct There {
    id: i64,
    version: i64,
    stored: Stored,
}

/// Those that stand already, by source id.
async fn find(
    connection: &mut PgConnection,
    places: &[Wanted],
) -> Result<HashMap<String, There>, sqlx::Error> {
    let source_ids: Vec<&str> = places
        .iter()
        .map(|place| place.proposal.source_id.as_str())
        .collect();
    let rows = sqlx::query!(
        "SELECT source_id, id, version, type_id, slug, name, sub_type_slug, sub_type_name,
                neighbourhood_id, address, phone, website, is_closed, image_url, latitude, longitude,
                dinesafe_establishment_id, opening_hours, date_published, review_html, review_author,
                review_date
         FROM listings WHERE source_id = ANY($1)",
        &source_ids as _,
    )
    .fetch_all(connection)
    .await?;
    let there = rows.into_iter().map(|row| {
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
        let (id, version) = (row.id, row.version);
        (
            row.source_id,
            There {
                id,
                version,
                stored,
            },
        )
    });
    Ok(there.collect())
}

/// Makes places, in their order; answers where each stands in the batch, its id and its version.
async fn insert(
    connection: &mut PgConnection,
    new: &[(usize, &String, Stored)],
) -> Result<Vec<(usize, (i64, i64))>, sqlx::Error> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let column = |value: fn(&Stored) -> Option<&str>| -> Vec<Option<&str>> {
        new.iter().map(|(_, _, stored)| value(stored)).collect()
    };
    let source_ids: Vec<&str> = new.iter().map(|(_, source, _)| source.as_str()).collect();
    let number = |value: fn(&Stored) -> Option<f64>| -> Vec<Option<f64>> {
        new.iter().map(|(_, _, stored)| value(stored)).collect()
    };
    let types: Vec<i64> = new.iter().map(|(.., stored)| stored.type_id).collect();
    let areas: Vec<Option<i64>> = new
        .iter()
        .map(|(.., stored)| stored.neighbourhood_id)
        .collect();
    let closed: Vec<bool> = new.iter().map(|(.., stored)| stored.is_closed).collect();
    let published: Vec<DateTime<Utc>> = new
        .iter()
        .map(|(.., stored)| stored.date_published)
        .collect();
    let reviewed: Vec<Option<NaiveDate>> =
        new.iter().map(|(.., stored)| stored.review_date).collect();
    let rows = sqlx::query!(
        "INSERT INTO listings (source_id, type_id, slug, name, sub_type_slug, sub_type_name,
            neighbourhood_id, address, phone, website, is_closed, image_url, latitude, longitude,
            dinesafe_establishment_id, date_published, review_html, review_author, review_date,
            opening_hours)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
            $7::bigint[], $8::text[], $9::text[], $10::text[], $11::boolean[], $12::text[],
            $13::double precision[], $14::double precision[], $15::text[], $16::timestamptz[],
            $17::text[], $18::text[], $19::date[], $20::text[])
         RETURNING source_id, id, version",
        &source_ids as _,
        &types,
        &column(|place| Some(&place.slug)) as _,
        &column(|place| Some(&place.name)) as _,
        &column(|place| place.sub_type_slug.as_deref()) as _,
        &column(|place| place.sub_type_name.as_deref()) as _,
        &areas as _,
        &column(|place| place.address.as_deref()) as _,
        &column(|place| place.phone.as_deref()) as _,
        &column(|place| place.website.as_deref()) as _,
        &closed,
        &column(|place| place.image_url.as_deref()) as _,
        &number(|place| place.latitude) as _,
        &number(|place| place.longitude) as _,
        &column(|place| place.dinesafe_establishment_id.as_deref()) as _,
        &published,
        &column(|place| place.review_html.as_deref()) as _,
        &column(|place| place.review_author.as_deref()) as _,
        &reviewed as _,
        &column(|place| place.opening_hours.as_deref()) as _,
    )
    .fetch_all(connection)
    .await?;
    let mut made: HashMap<String, (i64, i64)> = rows
        .into_iter()
        .map(|row| (row.source_id, (row.id, row.version)))
        .collect();
    let ids = new.iter();
    Ok(ids
        .filter_map(|(place, source_id, _)| Some((*place, made.remove(*source_id)?)))
        .collect())
}

async fn update(
    connection: &mut PgConnection,
    id: i64,
    wanted: &Stored,
    now: DateTime<Utc>,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE listings SET type_id = $2, slug = $3, name = $4, sub_type_slug = $5,
            sub_type_name = $6, neighbourhood_id = $7, address = $8, phone = $9, website = $10,
            is_closed = $11, image_url = $12, latitude = $13, longitude = $14,
            dinesafe_establishment_id = $15, date_published = $16, review_html = $17,
            review_author = $18, review_date = $19, opening_hours = $20, changed_at = $21,
            version = version + 1
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
        now,
    )
    .fetch_one(connection)
    .await
}

/// Where a place stands and to which neighbourhood it is said to belong.
pub(crate) struct BucketState {
    pub(crate) id: i64,
    pub(crate) at: Coordinates,
    pub(crate) neighbourhood_id: Option<i64>,
}

/// Every place that has a position.
#[sql("intake.standing")]
pub(crate) async fn standing(
    connection: &mut PgConnection,
) -> Result<Vec<BucketState>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT id, latitude AS "latitude!", longitude AS "longitude!", neighbourhood_id
           FROM listings WHERE latitude IS NOT NULL"#
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| BucketState {
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
#[sql("intake.reassign")]
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

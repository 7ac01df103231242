//! Database writes of imports.

use std::{collections::HashMap, sync::LazyLock};

use chassis::{intake::Outcome, postgres::Columns as _, sql};
use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, FromRow, PgConnection, Postgres, QueryBuilder};
use vocabulary::position::Coordinates;

use super::{columns::Columns, listings::Summary, moved, slugs::Slugs};
use crate::domain::{ListingProposal, Review};

/// Id and version of a place that is not stored yet.
const NOT_YET: i64 = 0;

/// The outcome of a place, and its current summary.
pub(crate) struct Taken {
    pub(crate) summary: Summary,
    pub(crate) outcome: Outcome,
}

/// A place to store, with other objects identified by their ids.
pub(crate) struct Wanted {
    pub(crate) proposal: ListingProposal,
    pub(crate) type_id: i64,
    pub(crate) neighbourhood_id: Option<i64>,
}

/// Creates or changes places with different source ids, in order. A slug is kept unless another is requested or the
/// type changes. Places are read and created together; stored places are changed one at a time, so that a released slug
/// is available to the next place.
#[sql("intake.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    slugs: &mut Slugs,
    places: &[Wanted],
    now: DateTime<Utc>,
) -> Result<Vec<Taken>, sqlx::Error> {
    let mut existing = find(&mut *connection, places).await?;
    let existing: Vec<_> = places
        .iter()
        .map(|place| existing.remove(&place.proposal.source_id))
        .collect();
    let bases: Vec<_> = places
        .iter()
        .zip(&existing)
        .filter(|(place, existing)| kept_slug(place, existing.as_ref()).is_none())
        .map(|(place, _)| (place.type_id, place.proposal.base_slug()))
        .collect();
    slugs.look(&mut *connection, &bases).await?;

    let mut taken = Vec::with_capacity(places.len());
    let mut new = Vec::new();
    for (number, (place, existing)) in places.iter().zip(existing).enumerate() {
        let slug = slug(&mut *connection, slugs, place, existing.as_ref()).await?;
        let first_published = existing
            .as_ref()
            .map_or(now, |one| one.columns.date_published);
        let wanted = columns(place, slug, first_published);
        if let Some(existing) = existing {
            taken.push(change(&mut *connection, slugs, existing, &wanted, now).await?);
            continue;
        }
        slugs.give(wanted.type_id, &wanted.slug, None);
        taken.push(Taken {
            summary: summary(NOT_YET, NOT_YET, &wanted),
            outcome: Outcome::Created,
        });
        new.push((number, place.proposal.source_id.as_str(), wanted));
    }
    for (number, made) in insert(connection, &new).await? {
        let Taken { summary, .. } = &mut taken[number];
        (summary.id, summary.version) = (made.id, made.version);
    }
    Ok(taken)
}

fn summary(id: i64, version: i64, columns: &Columns) -> Summary {
    Summary {
        id,
        name: columns.name.clone(),
        date_published: columns.date_published,
        version,
    }
}

async fn slug(
    connection: &mut PgConnection,
    slugs: &mut Slugs,
    place: &Wanted,
    existing: Option<&Existing>,
) -> Result<String, sqlx::Error> {
    if let Some(slug) = kept_slug(place, existing) {
        return Ok(slug.to_owned());
    }
    let base = place.proposal.base_slug();
    let own_id = existing.map(|existing| existing.id);
    slugs.free(connection, place.type_id, &base, own_id).await
}

/// Changes a stored place if it differs.
async fn change(
    connection: &mut PgConnection,
    slugs: &mut Slugs,
    existing: Existing,
    wanted: &Columns,
    now: DateTime<Utc>,
) -> Result<Taken, sqlx::Error> {
    let Existing {
        id,
        mut version,
        columns,
        ..
    } = existing;
    let outcome = Outcome::of_difference(columns.difference(wanted));
    if outcome != Outcome::Unchanged {
        if (columns.type_id, &columns.slug) != (wanted.type_id, &wanted.slug) {
            slugs.release(columns.type_id, &columns.slug);
            slugs.give(wanted.type_id, &wanted.slug, Some(id));
            moved::keep(&mut *connection, (columns.type_id, &columns.slug), id).await?;
        }
        version = update(connection, id, wanted, now).await?;
    }
    let summary = summary(id, version, wanted);
    Ok(Taken { summary, outcome })
}

/// Returns the slug that a stored place keeps; `None` if the slug changes.
fn kept_slug<'a>(place: &Wanted, existing: Option<&'a Existing>) -> Option<&'a str> {
    let columns = &existing?.columns;
    let asked = place.proposal.slug.as_ref();
    let is_kept =
        columns.type_id == place.type_id && asked.is_none_or(|asked| *asked == columns.slug);
    is_kept.then_some(&columns.slug)
}

fn columns(place: &Wanted, slug: String, first_published: DateTime<Utc>) -> Columns {
    let proposal = place.proposal.clone();
    let (sub_type_slug, sub_type_name) = proposal
        .sub_type
        .map(|sub_type| (sub_type.slug, sub_type.name))
        .unzip();
    let (latitude, longitude) = proposal
        .coordinates
        .map(|at| (at.latitude, at.longitude))
        .unzip();
    let review_line = proposal.review.as_ref().and_then(Review::line);
    let (review_html, author_and_date) = proposal
        .review
        .map(|review| (review.html, (review.author, review.date)))
        .unzip();
    let (review_author, review_date) = author_and_date.unzip();
    Columns {
        type_id: place.type_id,
        slug,
        name: proposal.name,
        sub_type_slug,
        sub_type_name,
        neighbourhood_id: place.neighbourhood_id,
        latitude,
        longitude,
        opening_hours: proposal
            .opening_hours
            .map(|hours| hours.as_str().to_owned()),
        date_published: proposal.date_published.unwrap_or(first_published),
        review_html,
        review_author,
        review_date,
        review_line,
        facts: proposal.facts,
    }
}

/// A stored place.
#[derive(FromRow)]
struct Existing {
    source_id: String,
    id: i64,
    version: i64,
    #[sqlx(flatten)]
    columns: Columns,
}

/// Returns the stored places by source id.
async fn find(
    connection: &mut PgConnection,
    places: &[Wanted],
) -> Result<HashMap<String, Existing>, sqlx::Error> {
    let source_ids = places
        .iter()
        .map(|place| place.proposal.source_id.as_str())
        .collect::<Vec<_>>();
    let mut query = QueryBuilder::<Postgres>::new("SELECT source_id, id, version, ");
    query
        .push(Columns::list(""))
        .push(" FROM listings WHERE source_id = ANY(")
        .push_bind(source_ids)
        .push(")");
    let rows: Vec<Existing> = query.build_query_as().fetch_all(connection).await?;
    let existing = rows.into_iter().map(|row| (row.source_id.clone(), row));
    Ok(existing.collect())
}

/// A newly created place.
#[derive(FromRow)]
struct Made {
    source_id: String,
    id: i64,
    version: i64,
}

/// Creates places in order; returns each with its number in the batch.
async fn insert(
    connection: &mut PgConnection,
    new: &[(usize, &str, Columns)],
) -> Result<Vec<(usize, Made)>, sqlx::Error> {
    if new.is_empty() {
        return Ok(Vec::new());
    }
    let source_ids: Vec<&str> = new.iter().map(|(_, source_id, _)| *source_id).collect();
    let columns: Vec<&Columns> = new.iter().map(|(.., columns)| columns).collect();
    let mut query = QueryBuilder::<Postgres>::new("INSERT INTO listings (source_id, ");
    query
        .push(Columns::list(""))
        .push(") SELECT * FROM unnest(")
        .push_bind(source_ids)
        .push(", ");
    Columns::bind_arrays(&mut query, &columns);
    query.push(") RETURNING source_id, id, version");
    let rows: Vec<Made> = query.build_query_as().fetch_all(connection).await?;
    let numbers: HashMap<&str, usize> = new
        .iter()
        .map(|(number, source_id, _)| (*source_id, *number))
        .collect();
    let made = rows
        .into_iter()
        .filter_map(|row| Some((*numbers.get(row.source_id.as_str())?, row)));
    Ok(made.collect())
}

/// The `UPDATE` statement, built once because an import may run it for every place.
static UPDATE: LazyLock<String> = LazyLock::new(|| {
    let [id, now] = Columns::following();
    format!(
        "UPDATE listings SET {}, changed_at = {now}, version = version + 1
         WHERE id = {id} RETURNING version",
        Columns::assigned()
    )
});

async fn update(
    connection: &mut PgConnection,
    id: i64,
    wanted: &Columns,
    now: DateTime<Utc>,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar_with(AssertSqlSafe(UPDATE.as_str()), wanted.arguments()?)
        .bind(id)
        .bind(now)
        .fetch_one(connection)
        .await
}

/// The position of a place, and its stored neighbourhood.
pub(crate) struct Standing {
    pub(crate) id: i64,
    pub(crate) at: Coordinates,
    pub(crate) neighbourhood_id: Option<i64>,
}

/// Returns all places with a position.
#[sql("intake.standing")]
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

/// Moves places to other neighbourhoods after boundary changes; returns their current summaries.
#[sql("intake.reassign")]
pub(crate) async fn reassign(
    connection: &mut PgConnection,
    moves: &[(i64, Option<i64>)],
) -> Result<Vec<Summary>, sqlx::Error> {
    let (ids, neighbourhoods): (Vec<i64>, Vec<Option<i64>>) = moves.iter().copied().unzip();
    sqlx::query_as!(
        Summary,
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

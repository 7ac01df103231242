//! `listing_types`: types of places.

use std::collections::HashMap;

use chassis::{intake::Outcome, sql};
use sqlx::{PgConnection, PgPool};

use crate::domain::{ListingType, TypeProposal};

/// Returns all types, ordered by name.
#[sql("types.all")]
pub(crate) async fn all(pool: &PgPool) -> Result<Vec<ListingType>, sqlx::Error> {
    sqlx::query_as!(
        ListingType,
        r#"SELECT t.id, t.slug, t.name, t.name_singular, t.is_food, t.is_age_restricted,
                  coalesce(c.count, 0) AS "count!"
           FROM listing_types t
           LEFT JOIN listing_counts c ON c.type_id = t.id AND c.neighbourhood_id = 0
           ORDER BY t.name COLLATE "und-x-icu", t.id"#
    )
    .fetch_all(pool)
    .await
}

/// Returns the id of the type with this slug.
#[sql("types.id_of")]
pub(crate) async fn id_of(pool: &PgPool, slug: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!("SELECT id FROM listing_types WHERE slug = $1", slug)
        .fetch_optional(pool)
        .await
}

/// Creates or changes a type.
#[sql("types.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    proposal: &TypeProposal,
) -> Result<Outcome, sqlx::Error> {
    let there = sqlx::query_as!(
        TypeProposal,
        "SELECT slug, name, name_singular, is_food, is_age_restricted FROM listing_types WHERE slug = $1",
        proposal.slug,
    )
    .fetch_optional(&mut *connection)
    .await?;
    let outcome = there.map_or(Outcome::Created, |there| {
        Outcome::of_difference(chassis::difference!(TypeProposal, there, proposal, {
            slug: "slug",
            name: "name",
            name_singular: "name_singular",
            is_food: "is_food",
            is_age_restricted: "is_age_restricted",
        }))
    });
    if outcome == Outcome::Unchanged {
        return Ok(outcome);
    }
    sqlx::query!(
        "INSERT INTO listing_types (slug, name, name_singular, is_food, is_age_restricted)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (slug) DO UPDATE
         SET name = excluded.name, name_singular = excluded.name_singular, is_food = excluded.is_food,
             is_age_restricted = excluded.is_age_restricted",
        proposal.slug,
        proposal.name,
        proposal.name_singular,
        proposal.is_food,
        proposal.is_age_restricted,
    )
    .execute(connection)
    .await?;
    Ok(outcome)
}

/// Returns the ids of types by slug, for an import.
#[sql("types.ids")]
pub(crate) async fn ids(
    connection: &mut PgConnection,
) -> Result<HashMap<String, i64>, sqlx::Error> {
    let rows = sqlx::query!("SELECT slug, id FROM listing_types")
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| (row.slug, row.id)).collect())
}

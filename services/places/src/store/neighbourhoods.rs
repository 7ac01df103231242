//! `neighbourhoods`: names and boundaries.

use chassis::{intake::Outcome, sql};
use serde_json::Value;
use sqlx::{PgConnection, PgPool};

use crate::domain::{Neighbourhood, NeighbourhoodProposal, Portrait};

/// An id that is never used.
const NOBODY: i64 = 0;

/// Columns of a neighbourhood that an import writes.
struct Stored<'a> {
    slug: &'a str,
    name: &'a str,
    boundary: &'a Value,
    intro_html: &'a str,
}

/// Returns all neighbourhoods, ordered by name.
#[sql("neighbourhoods.all")]
pub(crate) async fn all(pool: &PgPool) -> Result<Vec<Neighbourhood>, sqlx::Error> {
    sqlx::query_as!(
        Neighbourhood,
        r#"SELECT n.id, n.slug, n.name, coalesce(c.count, 0) AS "count!"
           FROM neighbourhoods n
           LEFT JOIN listing_counts c ON c.neighbourhood_id = n.id AND c.type_id = 0
           ORDER BY n.name, n.id"#
    )
    .fetch_all(pool)
    .await
}

/// Returns a neighbourhood with its boundary and its text.
#[sql("neighbourhoods.find")]
pub(crate) async fn find(pool: &PgPool, slug: &str) -> Result<Option<Portrait>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT n.id, n.slug, n.name, n.boundary, n.intro_html, coalesce(c.count, 0) AS "count!"
           FROM neighbourhoods n
           LEFT JOIN listing_counts c ON c.neighbourhood_id = n.id AND c.type_id = 0
           WHERE n.slug = $1"#,
        slug,
    )
    .fetch_optional(pool)
    .await?;
    Ok(row.map(|row| Portrait {
        area: Neighbourhood {
            id: row.id,
            slug: row.slug,
            name: row.name,
            count: row.count,
        },
        boundary: row.boundary,
        intro_html: row.intro_html,
    }))
}

/// Returns the id of the neighbourhood with this slug.
#[sql("neighbourhoods.id_of")]
pub(crate) async fn id_of(pool: &PgPool, slug: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!("SELECT id FROM neighbourhoods WHERE slug = $1", slug)
        .fetch_optional(pool)
        .await
}

/// Returns all boundaries by neighbourhood id.
#[sql("neighbourhoods.boundaries")]
pub(crate) async fn boundaries(
    connection: &mut PgConnection,
) -> Result<Vec<(i64, Value)>, sqlx::Error> {
    let rows = sqlx::query!("SELECT id, boundary FROM neighbourhoods")
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.boundary)).collect())
}

/// Creates or changes a neighbourhood. Its slug is kept unless another is requested.
#[sql("neighbourhoods.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    proposal: &NeighbourhoodProposal,
) -> Result<Outcome, sqlx::Error> {
    let there = sqlx::query!(
        "SELECT id, slug, name, boundary, intro_html FROM neighbourhoods WHERE source_id = $1",
        proposal.source_id,
    )
    .fetch_optional(&mut *connection)
    .await?;
    if let Some(there) = there {
        let slug = match &proposal.slug {
            Some(asked) if *asked != there.slug => {
                free_slug(&mut *connection, asked, there.id).await?
            }
            _ => there.slug.clone(),
        };
        let stored = Stored {
            slug: &there.slug,
            name: &there.name,
            boundary: &there.boundary,
            intro_html: &there.intro_html,
        };
        let wanted = Stored {
            slug: &slug,
            name: &proposal.name,
            boundary: &proposal.boundary,
            intro_html: &proposal.intro_html,
        };
        let outcome = Outcome::of_difference(chassis::difference!(Stored, stored, wanted, {
            slug: "slug",
            name: "name",
            boundary: "boundary",
            intro_html: "text",
        }));
        if outcome == Outcome::Unchanged {
            return Ok(outcome);
        }
        sqlx::query!(
            "UPDATE neighbourhoods SET slug = $2, name = $3, boundary = $4, intro_html = $5 WHERE id = $1",
            there.id,
            slug,
            proposal.name,
            proposal.boundary,
            proposal.intro_html,
        )
        .execute(connection)
        .await?;
        return Ok(outcome);
    }
    let made = chassis::slug::from_name(&proposal.name);
    let base = proposal
        .slug
        .as_deref()
        .unwrap_or(if made.is_empty() { "area" } else { &made });
    let slug = free_slug(&mut *connection, base, NOBODY).await?;
    sqlx::query!(
        "INSERT INTO neighbourhoods (source_id, slug, name, boundary, intro_html) VALUES ($1, $2, $3, $4, $5)",
        proposal.source_id,
        slug,
        proposal.name,
        proposal.boundary,
        proposal.intro_html,
    )
    .execute(connection)
    .await?;
    Ok(Outcome::Created)
}

/// Returns the first free slug for a neighbourhood; its own slug counts as free. A long slug is truncated to leave room
/// for its number.
async fn free_slug(
    connection: &mut PgConnection,
    base: &str,
    own_id: i64,
) -> Result<String, sqlx::Error> {
    let taken = sqlx::query_scalar!(
        "SELECT slug FROM neighbourhoods WHERE starts_with(slug, left($1, 60)) AND id <> $2",
        base,
        own_id,
    )
    .fetch_all(connection)
    .await?;
    Ok(crate::domain::first_free(base, |slug| {
        taken.iter().any(|taken| taken == slug)
    }))
}

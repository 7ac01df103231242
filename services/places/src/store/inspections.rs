//! `inspections`, and the places of their establishments.

use chassis::{
    intake::Outcome,
    paging::{KeyType, Page},
    postgres::keyset::Keyset,
    sql,
};
use chrono::NaiveDate;
use sqlx::{FromRow, PgConnection, PgPool, Postgres, QueryBuilder, types::Json};
use vocabulary::position::Coordinates;

use crate::domain::{DecisionProposal, Establishment, Infraction, Inspection};

/// Orderings of lists; the first is the default.
pub(crate) const ORDERINGS: &[&str] = &["-date"];
/// The type of the ordering's values.
pub(crate) const KEY: KeyType = KeyType::Date;

/// Condition for places that are inspected and not age-restricted.
const INSPECTED: &str = "t.is_food AND NOT t.is_age_restricted";

#[derive(FromRow)]
struct Row {
    id: i64,
    date: NaiveDate,
    outcome: String,
    infractions: Json<Vec<Infraction>>,
}

/// Returns the number of a place's inspections; `None` if the place does not exist.
#[sql("inspections.count")]
pub(crate) async fn count(pool: &PgPool, listing_id: i64) -> Result<Option<i64>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT (SELECT count(*) FROM inspections i JOIN establishments e ON e.id = i.establishment_id
                 WHERE e.listing_id = l.id AND ",
    );
    query
        .push(INSPECTED)
        .push(") FROM listings l JOIN listing_types t ON t.id = l.type_id WHERE l.id = ")
        .push_bind(listing_id);
    query.build_query_scalar().fetch_optional(pool).await
}

/// Returns a page of a place's inspections, with an additional row if there is a next page.
#[sql("inspections.list")]
pub(crate) async fn list(
    pool: &PgPool,
    listing_id: i64,
    page: &Page,
) -> Result<Vec<Inspection>, sqlx::Error> {
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT i.id, i.date, i.outcome, i.infractions
         FROM establishments e JOIN inspections i ON i.establishment_id = e.id
            JOIN listings l ON l.id = e.listing_id JOIN listing_types t ON t.id = l.type_id
         WHERE ",
    );
    query
        .push(INSPECTED)
        .push(" AND e.listing_id = ")
        .push_bind(listing_id);
    Keyset::column(page, "i.date", KEY, "i.id").push_page(&mut query, page);
    let rows: Vec<Row> = query.build_query_as().fetch_all(pool).await?;
    let inspections = rows.into_iter().map(|row| Inspection {
        id: row.id,
        date: row.date,
        outcome: row.outcome,
        infractions: row.infractions.0,
    });
    Ok(inspections.collect())
}

fn coordinates(latitude: Option<f64>, longitude: Option<f64>) -> Option<Coordinates> {
    latitude
        .zip(longitude)
        .map(|(latitude, longitude)| Coordinates {
            latitude,
            longitude,
        })
}

/// Returns at most `most` establishments after an id, ordered by id.
#[sql("inspections.establishments")]
pub(crate) async fn establishments(
    connection: &mut PgConnection,
    after: &str,
    most: i64,
) -> Result<Vec<Establishment>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT id, name, address, latitude, longitude FROM establishments
         WHERE id > $1 ORDER BY id LIMIT $2",
        after,
        most,
    )
    .fetch_all(connection)
    .await?;
    let found = rows.into_iter().map(|row| Establishment {
        id: row.id,
        name: row.name,
        address: row.address,
        coordinates: coordinates(row.latitude, row.longitude),
    });
    Ok(found.collect())
}

/// Returns people's decisions: establishment, place and whether they are the same.
#[sql("inspections.decisions")]
pub(crate) async fn decisions(
    connection: &mut PgConnection,
) -> Result<Vec<(String, i64, bool)>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT establishment_id, listing_id, is_same FROM match_decisions ORDER BY 1, 2"
    )
    .fetch_all(connection)
    .await?;
    let decisions = rows.into_iter();
    Ok(decisions
        .map(|row| (row.establishment_id, row.listing_id, row.is_same))
        .collect())
}

/// Stores a decision; `None` if the place does not exist.
#[sql("inspections.decide")]
pub(crate) async fn decide(
    connection: &mut PgConnection,
    decision: &DecisionProposal,
) -> Result<Option<Outcome>, sqlx::Error> {
    let place = sqlx::query!(
        r#"SELECT l.id, (SELECT is_same FROM match_decisions d
                         WHERE d.establishment_id = $1 AND d.listing_id = l.id) AS before
           FROM listings l WHERE l.source_id = $2"#,
        decision.establishment_id,
        decision.listing_source_id,
    )
    .fetch_optional(&mut *connection)
    .await?;
    let Some(place) = place else { return Ok(None) };
    let outcome = match place.before {
        None => Outcome::Created,
        Some(before) if before == decision.is_same => return Ok(Some(Outcome::Unchanged)),
        Some(_) => Outcome::Changed(vec!["same"]),
    };
    sqlx::query!(
        "INSERT INTO match_decisions (establishment_id, listing_id, is_same) VALUES ($1, $2, $3)
         ON CONFLICT (establishment_id, listing_id) DO UPDATE SET is_same = excluded.is_same",
        decision.establishment_id,
        place.id,
        decision.is_same,
    )
    .execute(connection)
    .await?;
    Ok(Some(outcome))
}

/// Replaces all links between establishments and places; returns the places whose links have changed.
#[sql("inspections.link")]
pub(crate) async fn link(
    connection: &mut PgConnection,
    import: i64,
    links: &[(String, i64)],
) -> Result<Vec<i64>, sqlx::Error> {
    let (ids, listing_ids): (Vec<String>, Vec<i64>) = links.iter().cloned().unzip();
    sqlx::query_scalar!(
        r#"WITH differing AS (
               SELECT e.id, e.listing_id AS before, w.listing_id AS after
               FROM establishments e
               LEFT JOIN unnest($2::text[], $3::bigint[]) AS w (id, listing_id) ON w.id = e.id
               WHERE e.listing_id IS DISTINCT FROM w.listing_id
           ), linked AS (
               UPDATE establishments e SET listing_id = d.after, linked_in = $1
               FROM differing d WHERE e.id = d.id
           )
           SELECT before AS "id!" FROM differing WHERE before IS NOT NULL
           UNION SELECT after FROM differing WHERE after IS NOT NULL"#,
        import,
        &ids,
        &listing_ids,
    )
    .fetch_all(connection)
    .await
}

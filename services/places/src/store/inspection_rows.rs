//! `inspection_rows`: rows of the current import, from which `establishments` and `inspections` are written.

use chassis::sql;
use sqlx::PgConnection;

use crate::domain::InspectionRow;

/// A row of the input.
pub(crate) struct Staged {
    /// The row's number in the input.
    pub(crate) number: i64,
    pub(crate) position: String,
    /// Equal for rows with equal content.
    pub(crate) digest: String,
    pub(crate) row: InspectionRow,
}

/// Starts an import; returns its number.
#[sql("inspection_rows.begin")]
pub(crate) async fn begin(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    clear(&mut *connection).await?;
    sqlx::query_scalar!(r#"SELECT nextval('inspection_imports') AS "number!""#)
        .fetch_one(connection)
        .await
}

/// Deletes the rows of the import.
#[sql("inspection_rows.clear")]
pub(crate) async fn clear(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let removed = sqlx::query!("DELETE FROM inspection_rows");
    removed.execute(connection).await.map(drop)
}

/// Adds rows; returns the number of rows that repeat an earlier row.
#[sql("inspection_rows.add")]
pub(crate) async fn add(
    connection: &mut PgConnection,
    staged: &[Staged],
) -> Result<u64, sqlx::Error> {
    macro_rules! column {
        ($of:ident => $value:expr) => {
            &staged.iter().map(|$of| $value).collect::<Vec<_>>()
        };
    }
    let added = sqlx::query!(
        "INSERT INTO inspection_rows
            (number, position, digest, establishment_id, inspection_id, name, kind, address, latitude, longitude,
             outcome, date, details, severity, action, court_outcome, fine_cents)
         SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
             $8::text[], $9::float8[], $10::float8[], $11::text[], $12::date[], $13::text[], $14::smallint[],
             $15::text[], $16::text[], $17::bigint[])
         ON CONFLICT (digest) DO NOTHING",
        column!(of => of.number),
        column!(of => of.position.clone()),
        column!(of => of.digest.clone()),
        column!(of => of.row.establishment_id.clone()),
        column!(of => of.row.inspection_id.clone()),
        column!(of => of.row.name.clone()),
        column!(of => of.row.kind.clone()),
        column!(of => of.row.address.clone()),
        column!(of => of.row.coordinates.map(|at| at.latitude)) as &[Option<f64>],
        column!(of => of.row.coordinates.map(|at| at.longitude)) as &[Option<f64>],
        column!(of => of.row.outcome.clone()),
        column!(of => of.row.date),
        column!(of => of.row.details.clone()),
        column!(of => i16::from(of.row.severity)),
        column!(of => of.row.action.clone()),
        column!(of => of.row.court_outcome.clone()),
        column!(of => of.row.fine_cents) as &[Option<i64>],
    )
    .execute(connection)
    .await?;
    Ok(u64::try_from(staged.len()).unwrap_or_default() - added.rows_affected())
}

/// Updates PostgreSQL's statistics after all rows have been added: without statistics, it assumes a small table and
/// would compare each row with all others.
#[sql("inspection_rows.analyze")]
pub(crate) async fn analyze(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let analyzed = sqlx::query("ANALYZE inspection_rows");
    analyzed.execute(connection).await.map(drop)
}

/// Updates the statistics of the written tables, before the outcomes are read page by page.
#[sql("inspection_rows.analyze_kept")]
pub(crate) async fn analyze_kept(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let analyzed = sqlx::query("ANALYZE establishments, inspections");
    analyzed.execute(connection).await.map(drop)
}

/// A range of establishments whose rows are stored together. A statement for all rows of a large file would time out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) after: String,
    pub(crate) up_to: String,
}

/// Returns the range after an establishment that has about `rows` rows; `None` after the last establishment.
#[sql("inspection_rows.span")]
pub(crate) async fn span(
    connection: &mut PgConnection,
    after: String,
    rows: i64,
) -> Result<Option<Span>, sqlx::Error> {
    let up_to = sqlx::query_scalar!(
        "SELECT max(establishment_id) FROM (
             SELECT establishment_id FROM inspection_rows WHERE establishment_id > $1
             ORDER BY establishment_id LIMIT $2
         ) AS next",
        after,
        rows,
    )
    .fetch_one(connection)
    .await?;
    Ok(up_to.map(|up_to| Span { after, up_to }))
}

/// Marks rows of a range that contradict the first row of their inspection or exceed the maximum number of rows.
#[sql("inspection_rows.find_faults")]
pub(crate) async fn find_faults(
    connection: &mut PgConnection,
    span: &Span,
    most: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH ranked AS (
             SELECT number, date, outcome, first_value(date) OVER inspection AS first_date,
                 first_value(outcome) OVER inspection AS first_outcome, row_number() OVER inspection AS rank
             FROM inspection_rows WHERE establishment_id > $2 AND establishment_id <= $3
             WINDOW inspection AS (PARTITION BY establishment_id, inspection_id ORDER BY number)
         )
         UPDATE inspection_rows r
         SET fault = CASE WHEN s.rank > $1 THEN 'its inspection has too many rows'
             ELSE 'an earlier row gives its inspection another date or status' END
         FROM ranked s
         WHERE s.number = r.number AND r.establishment_id > $2 AND r.establishment_id <= $3
             AND (s.rank > $1 OR s.date <> s.first_date OR s.outcome <> s.first_outcome)",
        most,
        span.after,
        span.up_to,
    )
    .execute(connection)
    .await
    .map(drop)
}

/// Stores the establishments and inspections of a range, from its valid rows.
#[sql("inspection_rows.keep")]
pub(crate) async fn keep(
    connection: &mut PgConnection,
    span: &Span,
    import: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO establishments AS e
             (id, name, kind, address, latitude, longitude, facts_of, written_in)
         SELECT DISTINCT ON (establishment_id)
             establishment_id, name, kind, address, latitude, longitude, date, $1::bigint
         FROM inspection_rows
         WHERE fault IS NULL AND establishment_id > $2 AND establishment_id <= $3
         ORDER BY establishment_id, date DESC, number DESC
         ON CONFLICT (id) DO UPDATE
         SET name = excluded.name, kind = excluded.kind, address = excluded.address, latitude = excluded.latitude,
             longitude = excluded.longitude, facts_of = excluded.facts_of,
             written_in = CASE
                 WHEN (e.name, e.kind, e.address, e.latitude, e.longitude) IS DISTINCT FROM
                     (excluded.name, excluded.kind, excluded.address, excluded.latitude, excluded.longitude)
                 THEN excluded.written_in ELSE e.written_in END
         WHERE excluded.facts_of >= e.facts_of
             AND (e.name, e.kind, e.address, e.latitude, e.longitude, e.facts_of) IS DISTINCT FROM
                 (excluded.name, excluded.kind, excluded.address, excluded.latitude, excluded.longitude,
                  excluded.facts_of)",
        import,
        span.after,
        span.up_to,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO inspections AS i
             (establishment_id, source_id, date, outcome, infractions, created_in, written_in)
         SELECT establishment_id, inspection_id, min(date), min(outcome),
             coalesce(jsonb_agg(
                 jsonb_build_object('details', details, 'severity', severity, 'action', action,
                     'court_outcome', court_outcome, 'fine_cents', fine_cents)
                 ORDER BY severity DESC, details, action, court_outcome, fine_cents
             ) FILTER (WHERE details <> ''), '[]'), $1::bigint, $1::bigint
         FROM inspection_rows
         WHERE fault IS NULL AND establishment_id > $2 AND establishment_id <= $3
         GROUP BY establishment_id, inspection_id
         ORDER BY min(date), establishment_id, inspection_id
         ON CONFLICT (establishment_id, source_id) DO UPDATE
         SET date = excluded.date, outcome = excluded.outcome, infractions = excluded.infractions,
             written_in = excluded.written_in
         WHERE (i.date, i.outcome, i.infractions) IS DISTINCT FROM
             (excluded.date, excluded.outcome, excluded.infractions)",
        import,
        span.after,
        span.up_to,
    )
    .execute(connection)
    .await
    .map(drop)
}

/// The outcome of a row.
#[expect(clippy::struct_excessive_bools, reason = "each is a column")]
pub(crate) struct Written {
    pub(crate) number: i64,
    pub(crate) position: String,
    pub(crate) inspection_id: String,
    pub(crate) fault: Option<String>,
    /// Whether the row's inspection is new.
    pub(crate) is_new: bool,
    /// Whether the row's inspection differs from the stored one.
    pub(crate) inspection_differs: bool,
    /// Whether the row's establishment differs from the stored one.
    pub(crate) establishment_differs: bool,
    /// Whether the row's establishment's place has changed.
    pub(crate) place_differs: bool,
}

/// Returns the outcomes of at most `most` rows after a number, in order.
#[sql("inspection_rows.written")]
pub(crate) async fn written(
    connection: &mut PgConnection,
    import: i64,
    after: i64,
    most: i64,
) -> Result<Vec<Written>, sqlx::Error> {
    sqlx::query_as!(
        Written,
        r#"SELECT r.number, r.position, r.inspection_id, r.fault,
               coalesce(i.created_in = $1, false) AS "is_new!",
               coalesce(i.written_in = $1, false) AS "inspection_differs!",
               coalesce(e.written_in = $1, false) AS "establishment_differs!",
               coalesce(e.linked_in = $1, false) AS "place_differs!"
           FROM inspection_rows r
           LEFT JOIN inspections i ON i.establishment_id = r.establishment_id AND i.source_id = r.inspection_id
           LEFT JOIN establishments e ON e.id = r.establishment_id
           WHERE r.number > $2 ORDER BY r.number LIMIT $3"#,
        import,
        after,
        most,
    )
    .fetch_all(connection)
    .await
}

/// Returns the places whose inspections an import has written.
#[sql("inspection_rows.places")]
pub(crate) async fn places(
    connection: &mut PgConnection,
    import: i64,
) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT DISTINCT e.listing_id AS "id!" FROM establishments e
           WHERE e.listing_id IS NOT NULL AND EXISTS (
               SELECT FROM inspections i WHERE i.establishment_id = e.id AND i.written_in = $1
           )"#,
        import,
    )
    .fetch_all(connection)
    .await
}

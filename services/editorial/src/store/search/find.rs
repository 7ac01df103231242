//! `search_documents`, as they are looked for.

use std::collections::HashMap;

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};
use vocabulary::position::Coordinates;

use suggestions::{DocumentKind, Key};

use crate::domain::search::{Candidate, Meaning, Term};

/// The documents that a query is answered from: the best by what PostgreSQL knows of them.
pub(crate) const MAX_CANDIDATES: usize = 300;

#[derive(FromRow)]
struct CandidateRow {
    kind: String,
    id: i64,
    name: String,
    labels: String,
    r#type: Option<String>,
    neighbourhood: Option<String>,
    is_closed: bool,
    latitude: Option<f64>,
    longitude: Option<f64>,
    published_at: DateTime<Utc>,
    quality: f32,
    has: Vec<bool>,
    starts_at: Option<DateTime<Utc>>,
}

impl CandidateRow {
    fn into_candidate(self) -> Option<Candidate> {
        let position = self.latitude.zip(self.longitude);
        Some(Candidate {
            kind: DocumentKind::parse(&self.kind)?,
            id: self.id,
            name: self.name,
            labels: self.labels,
            type_slug: self.r#type,
            neighbourhood: self.neighbourhood,
            is_closed: self.is_closed,
            position: position.map(|(latitude, longitude)| Coordinates {
                latitude,
                longitude,
            }),
            published_at: self.published_at,
            quality: self.quality.into(),
            has: self.has,
            starts_at: self.starts_at,
        })
    }
}

/// The stems among these that some document has.
#[sql("search.occurring")]
pub(crate) async fn occurring(pool: &PgPool, stems: &[String]) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT stem AS "stem!" FROM unnest($1::text[]) AS s (stem)
           WHERE EXISTS (SELECT FROM search_documents WHERE stems @@ stem::tsquery)"#,
        stems,
    )
    .fetch_all(pool)
    .await
}

/// The documents to look for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Matching<'a> {
    /// Those with this name, as [`name_key`] writes it.
    Name(&'a str),
    /// Those that match a `tsquery`, or all without one.
    Words(Option<&'a str>),
    /// Those of the best of each kind that match a `tsquery`: where very many match, all need not be ranked.
    AmongTheBest(&'a str),
}

/// The documents that match, of the kinds, the time and the price that the query means.
#[sql("search.candidates")]
pub(crate) async fn candidates(
    pool: &PgPool,
    meaning: &Meaning,
    kinds: &[DocumentKind],
    matching: Matching<'_>,
    from: Option<Coordinates>,
    now: DateTime<Utc>,
) -> Result<Vec<Candidate>, sqlx::Error> {
    let terms: Vec<String> = meaning.query.terms.iter().map(Term::condition).collect();
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT d.kind, d.id, d.name, d.labels, d.type, d.neighbourhood, d.is_closed, d.latitude, d.longitude,
            d.published_at, d.quality, ARRAY(SELECT d.stems @@ term::tsquery FROM unnest(",
    );
    query.push_bind(terms);
    query.push(
        "::text[]) WITH ORDINALITY AS t (term, number) ORDER BY number) AS has, o.starts_at FROM (",
    );
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    match matching {
        Matching::Name(name) => push_named(&mut query, &kinds, name),
        Matching::Words(wanted) => push_matching(&mut query, meaning, &kinds, wanted, from),
        Matching::AmongTheBest(wanted) => push_best(&mut query, &kinds, wanted, meaning.is_free),
    }
    let (begin, end) = meaning.time.unwrap_or((now, DateTime::<Utc>::MAX_UTC));
    query.push(
        ") d LEFT JOIN LATERAL (
            SELECT starts_at FROM occurrences WHERE d.kind = 'event' AND item_id = d.id AND ends_at > ",
    );
    query.push_bind(begin);
    if meaning.time.is_some() {
        query.push(" AND starts_at < ").push_bind(end);
    }
    query.push(" ORDER BY starts_at LIMIT 1) o ON true");
    let rows: Vec<CandidateRow> = query.build_query_as().fetch_all(pool).await?;
    Ok(rows
        .into_iter()
        .filter_map(CandidateRow::into_candidate)
        .collect())
}

/// The best documents of a name.
fn push_named(query: &mut QueryBuilder<Postgres>, kinds: &[&str], name: &str) {
    query.push("SELECT * FROM search_documents s WHERE s.name_key = ");
    query.push_bind(name.to_owned()).push(" AND s.kind = ANY(");
    query.push_bind(owned(kinds));
    query.push(") ORDER BY s.quality DESC, s.id LIMIT ");
    query.push_bind(i64::try_from(MAX_CANDIDATES).unwrap_or(i64::MAX));
}

fn owned(kinds: &[&str]) -> Vec<String> {
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

/// The documents that match best, and are best.
fn push_matching(
    query: &mut QueryBuilder<Postgres>,
    meaning: &Meaning,
    kinds: &[&str],
    wanted: Option<&str>,
    from: Option<Coordinates>,
) {
    query.push("SELECT * FROM search_documents s WHERE s.kind = ANY(");
    query.push_bind(owned(kinds)).push(")");
    if let Some(wanted) = wanted {
        query.push(" AND s.stems @@ ");
        query.push_bind(wanted.to_owned()).push("::tsquery");
    }
    if meaning.is_free {
        query.push(" AND s.is_free");
    }
    if let Some((begin, end)) = meaning.time {
        query.push(" AND EXISTS (SELECT FROM occurrences WHERE item_id = s.id AND ends_at > ");
        query.push_bind(begin).push(" AND starts_at < ");
        query.push_bind(end).push(")");
    }
    query.push(" ORDER BY 0.4 * s.quality");
    if let Some(wanted) = wanted {
        query.push(" + ts_rank('{0.05, 0.2, 0.6, 1}', s.stems, ");
        query.push_bind(wanted.to_owned()).push("::tsquery)");
    }
    if let Some(from) = from.filter(|_| meaning.is_near) {
        // Kilometres; a degree of latitude has 111. A place without a position is farther than any other.
        query.push(" - coalesce(111 * sqrt((s.latitude - ");
        query.push_bind(from.latitude).push(")^2 + (cos(radians(");
        query.push_bind(from.latitude).push(")) * (s.longitude - ");
        query.push_bind(from.longitude).push("))^2), 100000)");
    }
    query.push(" DESC, s.kind, s.id LIMIT ");
    query.push_bind(i64::try_from(MAX_CANDIDATES).unwrap_or(i64::MAX));
}

/// Documents of a kind, the best first, of which those that match are taken. A kind may hardly have words that others have
/// often, so its walk has an end.
const WALKED: i64 = 20_000;

/// The best documents of each kind that match: with words that very many documents have, the walk through the index of
/// quality soon ends, while ranking all that match would take as long as there are many.
fn push_best(query: &mut QueryBuilder<Postgres>, kinds: &[&str], wanted: &str, is_free: bool) {
    let each = MAX_CANDIDATES.div_ceil(kinds.len().max(1));
    query.push("SELECT s.* FROM unnest(");
    query.push_bind(owned(kinds));
    query.push(
        "::text[]) AS k (kind) CROSS JOIN LATERAL (SELECT * FROM (
            SELECT * FROM search_documents WHERE kind = k.kind ORDER BY quality DESC, id LIMIT ",
    );
    query
        .push_bind(WALKED)
        .push(") s WHERE s.stems @@ ")
        .push_bind(wanted.to_owned())
        .push("::tsquery");
    if is_free {
        query.push(" AND s.is_free");
    }
    query.push(" LIMIT ");
    query
        .push_bind(i64::try_from(each).unwrap_or(i64::MAX))
        .push(") s");
}

/// The texts that passages of documents are quoted from.
#[sql("search.passages")]
pub(crate) async fn passages(
    pool: &PgPool,
    keys: &[Key],
) -> Result<HashMap<Key, String>, sqlx::Error> {
    let (kinds, ids): (Vec<String>, Vec<i64>) = keys
        .iter()
        .map(|(kind, id)| (kind.as_str().to_owned(), *id))
        .unzip();
    let rows = sqlx::query!(
        "SELECT kind, id, passage FROM unnest($1::text[], $2::bigint[]) AS k (kind, id)
         JOIN search_documents USING (kind, id)",
        &kinds,
        &ids,
    )
    .fetch_all(pool)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .filter_map(|row| {
            let key = (DocumentKind::parse(row.kind.as_deref()?)?, row.id?);
            Some((key, row.passage))
        })
        .collect())
}

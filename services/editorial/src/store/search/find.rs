//! Queries of `search_documents`.

use std::collections::HashMap;

use chassis::{postgres::end_with_call, sql};
use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};
use vocabulary::position::Coordinates;

use suggestions::{DocumentKind, Key};

use crate::domain::search::{Candidate, Meaning, Term};

/// Maximum number of candidates for a query: the best according to PostgreSQL.
pub(crate) const MAX_CANDIDATES: usize = 300;
/// Maximum number of matches that are ranked. Ranking reads each document, and a word of texts can occur in a third of
/// them. In an index of three million documents, ranking 5,000 matches took 50% longer than ranking 2,000.
const MAX_RANKED: i64 = 2_000;

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
    is_cut: bool,
}

/// Matching documents, at most [`MAX_CANDIDATES`].
#[derive(Default)]
pub(crate) struct Matches {
    pub(crate) candidates: Vec<Candidate>,
    /// Whether some matches were left out, because there are too many to rank.
    pub(crate) is_cut: bool,
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

/// Returns the stems that occur in any document.
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

/// Selects the documents to find.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Matching<'a> {
    /// Documents with this name, normalised by `name_key`.
    Name(&'a str),
    /// Documents that match a `tsquery`, or all documents without one.
    Words(Option<&'a str>),
    /// Matching documents among the best of each kind: used if too many documents match to rank them all.
    AmongTheBest(&'a str),
}

/// Returns the matching documents of the kinds, time and price in the query.
#[sql("search.candidates")]
pub(crate) async fn candidates(
    pool: &PgPool,
    meaning: &Meaning,
    kinds: &[DocumentKind],
    matching: Matching<'_>,
    from: Option<Coordinates>,
    now: DateTime<Utc>,
) -> Result<Matches, sqlx::Error> {
    let terms: Vec<String> = meaning.query.terms.iter().map(Term::condition).collect();
    let mut query = QueryBuilder::<Postgres>::new(
        "SELECT d.kind, d.id, d.name, d.labels, d.type, d.neighbourhood, d.is_closed, d.latitude, d.longitude,
            d.published_at, d.quality, d.is_cut, ARRAY(SELECT d.stems @@ term::tsquery FROM unnest(",
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
    let mut transaction = pool.begin().await?;
    end_with_call(&mut transaction).await?;
    let rows = query.build_query_as().fetch_all(&mut *transaction).await;
    let rows: Vec<CandidateRow> = rows?;
    transaction.commit().await?;
    Ok(Matches {
        is_cut: rows.iter().any(|row| row.is_cut),
        candidates: rows
            .into_iter()
            .filter_map(CandidateRow::into_candidate)
            .collect(),
    })
}

/// Selects the best documents with this name.
fn push_named(query: &mut QueryBuilder<Postgres>, kinds: &[&str], name: &str) {
    query.push("SELECT s.*, false AS is_cut FROM search_documents s WHERE s.name_key = ");
    query.push_bind(name.to_owned()).push(" AND s.kind = ANY(");
    query.push_bind(owned(kinds));
    query.push(") ORDER BY s.quality DESC, s.id LIMIT ");
    query.push_bind(i64::try_from(MAX_CANDIDATES).unwrap_or(i64::MAX));
}

fn owned(kinds: &[&str]) -> Vec<String> {
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

/// Selects the documents with the best match and quality. If more than [`MAX_RANKED`] documents match, an arbitrary
/// [`MAX_RANKED`] of them are ranked, unless the order is by distance or the time limits their number.
fn push_matching(
    query: &mut QueryBuilder<Postgres>,
    meaning: &Meaning,
    kinds: &[&str],
    wanted: Option<&str>,
    from: Option<Coordinates>,
) {
    let from = from.filter(|_| meaning.is_near);
    let limit = if wanted.is_none() || from.is_some() || meaning.time.is_some() {
        i64::MAX
    } else {
        MAX_RANKED
    };
    query.push("SELECT s.*, count(*) OVER () > ");
    query.push_bind(limit);
    query.push(" AS is_cut FROM (SELECT * FROM search_documents s WHERE s.kind = ANY(");
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
    // The limit is hidden from the planner, which would otherwise read the table instead of the index.
    query.push(" LIMIT (SELECT ");
    query.push_bind(limit.saturating_add(1));
    query.push("::bigint)) s ORDER BY 0.4 * s.quality");
    if let Some(wanted) = wanted {
        query.push(" + ts_rank('{0.05, 0.2, 0.6, 1}', s.stems, ");
        query.push_bind(wanted.to_owned()).push("::tsquery)");
    }
    if let Some(from) = from {
        // The distance in kilometres; a degree of latitude is 111 km. A place without a position is farther than any
        // other.
        query.push(" - coalesce(111 * sqrt((s.latitude - ");
        query.push_bind(from.latitude).push(")^2 + (cos(radians(");
        query.push_bind(from.latitude).push(")) * (s.longitude - ");
        query.push_bind(from.longitude).push("))^2), 100000)");
    }
    query.push(" DESC, s.kind, s.id LIMIT ");
    query.push_bind(i64::try_from(MAX_CANDIDATES).unwrap_or(i64::MAX));
}

/// Number of a kind's best documents that are searched for matches: more than are ranked, because comparing them is
/// faster than ranking. The limit is needed because words that are frequent in other kinds may be rare
/// in this kind.
const WALKED: i64 = 10_000;

/// Selects the best matching documents of each kind. If very many documents contain the words, scanning the quality
/// index ends quickly, while ranking all matches would take time proportional to their number.
fn push_best(query: &mut QueryBuilder<Postgres>, kinds: &[&str], wanted: &str, is_free: bool) {
    let each = MAX_CANDIDATES.div_ceil(kinds.len().max(1));
    query.push("SELECT s.*, true AS is_cut FROM unnest(");
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

/// Returns the texts for passages of documents.
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

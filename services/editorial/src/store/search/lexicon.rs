//! `search_words`, `search_names` and `search_revision`: the words and names of the index.

use std::collections::{BTreeMap, HashMap};

use chassis::sql;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use suggestions::{Field, Named};

use crate::domain::search::Lexicon;

/// Maximum number of words in a process: the most frequent words.
const MAX_WORDS: i64 = 500_000;

/// Returns the revision, which increases with every change of documents, words and names.
#[sql("search_lexicon.revision")]
pub(crate) async fn revision(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("SELECT revision FROM search_revision")
        .fetch_one(pool)
        .await
}

/// Returns when PostgreSQL last analysed the documents; `None` before the first time. The numbers of documents with a
/// stem are from its statistics, so a lexicon that was read earlier has older numbers.
#[sql("search_lexicon.analyzed_at")]
pub(crate) async fn analyzed_at(pool: &PgPool) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT greatest(last_analyze, last_autoanalyze) FROM pg_stat_user_tables
         WHERE relid = 'search_documents'::regclass"
    )
    .fetch_one(pool)
    .await
}

/// Increments the revision, so that processes read the changes; returns the new number. Changes are serialised here, so
/// that a process that sees a revision has seen all earlier changes.
#[sql("search_lexicon.raise_revision")]
pub(crate) async fn raise_revision(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("UPDATE search_revision SET revision = revision + 1 RETURNING revision")
        .fetch_one(connection)
        .await
}

/// Reads all words and names.
#[sql("search_lexicon.read")]
pub(crate) async fn read(pool: &PgPool) -> Result<Lexicon, sqlx::Error> {
    let words = sqlx::query!(
        "SELECT word, documents FROM search_words ORDER BY documents DESC LIMIT $1",
        MAX_WORDS
    )
    .fetch_all(pool)
    .await?;
    let words = words
        .into_iter()
        .map(|row| (row.word, row.documents.unsigned_abs()))
        .collect();
    // The stems are taken from PostgreSQL's statistics of the index: approximate numbers are enough, and counting every
    // word of every text would be too expensive.
    let stems = sqlx::query!(
        r#"SELECT stem AS "stem!", (frequency * c.reltuples)::bigint AS "documents!"
           FROM pg_class c
           JOIN pg_stats s ON s.schemaname = current_schema() AND s.tablename = c.relname AND s.attname = 'stems'
           CROSS JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS e (stem, frequency)
           WHERE c.oid = 'search_documents'::regclass AND stem IS NOT NULL"#
    )
    .fetch_all(pool)
    .await?;
    let stems: HashMap<String, u64> = stems
        .into_iter()
        .map(|row| (row.stem, row.documents.unsigned_abs()))
        .collect();
    let names =
        sqlx::query!("SELECT field, slug, name FROM search_names ORDER BY field, name, slug")
            .fetch_all(pool)
            .await?;
    let names = names.into_iter().filter_map(|row| {
        Some(Named {
            field: Field::parse(&row.field)?,
            slug: row.slug,
            name: row.name,
        })
    });
    Ok(Lexicon::new(words, stems, names.collect()))
}

/// Adds to or subtracts from the numbers of documents that contain words.
#[sql("search_lexicon.shift_words")]
pub(crate) async fn shift_words(
    connection: &mut PgConnection,
    shifts: &BTreeMap<String, i64>,
) -> Result<(), sqlx::Error> {
    // PostgreSQL checks a proposed row before it detects a conflict, so negative numbers cannot be inserted.
    let (less, more): (Vec<_>, Vec<_>) = shifts.iter().partition(|(_, by)| **by < 0);
    let columns = |shifts: Vec<(&String, &i64)>| -> (Vec<String>, Vec<i64>) {
        let shifts = shifts.into_iter();
        shifts.map(|(word, by)| (word.clone(), *by)).unzip()
    };
    let (words, by) = columns(more);
    sqlx::query!(
        "INSERT INTO search_words AS w (word, documents)
         SELECT * FROM unnest($1::text[], $2::bigint[])
         ON CONFLICT (word) DO UPDATE SET documents = w.documents + excluded.documents",
        &words,
        &by,
    )
    .execute(&mut *connection)
    .await?;
    let (words, by) = columns(less);
    sqlx::query!(
        "UPDATE search_words w SET documents = w.documents + s.documents
         FROM unnest($1::text[], $2::bigint[]) AS s (word, documents) WHERE w.word = s.word",
        &words,
        &by,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "DELETE FROM search_words WHERE word = ANY($1) AND documents = 0",
        &words
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the names of neighbourhoods by slug.
#[sql("search_lexicon.neighbourhoods")]
pub(crate) async fn neighbourhoods(
    connection: &mut PgConnection,
) -> Result<BTreeMap<String, String>, sqlx::Error> {
    let rows = sqlx::query!("SELECT slug, name FROM search_names WHERE field = 'neighbourhood'")
        .fetch_all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| (row.slug, row.name)).collect())
}

/// Adds new names; returns their number.
#[sql("search_lexicon.add_names")]
pub(crate) async fn add_names(
    connection: &mut PgConnection,
    names: &[Named],
) -> Result<u64, sqlx::Error> {
    let fields: Vec<&str> = names.iter().map(|named| named.field.as_str()).collect();
    let slugs: Vec<&str> = names.iter().map(|named| named.slug.as_str()).collect();
    let texts: Vec<&str> = names.iter().map(|named| named.name.as_str()).collect();
    let added = sqlx::query!(
        "INSERT INTO search_names (field, slug, name)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING",
        &fields as &[&str],
        &slugs as &[&str],
        &texts as &[&str],
    )
    .execute(connection)
    .await?;
    Ok(added.rows_affected())
}

/// Removes the names of types and neighbourhoods, before the current names are added.
#[sql("search_lexicon.forget_areas")]
pub(crate) async fn forget_areas(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM search_names WHERE field IN ('type', 'neighbourhood')")
        .execute(connection)
        .await?;
    Ok(())
}

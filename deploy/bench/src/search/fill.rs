//! Articles by the million as rows, with their documents: importing them would take hours.

use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use sqlx::Row;

use crate::database::Database;

/// Documents at the end.
const DOCUMENTS: i64 = 3_000_000;
/// Made-up words of names, of which the first ones are much more frequent than the last.
const WORDS: u32 = 8_000;
/// The same of texts, which have those of names too.
const WORDS_OF_TEXTS: u32 = 160_000;
/// One document in this many has the text of an article; the others have a description, as places and events do.
const ARTICLES: u32 = 10;
/// The words of each kind of text.
const LENGTHS: [u32; 2] = [300, 40];
/// Different texts of each kind. Documents share them: making three million would take longer than measuring.
const TEXTS: u32 = 20_000;
/// Characters of a text that answers are quoted from.
const QUOTED: u32 = 600;
/// How long the site may take to index the places that are there, and to hold all names.
const PATIENCE: Duration = Duration::from_mins(10);

/// A made-up word: three of twenty syllables, a fourth for all but the 8,000 most frequent, and a letter at which no stem is
/// cut off.
const WORD: &str = "CREATE OR REPLACE FUNCTION pg_temp.word(n int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT s[1 + n % 20] || s[1 + n / 20 % 20] || s[1 + n / 400 % 20]
        || CASE WHEN n < 8000 THEN '' ELSE s[1 + n / 8000 % 20] END || 'k'
    FROM (SELECT string_to_array('bu be bo du fa fu ga gu ka ko la lo ma mo na no pa ra ta zu', ' ') AS s) syllables $$;";

/// Fills the index up, once the site has indexed what it has itself.
pub(super) async fn documents(database: &mut Database) -> anyhow::Result<()> {
    indexed(database).await?;
    if count(database, "SELECT count(*) FROM editorial.search_documents").await? >= DOCUMENTS {
        return Ok(());
    }
    database
        .run("DROP INDEX editorial.search_documents_by_stem; SET maintenance_work_mem = '1GB'")
        .await?;
    database.run(WORD).await?;
    for (kind, length) in LENGTHS.into_iter().enumerate() {
        texts(database, kind, length).await?;
    }
    // The slug tells these articles from others. Every fourth word of a text is one of its name.
    database
        .run(&format!(
            "INSERT INTO editorial.items (kind, section, slug, name, excerpt, body_html, published_at, authors, tags, detail,
                 source_id, is_live, is_age_restricted)
             SELECT 'article', 'news', 'bench-' || i, initcap(names.name), 'About ' || names.name, '<p>Text.</p>',
                 now() - i * interval '1 minute', '[]', '[]', '{PLAIN}', 'bench:' || i, true, false
             FROM generate_series((SELECT count(*) + 1 FROM editorial.search_documents), {DOCUMENTS}) i
             CROSS JOIN LATERAL (SELECT string_agg(pg_temp.word((power({WORDS}::float8,
                     (hashint8(i * 10 + part)::bigint + 2147483648)::float8 / 4294967296))::int - 1), ' ') AS name
                 FROM generate_series(1, 3) part) names"
        ))
        .await?;
    database
        .run(&format!(
            "INSERT INTO editorial.search_documents (kind, id, name, name_key, path, labels, passage, is_closed, is_free,
                 published_at, quality, stems, words)
             SELECT 'article', id, name, lower(name), '/news/' || slug || '/', 'news', quoted, false, false, published_at,
                 (hashint8(id)::bigint + 2147483648)::float8 / 4294967296,
                 setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', excerpt), 'C') || text,
                 setweight(to_tsvector('simple', name), 'A')
             FROM editorial.items JOIN pg_temp.texts
                 ON (texts.kind, texts.number) = ((id % {ARTICLES} > 0)::int, id / {ARTICLES} % {TEXTS})
             WHERE slug LIKE 'bench-%'"
        ))
        .await?;
    for statement in [
        "CREATE INDEX search_documents_by_stem ON editorial.search_documents USING gin (stems)",
        "TRUNCATE editorial.search_words",
        "INSERT INTO editorial.search_words (word, documents)
             SELECT word, ndoc FROM ts_stat('SELECT words FROM editorial.search_documents')",
        // A revision that has noted no changes has processes read everything.
        "UPDATE editorial.search_revision SET revision = revision + 1",
        "VACUUM (ANALYZE) editorial.search_documents, editorial.items",
    ] {
        database.run(statement).await?;
    }
    let documents = count(database, "SELECT count(*) FROM editorial.search_documents").await?;
    ensure!(documents == DOCUMENTS, "{documents} documents");
    Ok(())
}

/// Makes the texts of one kind. As in natural language, a word's frequency is about inverse to its rank.
async fn texts(database: &mut Database, kind: usize, length: u32) -> anyhow::Result<()> {
    database
        .run(&format!(
            "CREATE TEMPORARY TABLE IF NOT EXISTS texts (kind int, number bigint, quoted text, text tsvector);
             INSERT INTO texts SELECT {kind}, number, left(words, {QUOTED}),
                 setweight(to_tsvector('simple', words), 'D')
             FROM generate_series(0, {TEXTS} - 1) number
             CROSS JOIN LATERAL (SELECT string_agg(pg_temp.word((power({WORDS_OF_TEXTS}::float8,
                     (hashint8(number * 1000 + part + {kind} * 500)::bigint + 2147483648)::float8 / 4294967296))::int - 1),
                     ' ' ORDER BY part) AS words
                 FROM generate_series(1, {length}) part) made"
        ))
        .await
}

/// Waits until gateways hold the names of all but closed places. What they do not hold they ask for, which is slower.
pub(super) async fn held_by(gateways: &[String]) -> anyhow::Result<()> {
    let begun = Instant::now();
    for gateway in gateways {
        let url = format!("http://{gateway}/metrics");
        while names_held(&reqwest::get(&url).await?.text().await?) < DOCUMENTS / 100 * 99 {
            ensure!(
                begun.elapsed() < PATIENCE,
                "{gateway} does not hold the names"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(())
}

/// The number of names on a page of metrics.
fn names_held(metrics: &str) -> i64 {
    let mut lines = metrics.lines();
    let held = lines.find_map(|line| line.strip_prefix("suggestion_names "));
    held.and_then(|held| held.parse().ok()).unwrap_or(0)
}

/// What the items' column has for an article.
const PLAIN: &str = "\"plain\"";

/// Waits until nothing waits to be indexed.
pub(super) async fn indexed(database: &mut Database) -> anyhow::Result<()> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if count(database, "SELECT count(*) FROM editorial.search_due").await? == 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    bail!("the index does not follow")
}

pub(super) async fn count(database: &mut Database, query: &'static str) -> anyhow::Result<i64> {
    let row = sqlx::query(query)
        .fetch_one(&mut database.connection)
        .await?;
    Ok(row.try_get(0)?)
}

/// Names of articles, spread over all.
pub(super) async fn names(database: &mut Database, number: i64) -> anyhow::Result<Vec<String>> {
    let rows = sqlx::query(
        "SELECT name FROM editorial.items WHERE slug LIKE 'bench-%' AND hashint8(id) % 2000 = 0 ORDER BY id LIMIT $1",
    )
    .bind(number)
    .fetch_all(&mut database.connection)
    .await?;
    ensure!(!rows.is_empty(), "there are no articles");
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

//! Articles by the million as rows, with their documents: importing them would take hours.

use std::time::{Duration, Instant};

use anyhow::ensure;

use crate::{database::Database, plan::Plan};

/// The number of documents after filling.
const DOCUMENTS: i64 = 3_000_000;
/// Number of invented words in names; the first words are much more frequent than the last.
const WORDS: u32 = 8_000;
/// Number of invented words in texts, including the words of names.
const WORDS_OF_TEXTS: u32 = 160_000;
/// One document in this many has the text of an article; the others have a description, as places and events do.
const ARTICLES: u32 = 10;
/// The number of words in each kind of text.
const LENGTHS: [u32; 2] = [300, 40];
/// Different texts of each kind. Documents share them: making three million would take longer than measuring.
const TEXTS: u32 = 20_000;
/// Number of characters of a text that responses quote.
const QUOTED: u32 = 600;
/// How long the site may take to index its places, and gateways to read all names.
const PATIENCE: Duration = Duration::from_mins(10);

/// An invented word: three of twenty syllables, a fourth for all but the 8,000 most frequent, and a letter at which no stem is
/// cut off.
const WORD: &str = "CREATE OR REPLACE FUNCTION pg_temp.word(n int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT s[1 + n % 20] || s[1 + n / 20 % 20] || s[1 + n / 400 % 20]
        || CASE WHEN n < 8000 THEN '' ELSE s[1 + n / 8000 % 20] END || 'k'
    FROM (SELECT string_to_array('bu be bo du fa fu ga gu ka ko la lo ma mo na no pa ra ta zu', ' ') AS s) syllables $$;
    CREATE TEMPORARY TABLE texts (kind int, number bigint, quoted text, text tsvector);
    DROP INDEX editorial.search_documents_by_stem;
    SET maintenance_work_mem = '1GB'";

/// Statements that run after the documents are inserted. Processes read the whole index again if a revision lists no
/// changes, with the statistics of the last analysis.
const FINISH: [&str; 6] = [
    "CREATE INDEX search_documents_by_stem ON editorial.search_documents USING gin (stems)",
    "TRUNCATE editorial.search_words",
    "INSERT INTO editorial.search_words (word, documents)
         SELECT word, ndoc FROM ts_stat('SELECT words FROM editorial.search_documents')",
    "VACUUM (ANALYZE) editorial.search_documents, editorial.items",
    // Otherwise PostgreSQL writes the documents to the disk during the first measurement.
    "CHECKPOINT",
    "UPDATE editorial.search_revision SET revision = revision + 1",
];

/// Fills the index after the site has indexed its own content.
pub(super) async fn fill(database: &Database) -> anyhow::Result<()> {
    indexed(database).await?;
    let count = "SELECT count(*) FROM editorial.search_documents";
    if database.value::<i64>(count).await? >= DOCUMENTS {
        return Ok(());
    }
    database.run(WORD).await?;
    // As in natural language, a word's frequency is roughly inversely proportional to its rank (Zipf's law).
    let rank = |words: u32, seed: &str| {
        format!(
            "(power({words}::float8, (hashint8({seed})::bigint + 2147483648)::float8 / 4294967296))::int - 1"
        )
    };
    for (kind, length) in LENGTHS.into_iter().enumerate() {
        let rank = rank(
            WORDS_OF_TEXTS,
            &format!("number * 1000 + part + {kind} * 500"),
        );
        let texts = format!(
            "INSERT INTO texts SELECT {kind}, number, left(words, {QUOTED}),
                 setweight(to_tsvector('simple', words), 'D')
             FROM generate_series(0, {TEXTS} - 1) number
             CROSS JOIN LATERAL (SELECT string_agg(pg_temp.word({rank}), ' ' ORDER BY part) AS words
                 FROM generate_series(1, {length}) part) made"
        );
        database.run(&texts).await?;
    }
    // The slug distinguishes these articles from others. Every fourth word of a text is a word of its name.
    let rank = rank(WORDS, "i * 10 + part");
    let items = format!(
        "INSERT INTO editorial.items (kind, section, slug, name, excerpt, body_html, published_at, authors, tags, detail,
             source_id, is_live, is_age_restricted)
         SELECT 'article', 'news', 'bench-' || i, initcap(names.name), 'About ' || names.name, '<p>Text.</p>',
             now() - i * interval '1 minute', '[]', '[]', '\"plain\"', 'bench:' || i, true, false
         FROM generate_series((SELECT count(*) + 1 FROM editorial.search_documents), {DOCUMENTS}) i
         CROSS JOIN LATERAL (SELECT string_agg(pg_temp.word({rank}), ' ') AS name
             FROM generate_series(1, 3) part) names"
    );
    database.run(&items).await?;
    let documents = format!(
        "INSERT INTO editorial.search_documents (kind, id, name, name_key, path, labels, passage, is_closed, is_free,
             published_at, quality, stems, words)
         SELECT 'article', id, name, lower(name), '/news/' || slug || '/', 'news', quoted, false, false, published_at,
             (hashint8(id)::bigint + 2147483648)::float8 / 4294967296,
             setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', excerpt), 'C') || text,
             setweight(to_tsvector('simple', name), 'A')
         FROM editorial.items JOIN pg_temp.texts
             ON (texts.kind, texts.number) = ((id % {ARTICLES} > 0)::int, id / {ARTICLES} % {TEXTS})
         WHERE slug LIKE 'bench-%'"
    );
    database.run(&documents).await?;
    for statement in FINISH {
        database.run(statement).await?;
    }
    let documents: i64 = database.value(count).await?;
    ensure!(documents == DOCUMENTS, "{documents} documents");
    Ok(())
}

/// Waits until gateways have read at least 99% of the names. Suggestions for other names require a call, which is
/// slower.
pub(super) async fn require_names(plan: &Plan) -> anyhow::Result<()> {
    let begun = Instant::now();
    let gateways = plan.site.processes.iter();
    for gateway in gateways.filter(|process| process.name.starts_with("gateway")) {
        let url = format!("http://{}/metrics", gateway.internal);
        loop {
            let metrics = reqwest::get(&url).await?.text().await?;
            let names = metrics
                .lines()
                .find_map(|line| line.strip_prefix("suggestion_names "));
            let names: i64 = names
                .and_then(|names| names.parse().ok())
                .unwrap_or_default();
            if names >= DOCUMENTS / 100 * 99 {
                break;
            }
            ensure!(
                begun.elapsed() < PATIENCE,
                "{} has {names} names",
                gateway.name
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(())
}

/// Waits until the site has indexed all changes.
pub(super) async fn indexed(database: &Database) -> anyhow::Result<()> {
    let indexed = "NOT EXISTS (SELECT FROM editorial.search_due)";
    database.wait(indexed, PATIENCE).await
}

/// Returns the names of articles, spread evenly over all articles.
pub(super) async fn names(database: &Database, number: usize) -> anyhow::Result<Vec<String>> {
    let names = format!(
        "SELECT name FROM editorial.items WHERE slug LIKE 'bench-%' AND hashint8(id) % 2000 = 0 ORDER BY id LIMIT {number}"
    );
    let names: Vec<(String,)> = database.rows(&names).await?;
    ensure!(!names.is_empty(), "there are no articles");
    Ok(names.into_iter().map(|(name,)| name).collect())
}

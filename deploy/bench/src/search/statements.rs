//! The statements of a search, read from the service's sources.

use std::{fs, path::Path};

use anyhow::Context;

/// The file with the SQL of candidates, which is built at run time.
const FIND: &str = "services/editorial/src/store/search/find.rs";

/// The table of queries: pgbench's variables hold numbers only, so its script reads the words from here.
pub(super) const SEARCHED: &str = "CREATE SCHEMA IF NOT EXISTS reference;
    DROP TABLE IF EXISTS reference.searched;
    CREATE TABLE reference.searched (n int PRIMARY KEY, terms text[] NOT NULL, wanted text NOT NULL)";

/// The script: each run finds the candidates of one of the queries, chosen at random.
pub(super) fn search(checkout: &Path, queries: usize) -> anyhow::Result<String> {
    let source = fs::read_to_string(checkout.join(FIND))?;
    let candidates = function(&source, "async fn candidates(")?;
    let matching = function(&source, "fn push_matching(")?;
    let part = |of: &str, begin: &str| {
        let found = of
            .split('"')
            .find(|text| text.trim_start().starts_with(begin));
        let text = found.with_context(|| format!("{FIND} has no {begin:?} any more"))?;
        anyhow::Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    // What the service binds.
    let of_query =
        |column: &str| format!("(SELECT {column} FROM reference.searched WHERE n = :n_query)");
    let (terms, wanted) = (of_query("terms"), of_query("wanted"));
    let kinds = "ARRAY['listing', 'best_of_list', 'article', 'event', 'video']";
    let parts = [
        part(candidates, "SELECT d.kind")?,
        terms,
        part(candidates, "::text[]) WITH ORDINALITY")?,
        part(matching, "SELECT * FROM search_documents")?,
        format!("{kinds})"),
        part(matching, "AND s.stems @@")?,
        format!("{wanted}::tsquery"),
        part(matching, "ORDER BY 0.4")?,
        part(matching, "+ ts_rank")?,
        wanted + &part(matching, "::tsquery)")?,
        part(matching, "DESC, s.kind")?,
        "300".to_owned(),
        part(candidates, ") d LEFT JOIN LATERAL")?,
        "now()".to_owned(),
        part(candidates, "ORDER BY starts_at")?,
    ];
    let last = queries.saturating_sub(1);
    Ok(format!(
        "\\set n_query random(0, {last})\n{};\n",
        parts.join(" ")
    ))
}

/// The source of a function, up to the next one.
fn function<'a>(source: &'a str, begin: &str) -> anyhow::Result<&'a str> {
    let (_, rest) = source
        .split_once(begin)
        .with_context(|| format!("{FIND} has no {begin} any more"))?;
    Ok(rest.split_once("\n}\n").map_or(rest, |(body, _)| body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_stands_where_it_is_read() {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = search(&checkout, 300).expect("stands there");
        assert!(
            text.starts_with("\\set n_query random(0, 299)\nSELECT d.kind"),
            "{text}"
        );
        assert!(
            text.contains("ts_rank('{0.05, 0.2, 0.6, 1}', s.stems, (SELECT wanted"),
            "{text}"
        );
        assert!(
            text.ends_with("ORDER BY starts_at LIMIT 1) o ON true;\n"),
            "{text}"
        );
    }
}

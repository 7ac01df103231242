//! References run the services' own statements, read from their sources: the queries that `sqlx` has prepared
//! for each service, and the lists whose SQL is built at run time.

use std::{fs, path::Path};

use anyhow::{Context, bail};

use crate::kinds::Kind;

/// The file with the SQL of the lists of bookmarks.
const BOOKMARKS: &str = "services/bookmarks/src/store/bookmarks.rs";
/// The files with the SQL of the list of places and the names of its columns.
const LISTINGS: &str = "services/places/src/store/row.rs";
const COLUMNS: &str = "services/places/src/store/columns.rs";
const FACTS: &str = "services/places/src/domain/facts.rs";

/// A service's prepared statement with this beginning (the shortest of several), its parameters replaced by
/// these.
pub(crate) fn prepared(
    checkout: &Path,
    service: &str,
    begin: &str,
    parameters: &[&str],
) -> anyhow::Result<String> {
    let folder = checkout.join("services").join(service).join(".sqlx");
    let mut found: Option<String> = None;
    for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let file: serde_json::Value = serde_json::from_slice(&fs::read(entry?.path())?)?;
        let query = file["query"].as_str().map(one_line).unwrap_or_default();
        if query.starts_with(begin) && found.as_ref().is_none_or(|one| query.len() < one.len()) {
            found = Some(query);
        }
    }
    let Some(query) = found else {
        bail!("{service} has no statement that begins with {begin:?}");
    };
    with(&query, parameters)
}

/// A later page of all places, newest first, as the service builds it, in two statements: the page's ids, then its
/// places by the text in `row.rs`, its placeholder filled with the columns that `columns.rs` and `facts.rs` name.
pub(crate) fn listings(checkout: &Path, limit: &str, offset: &str) -> anyhow::Result<String> {
    let (columns, joins) = listing(checkout)?;
    let order = "ORDER BY l.date_published DESC, l.id DESC";
    Ok(format!(
        "SELECT array_agg(id) AS ids FROM (SELECT l.id FROM listings l WHERE true {order} \
         LIMIT {limit} OFFSET {offset}) page \\gset\n\
         {columns} FROM listings l {joins} WHERE l.id = ANY(:ids::bigint[]) {order};\n"
    ))
}

/// The places with these ids.
pub(crate) fn places(checkout: &Path, ids: &str) -> anyhow::Result<String> {
    let (columns, joins) = listing(checkout)?;
    Ok(format!(
        "{columns} FROM listings l {joins} WHERE l.id = ANY({ids});\n"
    ))
}

/// The first page of a reader's bookmarks of a kind, newest first, as the service builds it.
pub(crate) fn bookmarks(checkout: &Path, kind: &Kind, limit: usize) -> anyhow::Result<String> {
    let select = fs::read_to_string(checkout.join(BOOKMARKS))?
        .split_once("async fn list(")
        .and_then(|(_, list)| list.split('"').find(|text| text.starts_with("SELECT")))
        .map(one_line)
        .with_context(|| format!("{BOOKMARKS} has no statement of a list any more"))?;
    let Kind { name, target, .. } = kind;
    Ok(format!(
        "{select} bookmarks b JOIN targets t ON t.id = b.target_id AND t.kind = '{target}' \
         WHERE b.profile_id = :profile AND b.kind = '{name}' \
         ORDER BY b.created_at DESC, b.id DESC LIMIT {limit};\n"
    ))
}

/// The columns and the joins of places.
fn listing(checkout: &Path) -> anyhow::Result<(String, String)> {
    let source = fs::read_to_string(checkout.join(LISTINGS))?;
    let part = |name: &str| {
        let text = source
            .split_once(name)
            .and_then(|(_, rest)| rest.split('"').nth(1));
        let text = text.with_context(|| format!("{LISTINGS} has no {name} any more"))?;
        anyhow::Ok(one_line(text))
    };
    let (columns, joins) = (part("static COLUMNS")?, part("const JOINS")?);
    let mut names = names(checkout, COLUMNS, "struct Columns {")?;
    names.extend(self::names(checkout, FACTS, "$($tokens)*")?);
    Ok((columns.replacen("{}", &names.join(", "), 1), joins))
}

/// The column names in a list of `name: type, …;` lines.
fn names(checkout: &Path, file: &str, begin: &str) -> anyhow::Result<Vec<String>> {
    let source = fs::read_to_string(checkout.join(file))?;
    let (_, list) = source
        .split_once(begin)
        .with_context(|| format!("{file} has no {begin} any more"))?;
    let lines = list.lines().skip(1).map(str::trim);
    let named = lines.map_while(|line| line.strip_suffix(';')?.split_once(": "));
    Ok(named.map(|(name, _)| format!("l.{name}")).collect())
}

fn with(query: &str, parameters: &[&str]) -> anyhow::Result<String> {
    let mut text = query.to_owned();
    // In reverse order, so that $1 is not found in $12.
    for (at, parameter) in parameters.iter().enumerate().rev() {
        let place = format!("${}", at + 1);
        if !text.contains(&place) {
            bail!("{query:?} has no {place}");
        }
        text = text.replace(&place, parameter);
    }
    if text.contains('$') {
        bail!("{query:?} has more parameters than {parameters:?}");
    }
    Ok(text + ";\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkout() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn a_statement_is_found_by_its_begin() {
        let begin = "SELECT kind, at, count FROM stamps WHERE profile_id = $1";
        let text =
            prepared(&checkout(), "chassis", begin, &[":profile", "'x'"]).expect("stands there");
        assert_eq!(
            text,
            "SELECT kind, at, count FROM stamps WHERE profile_id = :profile AND kind = 'x';\n"
        );
    }

    #[test]
    fn parameters_must_be_as_many_as_the_statement_has() {
        let text = with("VALUES ($1, $2::bigint, $2)", &["1", ":n"]).expect("two");
        assert_eq!(text, "VALUES (1, :n::bigint, :n);\n");
        assert!(with("VALUES ($1, $2)", &["1"]).is_err());
        assert!(with("VALUES ($1)", &["1", "2"]).is_err());
    }

    #[test]
    fn the_list_of_places_stands_where_it_is_read() {
        let text = listings(&checkout(), "13", ":skip").expect("stands there");
        assert!(
            text.contains("\nSELECT l.id, l.type_id, l.slug, ") && text.contains("LEFT JOIN"),
            "{text}"
        );
        let facts = "l.review_date, l.address, l.phone, ";
        assert!(text.contains(facts) && !text.contains("{}"), "{text}");
    }
}

//! The references' statements, read from the services' sources so that they stay current. pgbench variables replace a
//! request's values: `:profile`, `:listing`, `:id`, `:skip`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};

/// The files with SQL that is built at run time, and with the column names of a place.
const BOOKMARKS: &str = "services/bookmarks/src/store/bookmarks.rs";
const LISTINGS: &str = "services/places/src/store/row.rs";
const COLUMNS: &str = "services/places/src/store/columns.rs";
const FACTS: &str = "services/places/src/domain/facts.rs";
const SEARCH: &str = "services/editorial/src/store/search/find.rs";

/// An event's trace and payload, as long as the services' own.
const TRACE: &str = "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'";
const PAYLOAD: &str = "decode(repeat('00', 14), 'hex')";

/// The sources of a checkout.
#[derive(Debug)]
pub(crate) struct Statements(PathBuf);

impl Statements {
    pub(crate) fn of(checkout: &Path) -> Self {
        Self(checkout.to_owned())
    }

    /// Returns a service's prepared statement that begins with this text (the shortest of several), with these
    /// parameters.
    fn prepared(&self, service: &str, begin: &str, parameters: &[&str]) -> anyhow::Result<String> {
        let folder = self.0.join("services").join(service).join(".sqlx");
        let mut found: Option<String> = None;
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let file: serde_json::Value = serde_json::from_slice(&fs::read(entry?.path())?)?;
            let query = file["query"].as_str().map(one_line).unwrap_or_default();
            let is_shorter = found.as_ref().is_none_or(|found| query.len() < found.len());
            if query.starts_with(begin) && is_shorter {
                found = Some(query);
            }
        }
        let found = found.with_context(|| format!("{service} has no statement {begin:?}"))?;
        with(&found, parameters)
    }

    /// Returns a change, its stamp and its event as one statement.
    fn changed(
        &self,
        service: &str,
        change: &str,
        (kind, delta): (&str, &str),
        own: &[&str],
    ) -> anyhow::Result<String> {
        let kind = format!("'{kind}'");
        let events = ["'profile.last_updates'", "'last_updated'", PAYLOAD, TRACE];
        let common = [":profile", &kind, "now()", delta, "gen_random_uuid()"];
        let parameters = [&common, events.as_slice(), own].concat();
        self.prepared(service, &format!("WITH changed AS ({change}"), &parameters)
    }

    /// Returns the statements that save and remove a favourite.
    pub(crate) fn favourite_toggled(&self) -> anyhow::Result<String> {
        let change = |change, delta, own: &[&str]| {
            self.changed("bookmarks", change, ("favourites", delta), own)
        };
        let own = ["'listing'", ":listing", "NULL::boolean", "NULL::boolean"];
        let insert = change("INSERT INTO bookmarks", "1", &own)?;
        Ok(stored(&insert) + &change("DELETE FROM bookmarks", "-1", &[":id"])?)
    }

    /// Returns the statements that change a vote, with the event of the place's sums.
    pub(crate) fn vote_changed(&self) -> anyhow::Result<String> {
        let lock = self.prepared("places", "INSERT INTO listing_votes AS v", &[":listing"])?;
        let vote = "SELECT id, listing_id, rating AS stars, date_created, is_counted FROM ratings \
                    WHERE profile_id = $1 AND listing_id";
        let vote = self.prepared("places", vote, &[":profile", ":listing"])?;
        let change = "UPDATE ratings SET rating = $11";
        let update = self.changed("places", change, ("ratings", "0"), &[":id", ":n % 5 + 1"])?;
        // The sums do not change here, so that they stay within their bounds.
        let sums = "UPDATE listing_votes SET sum";
        let sums = self.prepared("places", sums, &[":listing", "0", "0"])?;
        let insert = "INSERT INTO outbox (id, exchange, key, payload, traceparent, created_at, next_attempt_at) VALUES";
        let (id, exchange, key) = ("gen_random_uuid()", "'catalog'", "'listing.rated'");
        let event = [id, exchange, key, PAYLOAD, TRACE, "now()", "now()"];
        let event = self.prepared("chassis", insert, &event)?;
        let vote = stored(&vote);
        Ok(format!(
            "BEGIN;\n{lock}{vote}{update}{sums}{event}COMMIT;\n"
        ))
    }

    /// Returns the query of a reader's stamps.
    pub(crate) fn stamps(&self) -> anyhow::Result<String> {
        let select = "SELECT profile_id, kind, at, count FROM stamps WHERE profile_id = ANY($1)";
        self.prepared("chassis", select, &["ARRAY[:profile]::bigint[]"])
    }

    /// Returns the query of a reader's saved places, by id.
    pub(crate) fn map(&self) -> anyhow::Result<String> {
        let select = "SELECT id, target_id, is_done, (SELECT at FROM stamps";
        self.prepared("bookmarks", select, &[":profile", "'favourites'"])
    }

    /// Returns the queries of a reader's first page of favourites, of the stamp with their number, and of the places
    /// with these ids. An additional favourite shows whether there is a next page.
    pub(crate) fn favourites(&self, limit: usize, ids: &str) -> anyhow::Result<String> {
        let source = fs::read_to_string(self.0.join(BOOKMARKS))?;
        let list = after(&source, "async fn list(", BOOKMARKS)?;
        let select = part(list, "SELECT", BOOKMARKS)?;
        let stamp = "SELECT kind, at, count FROM stamps WHERE profile_id = $1 AND kind";
        let stamp = self.prepared("chassis", stamp, &[":profile", "'favourites'"])?;
        // The search path contains both services' schemas, and both have tables with these names.
        let stamp = stamp.replace("FROM stamps", "FROM bookmarks.stamps");
        let (columns, joins) = self.place()?;
        Ok(format!(
            "{stamp}{select} bookmarks b JOIN targets t ON t.id = b.target_id AND t.kind = 'listing' \
             WHERE b.profile_id = :profile AND b.kind = 'favourites' \
             ORDER BY b.created_at DESC, b.id DESC LIMIT {};\n\
             {columns} FROM places.listings l {joins} WHERE l.id = ANY({ids});\n",
            limit + 1
        ))
    }

    /// Returns the queries of a page of places, newest first, in two statements as in the service, and of the number of
    /// places. An additional row shows whether there is a next page.
    pub(crate) fn places(&self, limit: usize) -> anyhow::Result<String> {
        let count = "SELECT count FROM listing_counts";
        let count = self.prepared("places", count, &["0", "0"])?;
        let (columns, joins) = self.place()?;
        let order = "ORDER BY l.date_published DESC, l.id DESC";
        Ok(format!(
            "{count}SELECT array_agg(id) AS ids FROM (SELECT l.id FROM listings l WHERE true {order} \
             LIMIT {} OFFSET :skip) page \\gset\n\
             {columns} FROM listings l {joins} WHERE l.id = ANY(:ids::bigint[]) {order};\n",
            limit + 1
        ))
    }

    /// Returns the columns of a place, with the placeholder replaced by the names from other files, and its joins.
    fn place(&self) -> anyhow::Result<(String, String)> {
        let source = fs::read_to_string(self.0.join(LISTINGS))?;
        let text = |name: &str| {
            let text = after(&source, name, LISTINGS)?.split('"').nth(1);
            anyhow::Ok(one_line(text.context(LISTINGS)?))
        };
        let mut names = Vec::new();
        for (file, begin) in [(COLUMNS, "struct Columns {"), (FACTS, "$($tokens)*")] {
            // Lines of `name: type, …;`.
            let source = fs::read_to_string(self.0.join(file))?;
            let lines = after(&source, begin, file)?.lines().skip(1).map(str::trim);
            let fields = lines.map_while(|line| line.strip_suffix(';')?.split_once(": "));
            names.extend(fields.map(|(name, _)| format!("l.{name}")));
        }
        let columns = text("static COLUMNS")?.replacen("{}", &names.join(", "), 1);
        Ok((columns, text("const JOINS")?))
    }

    /// Returns the query of the candidates of a random search in `reference.searched`, which contains the words because
    /// pgbench variables are numbers.
    pub(crate) fn search(&self, queries: usize) -> anyhow::Result<String> {
        let source = fs::read_to_string(self.0.join(SEARCH))?;
        let function = |begin: &str| {
            let rest = after(&source, begin, SEARCH)?;
            anyhow::Ok(rest.split_once("\n}\n").map_or(rest, |(body, _)| body))
        };
        let candidates = function("async fn candidates(")?;
        let matching = function("fn push_matching(")?;
        let part = |of: &str, begin: &str| part(of, begin, SEARCH);
        let of_query =
            |column: &str| format!("(SELECT {column} FROM reference.searched WHERE n = :n_query)");
        let kinds = "ARRAY['listing', 'best_of_list', 'article', 'event', 'video'])";
        let parts = [
            part(candidates, "SELECT d.kind")?,
            of_query("terms"),
            part(candidates, "::text[]) WITH ORDINALITY")?,
            part(matching, "SELECT s.*, count")?,
            "5000".to_owned(),
            part(matching, "AS is_cut FROM")?,
            kinds.to_owned(),
            part(matching, "AND s.stems @@")?,
            of_query("wanted") + "::tsquery",
            part(matching, "LIMIT (SELECT")?,
            "5001".to_owned(),
            part(matching, "::bigint)) s ORDER BY 0.4")?,
            part(matching, "+ ts_rank")?,
            of_query("wanted") + &part(matching, "::tsquery)")?,
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
}

fn after<'a>(source: &'a str, begin: &str, file: &str) -> anyhow::Result<&'a str> {
    let found = source.split_once(begin);
    let (_, rest) = found.with_context(|| format!("{file} has no {begin:?}"))?;
    Ok(rest)
}

/// Returns the string literal that begins with this text.
fn part(source: &str, begin: &str, file: &str) -> anyhow::Result<String> {
    let mut texts = source.split('"');
    let found = texts.find(|text| text.trim_start().starts_with(begin));
    found
        .map(one_line)
        .with_context(|| format!("{file} has no {begin:?}"))
}

fn with(query: &str, parameters: &[&str]) -> anyhow::Result<String> {
    let mut text = query.to_owned();
    // In reverse order, so that $1 does not match in $12.
    for (at, parameter) in parameters.iter().enumerate().rev() {
        let place = format!("${}", at + 1);
        ensure!(text.contains(&place), "{query:?} has no {place}");
        text = text.replace(&place, parameter);
    }
    ensure!(
        !text.contains('$'),
        "{query:?} has more parameters than {parameters:?}"
    );
    Ok(text + ";\n")
}

/// Returns a statement whose columns become variables.
fn stored(statement: &str) -> String {
    // Removes sqlx's mark for columns without NULL, which is not part of a variable's name.
    let named = statement.replace("!\"", "\"");
    named.trim_end_matches(";\n").to_owned() + " \\gset\n"
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_has_the_parameters_of_the_services_statements() {
        let statements = Statements::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        for text in [
            statements.favourite_toggled(),
            statements.vote_changed(),
            statements.stamps(),
            statements.map(),
            statements.favourites(12, "ARRAY[1]"),
            statements.places(12),
            statements.search(300),
        ] {
            let text = text.expect("the services have these statements");
            assert!(!text.contains('$') && !text.contains("{}"), "{text}");
        }
        let search = statements.search(300).expect("the search");
        assert!(
            search.ends_with("ORDER BY starts_at LIMIT 1) o ON true;\n"),
            "{search}"
        );
        assert!(with("VALUES ($1, $2)", &["1"]).is_err());
        assert!(with("VALUES ($1)", &["1", "2"]).is_err());
    }
}

//! The statements that each reference runs in PostgreSQL, with the pgbench variables that stand for a
//! request's values: `:profile`, `:listing` (the id of the saved thing, of any kind), `:id`, `:skip`.

use std::path::Path;

use crate::{
    kinds::{EVENTS, Kind, RATINGS, TODOS},
    statements,
};

const BOOKMARKS: &str = "bookmarks";
const PLACES: &str = "places";
/// Stamps and events are the chassis's.
const CHASSIS: &str = "chassis";

/// An event's trace.
const TRACE: &str = "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'";
/// The event of a change, as long as the service's own.
const PAYLOAD: &str = "decode(repeat('00', 14), 'hex')";

/// A bookmark, its stamp and its event.
pub(crate) fn created(checkout: &Path, kind: &Kind) -> anyhow::Result<String> {
    let option = |of: &Kind| {
        if of.name == kind.name {
            "false"
        } else {
            "NULL::boolean"
        }
    };
    let target = format!("'{}'", kind.target);
    let own = [&target, ":listing", option(&TODOS), option(&EVENTS)];
    changed(
        checkout,
        BOOKMARKS,
        "INSERT INTO bookmarks",
        (kind, "1"),
        &own,
    )
}

/// A bookmark's deletion, its stamp and its event.
pub(crate) fn deleted(checkout: &Path, kind: &Kind) -> anyhow::Result<String> {
    changed(
        checkout,
        BOOKMARKS,
        "DELETE FROM bookmarks",
        (kind, "-1"),
        &[":id"],
    )
}

/// The transactions of saving a thing and removing it.
pub(crate) fn toggled(checkout: &Path, kind: &Kind) -> anyhow::Result<String> {
    if kind.name != RATINGS.name {
        return Ok(keeping(&created(checkout, kind)?) + &deleted(checkout, kind)?);
    }
    let insert = changed(
        checkout,
        PLACES,
        "INSERT INTO ratings",
        (kind, "1"),
        &[":listing", "5", "NULL", "'127.0.0.0/24'", "'an hour'"],
    )?;
    let from_source = |column: &str, source: &str| {
        let select = format!(
            r#"SELECT count(*) AS "count!" FROM ( SELECT FROM ratings WHERE listing_id = $1 AND {column}"#
        );
        let since = "now() - interval '1 hour'";
        statements::prepared(
            checkout,
            PLACES,
            &select,
            &[":listing", source, since, "20"],
        )
    };
    let remove = changed(
        checkout,
        PLACES,
        "DELETE FROM ratings",
        (kind, "-1"),
        &[":id"],
    )?;
    Ok([
        "BEGIN;\n".to_owned(),
        hold(checkout)?,
        find(checkout)?,
        from_source("network", "'127.0.0.0/24'")?,
        from_source("account_hour", "'an hour'")?,
        keeping(&insert),
        shifted(checkout, "5", "1")?,
        "COMMIT;\nBEGIN;\n".to_owned(),
        own(checkout)?,
        hold(checkout)?,
        own(checkout)?,
        remove,
        shifted(checkout, "-5", "-1")?,
        "COMMIT;\n".to_owned(),
    ]
    .concat())
}

/// The transaction of changing a vote.
pub(crate) fn rated(checkout: &Path) -> anyhow::Result<String> {
    let update = changed(
        checkout,
        PLACES,
        "UPDATE ratings SET rating = $11",
        (&RATINGS, "0"),
        &[":id", ":n % 5 + 1"],
    )?;
    Ok([
        "BEGIN;\n".to_owned(),
        hold(checkout)?,
        keeping(&find(checkout)?),
        update,
        // The sums are not exact here, and must stay within their bounds.
        shifted(checkout, "0", "0")?,
        "COMMIT;\n".to_owned(),
    ]
    .concat())
}

/// A place's lock.
fn hold(checkout: &Path) -> anyhow::Result<String> {
    let insert = "INSERT INTO listing_votes AS v";
    statements::prepared(checkout, PLACES, insert, &[":listing"])
}

/// A reader's vote on a place.
fn find(checkout: &Path) -> anyhow::Result<String> {
    let select = "SELECT id, listing_id, rating AS stars, date_created, is_counted FROM ratings \
                  WHERE profile_id = $1 AND listing_id";
    statements::prepared(checkout, PLACES, select, &[":profile", ":listing"])
}

/// A reader's vote by its id.
fn own(checkout: &Path) -> anyhow::Result<String> {
    let select = "SELECT id, listing_id, rating AS stars, date_created, is_counted FROM ratings \
                  WHERE profile_id = $1 AND id";
    statements::prepared(checkout, PLACES, select, &[":profile", ":id"])
}

/// A place's sums, and their event.
fn shifted(checkout: &Path, sum: &str, count: &str) -> anyhow::Result<String> {
    let update = "UPDATE listing_votes SET sum";
    let update = statements::prepared(checkout, PLACES, update, &[":listing", sum, count])?;
    let insert = "INSERT INTO outbox (id, exchange, key, payload, traceparent, created_at, next_attempt_at) VALUES";
    let event = [
        "gen_random_uuid()",
        "'catalog'",
        "'listing.rated'",
        PAYLOAD,
        TRACE,
        "now()",
        "now()",
    ];
    Ok(update + &statements::prepared(checkout, CHASSIS, insert, &event)?)
}

/// The service's statement of a change, its stamp and its event.
fn changed(
    checkout: &Path,
    service: &str,
    change: &str,
    (kind, delta): (&Kind, &str),
    own: &[&str],
) -> anyhow::Result<String> {
    let change = format!("WITH changed AS ({change}");
    let kind = format!("'{}'", kind.name);
    let common = [
        ":profile",
        &kind,
        "now()",
        delta,
        "gen_random_uuid()",
        "'profile.last_updates'",
        "'last_updated'",
        PAYLOAD,
        TRACE,
    ];
    statements::prepared(checkout, service, &change, &[&common, own].concat())
}

/// A statement whose columns become variables.
fn keeping(statement: &str) -> String {
    // Names that tell sqlx of a column without NULL are no names of variables.
    let named = statement.replace("!\"", "\"");
    named.trim_end_matches(";\n").to_owned() + " \\gset\n"
}

/// A reader's stamps.
pub(crate) fn stamps(checkout: &Path) -> anyhow::Result<String> {
    let select = "SELECT profile_id, kind, at, count FROM stamps WHERE profile_id = ANY($1)";
    statements::prepared(checkout, CHASSIS, select, &["ARRAY[:profile]::bigint[]"])
}

/// A reader's map of a kind, with its stamp.
pub(crate) fn map(checkout: &Path, kind: &Kind) -> anyhow::Result<String> {
    let select = "SELECT id, target_id, is_done, (SELECT at FROM stamps";
    let name = format!("'{}'", kind.name);
    statements::prepared(checkout, BOOKMARKS, select, &[":profile", &name])
}

/// A page of a reader's bookmarks of places, whose number the stamp holds, and the places with these ids; one more
/// bookmark shows whether there is a next page.
pub(crate) fn bookmarked(
    checkout: &Path,
    kind: &Kind,
    limit: usize,
    ids: &str,
) -> anyhow::Result<String> {
    let page = statements::bookmarks(checkout, kind, limit + 1)?;
    // Both services' schemas are searched, and bookmarks has tables of these names as well.
    let stamp = stamp(checkout, kind)?.replace("FROM stamps", "FROM bookmarks.stamps");
    let places = statements::places(checkout, ids)?;
    Ok(stamp + &page + &places.replace("FROM listings", "FROM places.listings"))
}

/// A reader's stamp of a kind.
fn stamp(checkout: &Path, kind: &Kind) -> anyhow::Result<String> {
    let select = "SELECT kind, at, count FROM stamps WHERE profile_id = $1 AND kind";
    let name = format!("'{}'", kind.name);
    statements::prepared(checkout, CHASSIS, select, &[":profile", &name])
}

/// A page of places, and their number; one more row shows whether there is a next page.
pub(crate) fn places(checkout: &Path, limit: usize) -> anyhow::Result<String> {
    let count = "SELECT count FROM listing_counts";
    let count = statements::prepared(checkout, PLACES, count, &["0", "0"])?;
    Ok(count + &statements::listings(checkout, &(limit + 1).to_string(), ":skip")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::{self, FAVOURITES};

    #[test]
    fn every_reference_gives_the_services_statements_as_many_parameters_as_they_have() {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let toggles = kinds::ALL.iter().map(|kind| toggled(&checkout, kind));
        let others = [
            created(&checkout, &FAVOURITES),
            deleted(&checkout, &FAVOURITES),
            rated(&checkout),
            stamps(&checkout),
            map(&checkout, &FAVOURITES),
            bookmarked(&checkout, &FAVOURITES, 12, "ARRAY[1]"),
            places(&checkout, 12),
        ];
        for text in toggles.chain(others) {
            let text = text.expect("the services have these statements");
            assert!(!text.contains('$'), "{text}");
        }
    }

    #[test]
    fn columns_become_variables_with_plain_names() {
        assert_eq!(
            keeping("SELECT 1 AS \"id!\";\n"),
            "SELECT 1 AS \"id\" \\gset\n"
        );
    }
}

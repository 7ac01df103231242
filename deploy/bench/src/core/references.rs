//! The statements that each reference runs in PostgreSQL, with the pgbench variables that stand for a
//! request's values: `:profile`, `:listing`, `:id`, `:skip`.

use std::path::Path;

use crate::statements;

const BOOKMARKS: &str = "bookmarks";
/// Stamps and events are the chassis's.
const CHASSIS: &str = "chassis";

/// A favourite, its stamp and its event.
pub(super) fn created(checkout: &Path) -> anyhow::Result<String> {
    changed(
        checkout,
        "INSERT INTO bookmarks",
        "1",
        &["'listing'", ":listing"],
    )
}

/// A favourite's deletion, its stamp and its event.
pub(super) fn deleted(checkout: &Path) -> anyhow::Result<String> {
    changed(checkout, "DELETE FROM bookmarks", "-1", &[":id"])
}

/// The service's statement of a change, its stamp and its event.
fn changed(checkout: &Path, change: &str, delta: &str, own: &[&str]) -> anyhow::Result<String> {
    let change = format!("WITH changed AS ({change}");
    let common = [
        ":profile",
        "'favourites'",
        "now()",
        delta,
        "gen_random_uuid()",
        "'profile.last_updates'",
        "'last_updated'",
        // As long as the service's own.
        "decode(repeat('00', 14), 'hex')",
        "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'",
    ];
    statements::prepared(checkout, BOOKMARKS, &change, &[&common, own].concat())
}

/// A reader's stamps.
pub(super) fn stamps(checkout: &Path) -> anyhow::Result<String> {
    let select = "SELECT profile_id, kind, at, count FROM stamps WHERE profile_id = ANY($1)";
    statements::prepared(checkout, CHASSIS, select, &["ARRAY[:profile]::bigint[]"])
}

/// A page of places, and their number; one more row shows whether there is a next page.
pub(crate) fn places(checkout: &Path, limit: usize) -> anyhow::Result<String> {
    let count = "SELECT count FROM listing_counts";
    let count = statements::prepared(checkout, "places", count, &["0", "0"])?;
    Ok(count + &statements::listings(checkout, &(limit + 1).to_string(), ":skip")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_gives_the_services_statements_as_many_parameters_as_they_have() {
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for text in [
            created(&checkout),
            deleted(&checkout),
            stamps(&checkout),
            places(&checkout, 12),
        ] {
            let text = text.expect("the services have these statements");
            assert!(!text.contains('$'), "{text}");
        }
    }
}

//! The statements that each reference runs in PostgreSQL, with the pgbench variables that stand for a
//! request's values: `:profile`, `:listing`, `:id`, `:skip`.

use std::path::Path;

use crate::statements;

const BOOKMARKS: &str = "bookmarks";
/// Stamps and events are the chassis's.
const CHASSIS: &str = "chassis";

/// A favourite and its stamp, and the event, in one transaction.
pub(super) fn created(checkout: &Path) -> anyhow::Result<String> {
    let favourite = [
        ":profile",
        "'favourites'",
        "now()",
        "1",
        "'listing'",
        ":listing",
    ];
    changed(checkout, "INSERT INTO bookmarks", &favourite)
}

/// A favourite's deletion and its stamp, and the event, in one transaction.
pub(super) fn deleted(checkout: &Path) -> anyhow::Result<String> {
    let favourite = [":profile", "'favourites'", "now()", "-1", ":id"];
    changed(checkout, "DELETE FROM bookmarks", &favourite)
}

/// A stamped change of the service, and its event in the outbox.
fn changed(checkout: &Path, change: &str, values: &[&str]) -> anyhow::Result<String> {
    let change = format!("WITH changed AS ({change}");
    let change = statements::prepared(checkout, BOOKMARKS, &change, values)?;
    let event = [
        "gen_random_uuid()",
        "'profile.last_updates'",
        "'last_updated'",
        // As long as the service's own.
        "decode(repeat('00', 28), 'hex')",
        "'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00'",
        "now()",
        "now()",
    ];
    let event = statements::prepared(checkout, CHASSIS, "INSERT INTO outbox", &event)?;
    Ok(["BEGIN;\n", &change, &event, "COMMIT;\n"].concat())
}

/// A reader's stamps.
pub(super) fn stamps(checkout: &Path) -> anyhow::Result<String> {
    let select = "SELECT profile_id, kind, at, count FROM stamps WHERE profile_id = ANY($1)";
    statements::prepared(checkout, CHASSIS, select, &["ARRAY[:profile]::bigint[]"])
}

/// A page of places, and their number; one more row shows whether there is a next page.
pub(super) fn places(checkout: &Path, limit: usize) -> anyhow::Result<String> {
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

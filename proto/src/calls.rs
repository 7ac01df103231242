//! What is known of a call by its path: its name in metrics and spans, and whether it only reads.

/// The paths of all calls, sorted, and whether each only reads.
const CALLS: &[(&str, bool)] = &include!(concat!(env!("OUT_DIR"), "/calls.rs"));

/// The name of every other path, as OpenTelemetry's conventions have it for methods of HTTP.
const OTHER: &str = "_OTHER";

/// The name of a call with this path: the path itself if a contract has it, otherwise `_OTHER`. A stranger's
/// paths make no series of their own.
#[must_use]
pub fn call_name(path: &str) -> &'static str {
    find(path).map_or(OTHER, |(name, _)| name)
}

/// Whether the contract of the call with this path says that it only reads (`NO_SIDE_EFFECTS`).
#[must_use]
pub fn is_read(path: &str) -> bool {
    find(path).is_some_and(|(_, is_read)| is_read)
}

fn find(path: &str) -> Option<(&'static str, bool)> {
    let index = CALLS.binary_search_by_key(&path, |(name, _)| name).ok()?;
    Some(CALLS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_by_its_path_and_nothing_else_is() {
        assert!(CALLS.is_sorted());
        for &(path, _) in CALLS {
            assert_eq!(call_name(path), path);
        }
        let path = "/cityguide.places.v1.Places/ListListings";
        assert_eq!(call_name(path), path);
        for path in ["", "/", "/cityguide.places.v1.Places/ListListing", "/AAA1"] {
            assert_eq!(call_name(path), OTHER, "{path}");
        }
    }
    #[test]
    fn a_call_only_reads_if_its_contract_says_so() {
        assert!(is_read("/cityguide.places.v1.Places/ListListings"));
        for path in ["/cityguide.places.v1.Places/Rate", "/AAA1", ""] {
            assert!(!is_read(path), "{path}");
        }
    }
}

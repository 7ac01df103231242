//! The names of calls in metrics and spans.

/// The paths of all calls, sorted.
const CALLS: &[&str] = &include!(concat!(env!("OUT_DIR"), "/calls.rs"));

/// The name of every other path, as OpenTelemetry's conventions have it for methods of HTTP.
const OTHER: &str = "_OTHER";

/// The name of a call with this path: the path itself if a contract has it, otherwise `_OTHER`. A stranger's
/// paths make no series of their own.
#[must_use]
pub fn call_name(path: &str) -> &'static str {
    CALLS
        .binary_search(&path)
        .map_or(OTHER, |index| CALLS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_by_its_path_and_nothing_else_is() {
        assert!(CALLS.is_sorted());
        for &path in CALLS {
            assert_eq!(call_name(path), path);
        }
        let path = "/cityguide.places.v1.Places/ListListings";
        assert_eq!(call_name(path), path);
        for path in ["", "/", "/cityguide.places.v1.Places/ListListing", "/AAA1"] {
            assert_eq!(call_name(path), OTHER, "{path}");
        }
    }
}

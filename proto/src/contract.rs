//! Properties of a call by its path: the name in metrics and spans, and whether the call only reads.

/// The name of all other paths, as in OpenTelemetry's conventions for HTTP methods.
const OTHER: &str = "_OTHER";

/// The calls of a service.
#[derive(Debug, Clone, Copy)]
pub struct Contract(&'static [(&'static str, bool)]);

impl Contract {
    /// The contract with these calls, sorted by path: the path of each call, and whether the call only reads.
    #[must_use]
    pub const fn new(calls: &'static [(&'static str, bool)]) -> Self {
        Self(calls)
    }

    /// The name of the call with this path: the path if the contract contains it, otherwise `_OTHER`, so that unknown
    /// paths do not create new metric series.
    #[must_use]
    pub fn call_name(self, path: &str) -> &'static str {
        self.find(path).map_or(OTHER, |(name, _)| name)
    }

    /// Whether the contract says that the call with this path only reads (`NO_SIDE_EFFECTS`).
    #[must_use]
    pub fn is_read(self, path: &str) -> bool {
        self.find(path).is_some_and(|(_, is_read)| is_read)
    }

    fn find(self, path: &str) -> Option<(&'static str, bool)> {
        let index = self.0.binary_search_by_key(&path, |(name, _)| name).ok()?;
        Some(self.0[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_named_by_its_path_and_reads_only_if_its_contract_says_so() {
        let contract =
            Contract::new(&[("/places.Places/Get", true), ("/places.Places/Rate", false)]);
        for (path, name, is_read) in [
            ("/places.Places/Get", "/places.Places/Get", true),
            ("/places.Places/Rate", "/places.Places/Rate", false),
            ("/places.Places/Ge", OTHER, false),
            ("/AAA1", OTHER, false),
            ("", OTHER, false),
        ] {
            assert_eq!(
                (contract.call_name(path), contract.is_read(path)),
                (name, is_read)
            );
        }
    }
}

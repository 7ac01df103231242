//! `last_updates`: when each kind of saved objects last changed.

use std::collections::BTreeMap;

use chassis::instant;
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

/// Time of the last change of each kind, including removals; null if there has been no change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(value_type = BTreeMap<String, Option<String>>)]
pub(crate) struct LastUpdates(BTreeMap<&'static str, Option<String>>);

impl LastUpdates {
    /// Combines the times that services report. If a kind is reported twice, the later time counts.
    pub(crate) fn new(reported: impl IntoIterator<Item = (String, DateTime<Utc>)>) -> Self {
        let mut all = Self(Kind::ALL.map(|kind| (kind.name(), None)).into());
        for (kind, at) in reported {
            all.take(&kind, at);
        }
        all
    }

    /// Stores a time if it is later than the stored one. Returns whether it was stored.
    pub(crate) fn take(&mut self, kind: &str, at: DateTime<Utc>) -> bool {
        let at = instant::to_rfc3339(at);
        match self.0.get_mut(kind) {
            // RFC 3339 in UTC with a fixed number of digits sorts chronologically.
            Some(known) if known.as_ref().is_none_or(|known| *known < at) => {
                *known = Some(at);
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_instant_counts_and_unknown_kinds_do_not() {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).expect("an instant");
        let mut all = LastUpdates::new([
            ("favourites".to_owned(), at(10)),
            ("socks".to_owned(), at(10)),
        ]);
        assert_eq!(all.0.len(), Kind::ALL.len());
        assert!(!all.take("favourites", at(9)) && !all.take("favourites", at(10)));
        assert!(all.take("favourites", at(11)) && all.take("todos", at(1)));
        assert_eq!(
            all.0["favourites"].as_deref(),
            Some("1970-01-01T00:00:11.000Z")
        );
    }
}

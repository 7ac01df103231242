//! The import report: outcomes counted by kind, the first changes, and each refusal with its reason.

use std::collections::BTreeMap;

use cityguide_proto::intake::v1 as proto;

use super::item::{Kind, Origin};

/// The maximum number of changes listed in a report; the counts include all.
const MAX_CHANGES: usize = 500;
/// The maximum size of the listed refusals in bytes, enough for about ten thousand refusals: a gRPC message is limited
/// to 4 MiB.
const LISTED_REFUSALS: usize = 2 << 20;

/// The names of the fields in which two values of a struct differ. A field missing from the list is a compile error, so
/// no field is forgotten.
#[macro_export]
macro_rules! difference {
    ($kind:ident, $before:expr, $after:expr, { $($field:ident: $name:literal),+ $(,)? }) => {{
        let $kind { $($field),+ } = &$before;
        let mut fields: Vec<&'static str> = Vec::new();
        $(if *$field != $after.$field && !fields.contains(&$name) {
            fields.push($name);
        })+
        fields
    }};
}

/// The outcome of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The item is new.
    Created,
    /// The item differs from the stored one in these fields.
    Changed(Vec<&'static str>),
    /// An identical item is already stored.
    Unchanged,
}

impl Outcome {
    /// The outcome for an item that is already stored, from the fields that differ.
    #[must_use]
    pub fn of_difference(fields: Vec<&'static str>) -> Self {
        if fields.is_empty() {
            Self::Unchanged
        } else {
            Self::Changed(fields)
        }
    }
}

/// The report of an import in progress.
#[derive(Debug)]
pub(super) struct Report<K> {
    counts: BTreeMap<K, proto::Counts>,
    refusals: Vec<proto::Refusal>,
    refused_bytes: usize,
    changes: Vec<proto::Change>,
}

impl<K> Default for Report<K> {
    fn default() -> Self {
        Self {
            counts: BTreeMap::new(),
            refusals: Vec::new(),
            refused_bytes: 0,
            changes: Vec::new(),
        }
    }
}

impl<K: Kind> Report<K> {
    pub(super) fn refuse(&mut self, kind: K, origin: Origin, reason: String) {
        self.counts.entry(kind).or_default().refused += 1;
        let bytes = origin.position.len() + origin.source_id.len() + reason.len();
        self.refused_bytes += bytes;
        if self.refused_bytes <= LISTED_REFUSALS {
            self.refusals.push(proto::Refusal {
                position: origin.position,
                source_id: origin.source_id,
                reason,
            });
        }
    }

    pub(super) fn note(&mut self, kind: K, origin: Origin, outcome: Outcome) {
        let counts = self.counts.entry(kind).or_default();
        let (is_new, fields) = match outcome {
            Outcome::Unchanged => {
                counts.unchanged += 1;
                return;
            }
            Outcome::Created => {
                counts.created += 1;
                (true, Vec::new())
            }
            Outcome::Changed(fields) => {
                counts.changed += 1;
                (false, fields)
            }
        };
        if self.changes.len() < MAX_CHANGES {
            self.changes.push(proto::Change {
                position: origin.position,
                source_id: origin.source_id,
                is_new,
                fields: fields.into_iter().map(str::to_owned).collect(),
            });
        }
    }

    /// The number of refused items.
    pub(super) fn refused(&self) -> u32 {
        let refused = self.counts.values().map(|counts| counts.refused);
        refused.fold(0, u32::saturating_add)
    }

    /// The number of created or changed items of a kind.
    pub(super) fn written(&self, kind: K) -> u32 {
        let counts = self.counts.get(&kind).copied().unwrap_or_default();
        counts.created + counts.changed
    }

    /// The report to return to the sender.
    pub(super) fn answer(self, applied: bool) -> proto::Report {
        let kinds = self.counts.into_iter().map(|(kind, counts)| {
            let kind = kind.plural().to_owned();
            let counts = Some(counts);
            proto::KindCounts { kind, counts }
        });
        proto::Report {
            kinds: kinds.collect(),
            refusals: self.refusals,
            applied,
            changes: self.changes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Item {
        Type,
        Place,
    }

    impl Kind for Item {
        fn plural(self) -> &'static str {
            match self {
                Self::Type => "types",
                Self::Place => "places",
            }
        }
    }

    fn origin(position: usize) -> Origin {
        Origin {
            position: position.to_string(),
            source_id: String::new(),
        }
    }

    #[test]
    fn a_report_lists_changes_up_to_a_limit_and_counts_all_in_the_order_of_kinds() {
        let mut report = Report::default();
        report.note(Item::Place, origin(0), Outcome::Unchanged);
        for number in 1..=2 * MAX_CHANGES {
            let outcome = Outcome::of_difference(vec!["name"]);
            report.note(Item::Place, origin(number), outcome);
        }
        report.refuse(Item::Type, origin(0), "why".to_owned());
        assert_eq!(report.written(Item::Type), 0);
        assert_eq!(report.written(Item::Place), 1000);
        let answer = report.answer(true);
        assert_eq!(answer.changes.len(), MAX_CHANGES);
        assert_eq!(answer.changes[0].position, "1");
        assert_eq!(answer.changes[0].fields, ["name"]);
        let counts = |created, changed, unchanged, refused| {
            Some(proto::Counts {
                created,
                changed,
                unchanged,
                refused,
            })
        };
        let kinds = answer.kinds.iter().map(|of| (of.kind.as_str(), of.counts));
        assert_eq!(
            kinds.collect::<Vec<_>>(),
            [
                ("types", counts(0, 0, 0, 1)),
                ("places", counts(0, 1000, 1, 0))
            ]
        );
        assert_eq!(Outcome::of_difference(Vec::new()), Outcome::Unchanged);
    }

    struct Place {
        name: &'static str,
        latitude: i32,
        longitude: i32,
    }

    #[test]
    fn a_difference_names_each_group_of_fields_once() {
        let before = Place {
            name: "Pai",
            latitude: 436,
            longitude: -794,
        };
        let after = Place {
            name: "Pai",
            latitude: 437,
            longitude: -793,
        };
        let fields = difference!(Place, before, after, {
            name: "name", latitude: "position", longitude: "position",
        });
        assert_eq!(fields, ["position"]);
    }
}

//! The report of an import: outcomes counted, and each refusal with its reason.

use cityguide_proto::intake::v1 as proto;

/// Changes that a report lists one by one; the counts cover all.
const MOST_CHANGES: usize = 500;

/// The names of the fields in which two values of a struct differ. A field that is not named here does
/// not compile, so none is forgotten.
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

/// The outcome of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Created,
    /// It differs from what stood, in these fields.
    Changed(Vec<&'static str>),
    /// It stood already.
    Unchanged,
}

/// The number of items of one kind that were created, changed, left as they are and refused; together the
/// input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// New ones.
    pub created: u32,
    /// Those that differed.
    pub changed: u32,
    /// Those that stood already.
    pub unchanged: u32,
    /// Those that were not taken.
    pub refused: u32,
}

impl Outcome {
    /// The outcome for an item that stood, by what differs.
    #[must_use]
    pub fn of_difference(fields: Vec<&'static str>) -> Self {
        if fields.is_empty() {
            Self::Unchanged
        } else {
            Self::Changed(fields)
        }
    }
}

impl Counts {
    /// Counts one item.
    pub fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Changed(_) => self.changed += 1,
            Outcome::Unchanged => self.unchanged += 1,
        }
    }
}

impl From<Counts> for proto::Counts {
    fn from(counts: Counts) -> Self {
        let Counts {
            created,
            changed,
            unchanged,
            refused,
        } = counts;
        Self {
            created,
            changed,
            unchanged,
            refused,
        }
    }
}

/// An item that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Where it stands in its input.
    pub position: String,
    /// Its identity across imports.
    pub source_id: String,
    /// Why it was not taken.
    pub reason: String,
}

impl From<Refusal> for proto::Refusal {
    fn from(refusal: Refusal) -> Self {
        let Refusal {
            position,
            source_id,
            reason,
        } = refusal;
        Self {
            position,
            source_id,
            reason,
        }
    }
}

/// An item that was made or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    position: String,
    source_id: String,
    is_new: bool,
    fields: Vec<&'static str>,
}

/// The items that an import makes and changes, up to the report's limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes(Vec<Change>);

impl Changes {
    /// Notes what became of an item.
    pub fn note(&mut self, position: String, source_id: String, outcome: Outcome) {
        let (is_new, fields) = match outcome {
            Outcome::Unchanged => return,
            Outcome::Created => (true, Vec::new()),
            Outcome::Changed(fields) => (false, fields),
        };
        if self.0.len() < MOST_CHANGES {
            self.0.push(Change {
                position,
                source_id,
                is_new,
                fields,
            });
        }
    }
}

impl From<Changes> for Vec<proto::Change> {
    fn from(changes: Changes) -> Self {
        let told = changes.0.into_iter().map(|change| proto::Change {
            position: change.position,
            source_id: change.source_id,
            is_new: change.is_new,
            fields: change.fields.into_iter().map(str::to_owned).collect(),
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_of_changes_up_to_a_limit() {
        let mut changes = Changes::default();
        changes.note("a".into(), "a".into(), Outcome::Unchanged);
        for number in 0..2 * MOST_CHANGES {
            let outcome = Outcome::of_difference(vec!["name"]);
            changes.note(format!("{number}"), String::new(), outcome);
        }
        let told = Vec::<proto::Change>::from(changes);
        assert_eq!(told.len(), MOST_CHANGES);
        assert_eq!(told[0].position, "0");
        assert_eq!(told[0].fields, ["name"]);
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

//! What became of the items of an import: counted, and each refusal with its reason.

use cityguide_proto::intake::v1 as proto;

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Created,
    /// It differs from what stood.
    Changed,
    /// It stood already.
    Unchanged,
}

/// How many items of one kind were created, changed, left as they are and refused; together the
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

impl Counts {
    /// Counts one item.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Changed => self.changed += 1,
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

//! What an import did.

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Created,
    Changed,
    Unchanged,
}

/// How many items of one kind were created, changed, left as they are and refused; together the
/// input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) created: u32,
    pub(crate) changed: u32,
    pub(crate) unchanged: u32,
    pub(crate) refused: u32,
}

impl Counts {
    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Changed => self.changed += 1,
            Outcome::Unchanged => self.unchanged += 1,
        }
    }
}

/// An item that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Where it stands in its input.
    pub(crate) position: String,
    pub(crate) source_id: String,
    pub(crate) reason: String,
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) types: Counts,
    pub(crate) neighbourhoods: Counts,
    pub(crate) listings: Counts,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) applied: bool,
}

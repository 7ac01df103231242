//! The report of an import.

use chassis::intake::{Changes, Counts, Refusal};

/// The outcomes of each kind of item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) types: Counts,
    pub(crate) neighbourhoods: Counts,
    pub(crate) listings: Counts,
    pub(crate) best_of_lists: Counts,
    pub(crate) changes: Changes,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) applied: bool,
}

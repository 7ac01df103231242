//! The report of an import.

use std::collections::BTreeMap;

use chassis::intake::{Changes, Counts, Refusal};

use super::Kind;

/// The outcomes of each kind of item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) kinds: BTreeMap<Kind, Counts>,
    pub(crate) changes: Changes,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) applied: bool,
}

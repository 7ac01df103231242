//! What an import did.

use std::collections::BTreeMap;

use chassis::intake::{Changes, Counts, Refusal};

use super::Kind;

/// What became of the items of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) kinds: BTreeMap<Kind, Counts>,
    pub(crate) changes: Changes,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) applied: bool,
}

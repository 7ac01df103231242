//! Suggestions for a query that is being typed: pure functions over data in memory, for the service with the index and
//! for the processes that answer suggestion requests.

mod folded;
mod kind;
mod labels;
mod names;
mod suggest;
mod wire;

pub use folded::{cut, folded};
pub use kind::DocumentKind;
pub use labels::{Field, Labels, Named};
pub use names::{Builder, Changes, Entry, Key, Names, Rebuilding, Suggested};
pub use suggest::{Suggestion, Target, corrected, suggestions};
pub use wire::{Received, Snapshot, changes_to_wire, labels_to_wire, request_after, whole_to_wire};

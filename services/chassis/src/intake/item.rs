//! An imported item: its kind, its origin, and its content or the reason that it cannot be read.

use cityguide_proto::intake::v1::Finish;

/// A kind of item; reports list kinds in this order.
pub trait Kind: Copy + Ord + Send {
    /// The plural name for publishers: "places".
    fn plural(self) -> &'static str;

    /// The namespace in which a source id is unique; by default, each kind has its own namespace.
    fn namespace(self) -> &'static str {
        self.plural()
    }

    /// Whether items of the kind have source ids, so that an input with a duplicate is refused. The ids are kept until
    /// the end of the import, so a kind with an unlimited number of items, such as table rows, has no source ids; its
    /// service detects duplicates.
    fn is_told_apart(self) -> bool {
        true
    }
}

/// The origin of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The position in the input: a file, a line and a column.
    pub position: String,
    /// The identity across imports, trimmed.
    pub source_id: String,
}

impl Origin {
    /// Creates an origin from an item's position and source id.
    #[must_use]
    pub fn new(position: &str, source_id: &str) -> Self {
        Self {
            position: position.to_owned(),
            source_id: source_id.trim().to_owned(),
        }
    }
}

/// A message of an import stream.
#[derive(Debug)]
pub enum Message<K, T> {
    /// An item.
    Item {
        /// The item's kind.
        kind: K,
        /// The item's origin.
        origin: Origin,
        /// The content, or the reason why the item cannot be read.
        item: Result<T, String>,
    },
    /// The end of the input; without this message, an import changes nothing.
    Finish(Finish),
}

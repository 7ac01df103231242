//! An item of an import as it arrives: its kind, its origin, and whether it could be read.

use cityguide_proto::intake::v1::Finish;

/// A kind of item; reports list kinds in their order.
pub trait Kind: Copy + Ord + Send {
    /// Its name for publishers, in the plural: "places".
    fn plural(self) -> &'static str;

    /// The namespace in which a source id is unique; by default each kind has its own.
    fn namespace(self) -> &'static str {
        self.plural()
    }

    /// Whether its items have source ids, so that an input that repeats one is refused. Ids are kept until the end of the
    /// import; a kind with any number of items, such as the rows of a table, has none, and its service recognises repeated
    /// ones.
    fn is_told_apart(self) -> bool {
        true
    }
}

/// The origin of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its position in the input: a file, a line and a column.
    pub position: String,
    /// Its identity across imports, without blanks around it.
    pub source_id: String,
}

impl Origin {
    /// The origin that an item names.
    #[must_use]
    pub fn new(position: &str, source_id: &str) -> Self {
        Self {
            position: position.to_owned(),
            source_id: source_id.trim().to_owned(),
        }
    }
}

/// One message of an import.
#[derive(Debug)]
pub enum Message<K, T> {
    /// An item, or the reason why it cannot be read.
    Item {
        /// Its kind.
        kind: K,
        /// Its origin.
        origin: Origin,
        /// Its content.
        item: Result<T, String>,
    },
    /// The end of the input; without one, an import changes nothing.
    Finish(Finish),
}

//! A reader's own picture.

use pictures::{AVATAR, Size};
use uuid::Uuid;

/// The sizes that are made of each avatar.
pub(crate) static AVATAR_SIZES: [&Size; 1] = [&AVATAR];

/// What is kept of a reader's own picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Avatar {
    /// The folder of its files; `None` if the reader has none.
    pub(crate) name: Option<Uuid>,
    /// The one that is being made.
    pub(crate) next: Option<NextAvatar>,
    /// Why the last one could not be made; empty otherwise.
    pub(crate) refusal: String,
}

/// An avatar that is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextAvatar {
    /// The folder of its files.
    pub(crate) name: Uuid,
    /// The received file.
    pub(crate) incoming: Uuid,
}

impl Avatar {
    /// Whether this is the one that is being made.
    pub(crate) fn is_next(&self, name: Uuid) -> bool {
        self.next.is_some_and(|next| next.name == name)
    }
}

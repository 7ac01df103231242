//! Readers' profile pictures.

use pictures::{AVATAR, Size};
use uuid::Uuid;

/// The sizes of each avatar.
pub(crate) static AVATAR_SIZES: [&Size; 1] = [&AVATAR];

/// The stored state of a reader's avatar.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Avatar {
    /// The folder of the avatar's files; `None` if the reader has no avatar.
    pub(crate) name: Option<Uuid>,
    /// The avatar being made.
    pub(crate) next: Option<NextAvatar>,
    /// The reason that the last avatar could not be made; empty otherwise.
    pub(crate) refusal: String,
}

/// An avatar being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NextAvatar {
    /// The folder of the avatar's files.
    pub(crate) name: Uuid,
    /// The id of the received file.
    pub(crate) incoming: Uuid,
}

impl Avatar {
    /// Whether this is the avatar being made.
    pub(crate) fn is_next(&self, name: Uuid) -> bool {
        self.next.is_some_and(|next| next.name == name)
    }
}

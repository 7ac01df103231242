//! Job payloads.

use chassis::postgres::jobs::Job;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Makes the sizes of a photo.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MakeSizes {
    pub(crate) photo_id: i64,
    /// The folder of the photo's files.
    pub(crate) name: Uuid,
    /// The memory for the file and its processing, in bytes.
    pub(crate) memory: u64,
}

impl Job for MakeSizes {
    const KIND: &'static str = "make_photo_sizes";
}

/// Makes an avatar.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MakeAvatar {
    pub(crate) profile_id: i64,
    /// The folder of the avatar's files.
    pub(crate) name: Uuid,
    /// The memory for the file and its processing, in bytes.
    pub(crate) memory: u64,
}

impl Job for MakeAvatar {
    const KIND: &'static str = "make_avatar";
}

/// Deletes the files of a picture.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DeleteFiles {
    /// The picture's folder.
    pub(crate) name: Uuid,
    /// The received file, if it still exists.
    pub(crate) incoming: Option<Uuid>,
}

impl Job for DeleteFiles {
    const KIND: &'static str = "delete_photo_files";
}

//! Job payloads.

use chassis::postgres::jobs::Job;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A photo whose sizes are to be made.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MakeSizes {
    pub(crate) photo_id: i64,
    /// The folder of its files.
    pub(crate) name: Uuid,
    /// Bytes of memory that the file and the work on it need.
    pub(crate) memory: u64,
}

impl Job for MakeSizes {
    const KIND: &'static str = "make_photo_sizes";
}

/// An avatar to make.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MakeAvatar {
    pub(crate) profile_id: i64,
    /// The folder of its files.
    pub(crate) name: Uuid,
    /// Bytes of memory that the file and the work on it need.
    pub(crate) memory: u64,
}

impl Job for MakeAvatar {
    const KIND: &'static str = "make_avatar";
}

/// Files to delete.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DeleteFiles {
    /// The picture's folder.
    pub(crate) name: Uuid,
    /// The received file, if there is one yet.
    pub(crate) incoming: Option<Uuid>,
}

impl Job for DeleteFiles {
    const KIND: &'static str = "delete_photo_files";
}

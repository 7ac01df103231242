//! Decisions about photos and uploaders: the audit trail.

use chrono::{DateTime, Utc};

use super::photo::named;

named! {
    /// A decision about a photo or its uploader.
    Act {
        /// A photo was published.
        Accepted = "accepted",
        /// A photo was refused.
        Refused = "refused",
        /// A photo was hidden because of reports.
        Hidden = "hidden",
        /// A reader was forbidden to upload.
        Banned = "banned",
        /// A reader was allowed to upload again.
        Allowed = "allowed",
        /// A reader's avatar was removed.
        AvatarRemoved = "avatar-removed",
    }
}

/// An entry of the audit trail.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) act: String,
    pub(crate) reason: String,
    /// The operator's name; empty for the system itself.
    pub(crate) operator: String,
    pub(crate) at: DateTime<Utc>,
}

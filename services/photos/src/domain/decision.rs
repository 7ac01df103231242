//! Decisions about photos and uploaders: the audit trail.

use chrono::{DateTime, Utc};

use super::photo::named;

named! {
    /// What was decided.
    Act {
        /// A photo is published.
        Accepted = "accepted",
        /// A photo is refused.
        Refused = "refused",
        /// Reports have hidden a photo.
        Hidden = "hidden",
        /// A reader may not upload any more.
        Banned = "banned",
        /// A reader may upload again.
        Allowed = "allowed",
        /// A reader's own picture is removed.
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

//! Readers' reports about photos.

use chrono::{DateTime, Utc};

use super::photo::named;

named! {
    read
    /// The reason for a report.
    ReportReason {
        /// The photo shows another place.
        NotThisPlace = "not-this-place",
        /// The photo is offensive.
        Offensive = "offensive",
        /// The photo infringes a copyright.
        Copyright = "copyright",
        /// The photo shows a person who does not consent.
        Privacy = "privacy",
        /// Another reason, given in the comment.
        Other = "other",
    }
}

/// A report, as shown to operators: without its author.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) reason: String,
    pub(crate) comment: String,
    pub(crate) at: DateTime<Utc>,
}

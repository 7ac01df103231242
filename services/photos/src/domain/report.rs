//! Reports: readers tell that something is wrong with a photo.

use chrono::{DateTime, Utc};

use super::photo::named;

named! {
    read
    /// What is wrong with a photo.
    ReportReason {
        /// It shows another place.
        NotThisPlace = "not-this-place",
        /// It is offensive.
        Offensive = "offensive",
        /// It belongs to somebody else.
        Copyright = "copyright",
        /// It shows somebody who does not want it.
        Privacy = "privacy",
        /// The comment says.
        Other = "other",
    }
}

/// A report as operators see it: without its author.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) reason: String,
    pub(crate) comment: String,
    pub(crate) at: DateTime<Utc>,
}

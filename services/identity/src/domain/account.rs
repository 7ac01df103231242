//! Accounts as operators see them.

use chrono::{DateTime, Utc};

use super::Profile;

/// An account with what support needs to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SupportView {
    pub(crate) profile: Profile,
    /// When an operator has disabled it.
    pub(crate) disabled_at: Option<DateTime<Utc>>,
    /// The number of live sessions.
    pub(crate) sessions: i64,
    /// The last activity of any of them.
    pub(crate) last_active_at: Option<DateTime<Utc>>,
}

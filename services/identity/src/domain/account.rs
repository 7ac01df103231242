//! Accounts, as shown to operators.

use chrono::{DateTime, Utc};

use super::Profile;

/// An account with the data that support needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SupportView {
    pub(crate) profile: Profile,
    /// When an operator disabled the account.
    pub(crate) disabled_at: Option<DateTime<Utc>>,
    /// The number of live sessions.
    pub(crate) sessions: i64,
    /// The last activity of any live session.
    pub(crate) last_active_at: Option<DateTime<Utc>>,
}

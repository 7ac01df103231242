//! A request for a new password.

use chassis::postgres::jobs::Job;
use serde::{Deserialize, Serialize};

/// A request for a new password, as it is queued.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PasswordReset {
    /// The address as it was typed, possibly unregistered.
    pub(crate) email: String,
    /// The network from which it was asked for, for the audit log; `None` if it is unknown.
    pub(crate) network: Option<String>,
}

impl Job for PasswordReset {
    const KIND: &'static str = "password-reset";
}

//! A request for a new password.

use chassis::postgres::jobs::Job;
use serde::{Deserialize, Serialize};

/// A queued request for a new password.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PasswordReset {
    /// The address as entered, possibly unregistered.
    pub(crate) email: String,
    /// The network of the request, for the audit log; `None` if it is unknown.
    pub(crate) network: Option<String>,
}

impl Job for PasswordReset {
    const KIND: &'static str = "password-reset";
}

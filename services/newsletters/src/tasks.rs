//! What the jobs are given, and changes append.

use chassis::postgres::jobs::Job;
use serde::{Deserialize, Serialize};

/// An address whose owner is to be asked whether they want what was requested under it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AskToConfirm {
    pub(crate) email: String,
}

impl Job for AskToConfirm {
    const KIND: &'static str = "ask_to_confirm";
}

//! Job payloads.

use chassis::postgres::jobs::Job;
use serde::{Deserialize, Serialize};

/// An address whose owner is to be asked for confirmation.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AskToConfirm {
    pub(crate) email: String,
}

impl Job for AskToConfirm {
    const KIND: &'static str = "ask_to_confirm";
}

/// An issue to compose and then send.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ComposeIssue {
    pub(crate) issue_id: i64,
}

impl Job for ComposeIssue {
    const KIND: &'static str = "compose_issue";
    const LEAVES_SITE: bool = true;
}

/// An issue whose recipients are to be listed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ListRecipients {
    pub(crate) issue_id: i64,
}

impl Job for ListRecipients {
    const KIND: &'static str = "list_recipients";
}

/// A part of an issue's recipients: a range of subscribers.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct SendIssue {
    pub(crate) issue_id: i64,
    pub(crate) after: i64,
    pub(crate) until: i64,
}

impl Job for SendIssue {
    const KIND: &'static str = "send_issue";
    const LEAVES_SITE: bool = true;
}

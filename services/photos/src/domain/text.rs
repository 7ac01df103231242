//! Texts by readers and operators.

use chassis::{error::Fault, form};

/// The maximum length of a description, in characters.
const MAX_DESCRIPTION: usize = 1_000;
/// The maximum length of a credit, in characters.
const MAX_CREDIT: usize = 100;
/// The maximum length of a report's comment, in characters.
const MAX_COMMENT: usize = 1_000;
/// The maximum length of a refusal's reason, in characters.
const MAX_REASON: usize = 500;

/// Validates an optional text.
fn optional(
    text: &str,
    check: impl FnOnce(&str) -> Result<String, String>,
) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    check(text)
}

/// Validates a photo's description; the error message is for the reader.
pub(super) fn description(text: &str) -> Result<String, String> {
    optional(text, |text| form::lines(text, MAX_DESCRIPTION))
}

/// Validates a photo's credit.
pub(super) fn credit(text: &str) -> Result<String, String> {
    optional(text, |text| form::line(text, MAX_CREDIT))
}

/// Validates a report's comment.
pub(crate) fn comment(text: &str) -> Result<String, Fault> {
    let comment = optional(text, |text| form::lines(text, MAX_COMMENT));
    comment.map_err(|message| Fault::invalid_field("comment", message))
}

/// Validates the reason for a refusal or a ban, which is required.
pub(crate) fn refusal_reason(text: &str) -> Result<String, Fault> {
    let reason = form::lines(text, MAX_REASON);
    reason.map_err(|message| Fault::invalid_field("reason", message))
}

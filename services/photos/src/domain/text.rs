//! Texts of readers and operators.

use chassis::{error::Fault, form};

/// The longest description, in characters.
const MAX_DESCRIPTION: usize = 1_000;
/// The longest credit, in characters.
const MAX_CREDIT: usize = 100;
/// The longest comment of a report, in characters.
const MAX_COMMENT: usize = 1_000;
/// The longest reason of a refusal, in characters.
const MAX_REASON: usize = 500;

/// A text that may be missing.
fn optional(
    text: &str,
    check: impl FnOnce(&str) -> Result<String, String>,
) -> Result<String, String> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    check(text)
}

/// The description of a photo: a message for its reader if it breaks a rule.
pub(super) fn description(text: &str) -> Result<String, String> {
    optional(text, |text| form::lines(text, MAX_DESCRIPTION))
}

/// The credit of a photo.
pub(super) fn credit(text: &str) -> Result<String, String> {
    optional(text, |text| form::line(text, MAX_CREDIT))
}

/// The comment of a report.
pub(crate) fn comment(text: &str) -> Result<String, Fault> {
    let comment = optional(text, |text| form::lines(text, MAX_COMMENT));
    comment.map_err(|message| Fault::invalid_field("comment", message))
}

/// The reason of a refusal or a ban, which must be given.
pub(crate) fn refusal_reason(text: &str) -> Result<String, Fault> {
    let reason = form::lines(text, MAX_REASON);
    reason.map_err(|message| Fault::invalid_field("reason", message))
}

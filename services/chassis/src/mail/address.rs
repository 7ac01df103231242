//! Email addresses in settings.

use std::str::FromStr;

use lettre::message::Mailbox;

use crate::error::{Code, Fault};

/// The configured address or, if it is empty, a local address for mail that does not leave this machine.
#[must_use]
pub fn local(name: &str, setting: &str) -> String {
    if setting.is_empty() {
        format!("{name}@localhost")
    } else {
        setting.to_owned()
    }
}

/// Parses a configured address, with or without a name: `City Guide <post@guide.example>`.
pub fn mailbox(key: &str, setting: &str) -> Result<Mailbox, Fault> {
    Mailbox::from_str(setting).map_err(|error| {
        let message = format!("settings: {key} {setting:?} is no address: {error}");
        Fault::new(Code::Invalid, message)
    })
}

//! The access to an account, shown to the owner of its address.

use identity_proto::v1 as proto;
use serde::Serialize;
use utoipa::ToSchema;

use super::passkeys::Passkey;

/// Everything that gives access to an account, apart from its sessions.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_excessive_bools, reason = "the fields of the API")]
pub(crate) struct Access {
    has_password: bool,
    /// Newest first.
    passkeys: Vec<Passkey>,
    /// Whether the account is connected with Facebook.
    has_facebook: bool,
    /// Whether the site may write to the reader's calendar.
    has_calendar: bool,
    /// Whether the calendar feed is on.
    has_calendar_feed: bool,
}

impl From<proto::Access> for Access {
    fn from(access: proto::Access) -> Self {
        Self {
            has_password: access.has_password,
            passkeys: access.passkeys.into_iter().map(Passkey::from).collect(),
            has_facebook: access.has_facebook,
            has_calendar: access.has_calendar,
            has_calendar_feed: access.has_calendar_feed,
        }
    }
}

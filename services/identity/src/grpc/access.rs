//! Converts the sign-in methods and grants of an account to messages.

use chassis::instant;
use identity_proto::v1 as proto;

use crate::domain::{Access, Passkey, device_name};

pub(super) fn access(access: &Access) -> proto::Access {
    proto::Access {
        has_password: access.has_password,
        passkeys: access.passkeys.iter().map(passkey).collect(),
        has_facebook: access.facebook.is_some(),
        has_calendar: access.calendar.is_some(),
        has_calendar_feed: access.calendar_feed.is_some(),
    }
}

pub(super) fn passkey(passkey: &Passkey) -> proto::Passkey {
    proto::Passkey {
        id: passkey.id,
        name: device_name(&passkey.device),
        date_created: Some(instant::to_proto(passkey.created_at)),
        last_used: passkey.last_used_at.map(instant::to_proto),
    }
}

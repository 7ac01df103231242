//! The limits in the settings.

use chassis::limits::Rate;

use crate::settings::LimitSettings;

/// A limit of the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// Its name in headers and metrics.
    pub(super) name: &'static str,
    pub(super) rate: fn(&LimitSettings) -> Rate,
}

/// Sign-ins of one client, successful or not.
pub(crate) const SIGN_IN: Limit = Limit {
    name: "sign-in",
    rate: |settings| settings.sign_in,
};
/// Failed sign-ins to one account from one client.
pub(crate) const FAILED_SIGN_IN: Limit = Limit {
    name: "failed-sign-in",
    rate: |settings| settings.failed_sign_in,
};
/// Failed sign-ins to one account from all clients together.
pub(crate) const FAILED_SIGN_IN_EVERYWHERE: Limit = Limit {
    name: "failed-sign-in-everywhere",
    rate: |settings| settings.failed_sign_in_everywhere,
};
/// Failed sign-ins of all clients to all accounts. Above this limit, sign-ins are delayed, not refused.
pub(crate) const FAILED_SIGN_IN_OVERALL: Limit = Limit {
    name: "failed-sign-in-overall",
    rate: |settings| settings.failed_sign_in_overall,
};
/// New accounts of one client.
pub(crate) const REGISTRATION: Limit = Limit {
    name: "registration",
    rate: |settings| settings.registration,
};
/// Messages to the site of one client.
pub(crate) const CONTACT: Limit = Limit {
    name: "contact",
    rate: |settings| settings.contact,
};
/// Contest entries of one client, each of which is confirmed by mail.
pub(crate) const ENTRIES: Limit = Limit {
    name: "entries",
    rate: |settings| settings.entries,
};
/// Newsletter requests of guests at one client.
pub(crate) const GUEST_NEWSLETTERS: Limit = Limit {
    name: "guest-newsletters",
    rate: |settings| settings.guest_newsletters,
};
/// Emails with a link, requested by one client or one account.
pub(crate) const MAILED_LINKS: Limit = Limit {
    name: "mailed-links",
    rate: |settings| settings.mailed_links,
};
/// Pictures that one account uploads.
pub(crate) const UPLOADS: Limit = Limit {
    name: "uploads",
    rate: |settings| settings.uploads,
};
/// Files of places saved elsewhere, uploaded by one account.
pub(crate) const TAKEOUTS: Limit = Limit {
    name: "takeouts",
    rate: |settings| settings.takeouts,
};
/// Slots for which one client requested ads: at most as many tickets as it received.
pub(crate) const ADS: Limit = Limit {
    name: "ads",
    rate: |settings| settings.ads,
};
/// Ad events and ad clicks of one client.
pub(crate) const AD_EVENTS: Limit = Limit {
    name: "ad-events",
    rate: |settings| settings.ad_events,
};
/// Impressions of one line item that are charged for one client. Above this limit, they are recorded as invalid, not
/// refused.
pub(crate) const AD_IMPRESSIONS: Limit = Limit {
    name: "ad-impressions",
    rate: |settings| settings.ad_impressions,
};
/// Exports of an account's data.
pub(crate) const EXPORTS: Limit = Limit {
    name: "exports",
    rate: |settings| settings.exports,
};
/// Writes of one account, or of one client without an account.
pub(super) const WRITES: Limit = Limit {
    name: "writes",
    rate: |settings| settings.writes,
};

/// Searches computed for one client.
pub(crate) const SEARCHES: Limit = Limit {
    name: "searches",
    rate: |settings| settings.searches,
};

/// Public responses and feeds computed for one client.
pub(crate) const READS: Limit = Limit {
    name: "reads",
    rate: |settings| settings.reads,
};

//! The limits of the settings, by what they count.

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
/// Failed sign-ins of all clients to all accounts. Beyond it nobody is refused: a sign-in takes longer.
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
/// Newsletters that guests ask for at one client.
pub(crate) const GUEST_NEWSLETTERS: Limit = Limit {
    name: "guest-newsletters",
    rate: |settings| settings.guest_newsletters,
};
/// Mails with a link that one client asks for, or one account.
pub(crate) const MAILED_LINKS: Limit = Limit {
    name: "mailed-links",
    rate: |settings| settings.mailed_links,
};
/// Pictures that one account uploads.
pub(crate) const UPLOADS: Limit = Limit {
    name: "uploads",
    rate: |settings| settings.uploads,
};
/// Files of places saved elsewhere that one account has looked up in the guide.
pub(crate) const TAKEOUTS: Limit = Limit {
    name: "takeouts",
    rate: |settings| settings.takeouts,
};
/// Calls with events of ads, and clicks on them, of one client.
pub(crate) const AD_EVENTS: Limit = Limit {
    name: "ad-events",
    rate: |settings| settings.ad_events,
};
/// Exports of all that is stored of one account.
pub(crate) const EXPORTS: Limit = Limit {
    name: "exports",
    rate: |settings| settings.exports,
};
/// Writes of one account, or of one client without one.
pub(super) const WRITES: Limit = Limit {
    name: "writes",
    rate: |settings| settings.writes,
};

/// Searches that are computed for one client.
pub(crate) const SEARCHES: Limit = Limit {
    name: "searches",
    rate: |settings| settings.searches,
};

/// Public answers and feeds that are computed for one client.
pub(crate) const READS: Limit = Limit {
    name: "reads",
    rate: |settings| settings.reads,
};

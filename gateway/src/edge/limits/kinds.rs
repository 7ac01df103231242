//! The limits in the settings.

use chassis::limits::Rate;

use crate::settings::LimitSettings;

/// A limit of the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// The limit's name in headers and metrics.
    pub(super) name: &'static str,
    pub(super) rate: fn(&LimitSettings) -> Rate,
    /// Whether each gateway counts separately, without a call to the cache server.
    pub(super) is_local: bool,
}

/// A limit that all gateways count together.
const fn shared(name: &'static str, rate: fn(&LimitSettings) -> Rate) -> Limit {
    Limit {
        name,
        rate,
        is_local: false,
    }
}

/// A limit that each gateway counts separately.
const fn local(name: &'static str, rate: fn(&LimitSettings) -> Rate) -> Limit {
    Limit {
        name,
        rate,
        is_local: true,
    }
}

/// Sign-ins of one client, successful or not.
pub(crate) const SIGN_IN: Limit = shared("sign-in", |settings| settings.sign_in);
/// Failed sign-ins to one account from one client.
pub(crate) const FAILED_SIGN_IN: Limit =
    shared("failed-sign-in", |settings| settings.failed_sign_in);
/// Failed sign-ins to one account from all clients together.
pub(crate) const FAILED_SIGN_IN_EVERYWHERE: Limit =
    shared("failed-sign-in-everywhere", |settings| {
        settings.failed_sign_in_everywhere
    });
/// Failed sign-ins of all clients to all accounts. Above this limit, sign-ins are delayed, not refused.
pub(crate) const FAILED_SIGN_IN_OVERALL: Limit = shared("failed-sign-in-overall", |settings| {
    settings.failed_sign_in_overall
});
/// New accounts of one client.
pub(crate) const REGISTRATION: Limit = shared("registration", |settings| settings.registration);
/// Messages to the site of one client.
pub(crate) const CONTACT: Limit = shared("contact", |settings| settings.contact);
/// Contest entries of one client, each of which is confirmed by mail.
pub(crate) const ENTRIES: Limit = shared("entries", |settings| settings.entries);
/// Newsletter requests of guests at one client.
pub(crate) const GUEST_NEWSLETTERS: Limit =
    shared("guest-newsletters", |settings| settings.guest_newsletters);
/// Emails with a link, requested by one client or one account.
pub(crate) const MAILED_LINKS: Limit = shared("mailed-links", |settings| settings.mailed_links);
/// Pictures that one account uploads.
pub(crate) const UPLOADS: Limit = shared("uploads", |settings| settings.uploads);
/// Files of places saved elsewhere, uploaded by one account.
pub(crate) const TAKEOUTS: Limit = shared("takeouts", |settings| settings.takeouts);
/// Slots for which one client requested ads: at most as many tickets as it received.
pub(crate) const ADS: Limit = local("ads", |settings| settings.ads);
/// Ad events and ad clicks of one client.
pub(crate) const AD_EVENTS: Limit = shared("ad-events", |settings| settings.ad_events);
/// Impressions of one line item that are charged for one client. Above this limit, they are recorded as invalid, not
/// refused.
pub(crate) const AD_IMPRESSIONS: Limit =
    shared("ad-impressions", |settings| settings.ad_impressions);
/// Reports of pages' own measurements from one client.
pub(crate) const TELEMETRY: Limit = local("telemetry", |settings| settings.telemetry);
/// Exports of an account's data.
pub(crate) const EXPORTS: Limit = shared("exports", |settings| settings.exports);
/// Writes of one account, or of one client without an account.
pub(super) const WRITES: Limit = shared("writes", |settings| settings.writes);

/// Searches computed for one client.
pub(crate) const SEARCHES: Limit = local("searches", |settings| settings.searches);

/// Responses computed for one guest's client or one account because they are not cached.
pub(crate) const READS: Limit = local("reads", |settings| settings.reads);

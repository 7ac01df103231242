//! Database statements, one file per table.

pub(crate) mod address_key;
pub(crate) mod clicks;
pub(crate) mod consents;
pub(crate) mod deliveries;
pub(crate) mod issues;
pub(crate) mod links;
pub(crate) mod paces;
pub(crate) mod refusals;
pub(crate) mod requests;
pub(crate) mod subscribers;
pub(crate) mod subscriptions;
pub(crate) mod suppressions;
pub(crate) mod third_party_choices;

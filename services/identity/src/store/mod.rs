//! Database access: the only module that contains SQL.

pub(crate) mod audit_entries;
pub(crate) mod calendar_authorizations;
pub(crate) mod calendar_entries;
pub(crate) mod calendar_feeds;
pub(crate) mod calendar_grants;
pub(crate) mod erasures;
pub(crate) mod facebook_links;
pub(crate) mod last_backup;
pub(crate) mod last_updates;
pub(crate) mod mailed_links;
pub(crate) mod passkeys;
pub(crate) mod profiles;
pub(crate) mod sessions;
pub(crate) mod used_ceremonies;

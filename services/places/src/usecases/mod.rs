//! What can be done, one file each; a change owns its transaction and appends its events.

pub(crate) mod get_listing;
pub(crate) mod import;
pub(crate) mod list_listings;
pub(crate) mod list_neighbourhoods;
pub(crate) mod list_types;
pub(crate) mod resolve;

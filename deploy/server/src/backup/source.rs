//! The site's schemas and keys.

use chassis::{error::Fault, keys::Keys, postgres::Schema};

use crate::{settings::Settings, targets::Target};

/// The schemas of all services.
pub(super) fn schemas() -> impl Iterator<Item = &'static Schema<'static>> {
    Target::ALL.iter().filter_map(|target| target.schema())
}

/// The site's keys; `None` if they are not configured, so that each process makes its own.
pub(super) fn keys(settings: &Settings) -> Result<Option<Keys>, Fault> {
    let keys = &settings.internal.key;
    (!keys.is_empty()).then(|| Keys::parse(keys)).transpose()
}

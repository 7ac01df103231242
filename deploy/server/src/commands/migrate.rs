//! `cityguide migrate`.

use super::print;
use crate::{settings::Settings, targets::Target};

/// Brings every service's schema up to date.
pub(super) async fn migrate(settings: &Settings) -> Result<(), String> {
    for target in Target::ALL {
        target
            .migrate(&settings.database)
            .await
            .map_err(|fault| fault.message)?;
    }
    print("the database is up to date")
}

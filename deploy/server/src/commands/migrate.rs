//! `cityguide migrate`.

use super::console::print;
use crate::{settings::Settings, system::System};

/// Brings every service's schema up to date.
pub(super) async fn migrate(settings: &Settings) -> Result<(), String> {
    System::migrate(settings)
        .await
        .map_err(|fault| fault.message)?;
    print("the database is up to date")
}

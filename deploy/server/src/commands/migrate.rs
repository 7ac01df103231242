//! `cityguide migrate`.

use super::console::print;
use crate::{settings::Settings, system::System};

/// Updates every service's schema.
pub(super) async fn migrate(settings: &Settings) -> Result<(), String> {
    System::migrate(settings)
        .await
        .map_err(|fault| fault.message)?;
    print("the database is up to date")
}

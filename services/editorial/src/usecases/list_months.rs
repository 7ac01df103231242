//! Months of the archive.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::{MonthCount, zone},
    store::items,
};

/// Returns the months with published articles in a time zone, latest first.
pub(crate) async fn list_months(context: &Context, name: &str) -> Result<Vec<MonthCount>, Fault> {
    let zone = zone(name).map_err(|_| Fault::unknown_choice("zone", name))?;
    Ok(items::months(&context.pool, zone.name()).await?)
}

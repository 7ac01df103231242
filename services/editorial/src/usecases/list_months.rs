//! The archive's months.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::{MonthCount, zone},
    store::items,
};

/// The months of a zone in which articles were published, the latest first.
pub(crate) async fn list_months(context: &Context, name: &str) -> Result<Vec<MonthCount>, Fault> {
    let zone = zone(name).map_err(|_| Fault::unknown_choice("zone", name))?;
    Ok(items::months(&context.pool, zone.name()).await?)
}

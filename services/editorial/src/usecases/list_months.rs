//! The archive's months.

use crate::{
    context::Context,
    domain::{MonthCount, zone},
    error::Error,
    store::items,
};

/// The months of a zone in which articles were published, the latest first.
pub(crate) async fn list_months(context: &Context, name: &str) -> Result<Vec<MonthCount>, Error> {
    let zone = zone(name).map_err(|_| Error::InvalidFilter {
        field: "zone",
        value: name.to_owned(),
    })?;
    Ok(items::months(&context.pool, zone.name()).await?)
}

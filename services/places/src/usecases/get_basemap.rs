//! Returns the map below the site's places.

use chassis::error::Fault;

use crate::{context::Context, domain::Basemap, store::basemap};

/// Returns the map, which is empty if none has been imported.
pub(crate) async fn get_basemap(context: &Context) -> Result<Basemap, Fault> {
    Ok(basemap::find(&context.pool).await?.unwrap_or_default())
}

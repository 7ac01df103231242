//! One neighbourhood.

use chassis::slug::is_slug;
use serde_json::Value;

use crate::{context::Context, domain::Neighbourhood, error::Error, store::neighbourhoods};

/// A neighbourhood by its slug, and its boundary as GeoJSON.
pub(crate) async fn get_neighbourhood(
    context: &Context,
    slug: &str,
) -> Result<(Neighbourhood, Value), Error> {
    if !is_slug(slug) {
        return Err(Error::NotFound);
    }
    let found = neighbourhoods::find(&context.pool, slug).await?;
    found.ok_or(Error::NotFound)
}

//! Returns a neighbourhood.

use chassis::{error::Fault, slug::is_slug};
use serde_json::Value;

use crate::{context::Context, domain::Neighbourhood, store::neighbourhoods};

/// Returns a neighbourhood by its slug, with its boundary as GeoJSON.
pub(crate) async fn get_neighbourhood(
    context: &Context,
    slug: &str,
) -> Result<(Neighbourhood, Value), Fault> {
    if !is_slug(slug) {
        return Err(Fault::not_found());
    }
    let found = neighbourhoods::find(&context.pool, slug).await?;
    found.ok_or_else(Fault::not_found)
}

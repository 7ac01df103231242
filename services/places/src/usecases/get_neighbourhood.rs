//! Returns a neighbourhood.

use chassis::{error::Fault, slug::is_slug};

use crate::{
    context::Context,
    domain::{Listing, Portrait},
    store::{listings, neighbourhoods},
};

/// Number of places that represent a neighbourhood.
const BEST: i64 = 3;

/// Returns a neighbourhood by its slug, with its best places.
pub(crate) async fn get_neighbourhood(
    context: &Context,
    slug: &str,
) -> Result<(Portrait, Vec<Listing>), Fault> {
    if !is_slug(slug) {
        return Err(Fault::not_found());
    }
    let found = neighbourhoods::find(&context.pool, slug).await?;
    let found = found.ok_or_else(Fault::not_found)?;
    let best = listings::best_of_neighbourhood(&context.pool, found.area.id, BEST).await?;
    Ok((found, best))
}

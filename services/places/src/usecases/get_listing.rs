//! One place, or some by their ids.

use chassis::error::Fault;

use crate::{
    context::Context,
    domain::{Listing, ListingDetail},
    error::Error,
    store::listings,
};

/// Ids that one call may name.
pub(crate) const MOST_IDS: usize = 100;

/// One place with its review.
pub(crate) async fn get_listing(context: &Context, id: i64) -> Result<ListingDetail, Error> {
    listings::find(&context.pool, id)
        .await?
        .ok_or(Error::NotFound)
}

/// The places among these ids; unknown ids are left out.
pub(crate) async fn get_listings(context: &Context, ids: &[i64]) -> Result<Vec<Listing>, Error> {
    check_ids(ids)?;
    Ok(listings::among(&context.pool, ids).await?)
}

/// Bounds what one call may name.
pub(super) fn check_ids(ids: &[i64]) -> Result<(), Fault> {
    if ids.len() > MOST_IDS {
        return Err(Fault::invalid_field(
            "ids",
            format!("Ensure at most {MOST_IDS} ids."),
        ));
    }
    Ok(())
}

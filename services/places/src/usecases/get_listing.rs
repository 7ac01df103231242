//! One place, or some by their ids.

use chassis::error::Fault;
use chrono_tz::Tz;

use crate::{
    context::Context,
    domain::{Listing, ListingDetail},
    error::Error,
    store::listings,
};

/// Ids that one call may name.
pub(crate) const MOST_IDS: usize = 100;

/// One place with its review, and whether it is open now by the clock of a zone; `None` where no zone
/// is named or its hours are not known.
pub(crate) async fn get_listing(
    context: &Context,
    id: i64,
    zone: &str,
) -> Result<(ListingDetail, Option<bool>), Error> {
    let zone = read_zone("zone", zone)?;
    let found = listings::find(&context.pool, id).await?;
    let detail = found.ok_or(Error::NotFound)?;
    let is_open = zone.and_then(|zone| detail.listing.is_open(context.clock.now(), zone));
    Ok((detail, is_open))
}

/// A zone by its IANA name; an empty name is none.
pub(super) fn read_zone(field: &'static str, name: &str) -> Result<Option<Tz>, Fault> {
    if name.is_empty() {
        return Ok(None);
    }
    let unknown = |_| Fault::invalid_field(field, format!("There is no time zone {name}."));
    name.parse().map(Some).map_err(unknown)
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

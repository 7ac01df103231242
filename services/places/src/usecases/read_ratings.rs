//! Readers' views of votes: for one place, as a list, and as a map for the controls of every page.

use std::collections::HashMap;

use chassis::{error::Fault, paging::Page};
use chrono::{DateTime, Utc};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};
use vocabulary::saved::Kind;

use crate::{
    context::Context,
    domain::{Listing, MapEntry, PlaceRating, Rating},
    store::{listings, rated, ratings},
};

/// Returns the votes for a place and the reader's own vote; guests have none.
pub(crate) async fn get_rating(
    context: &Context,
    reader: Option<i64>,
    listing_id: i64,
) -> Result<PlaceRating, Fault> {
    let found = ratings::of_place(&context.pool, reader.unwrap_or(0), listing_id).await?;
    found.ok_or_else(Fault::not_found)
}

/// A vote in a list with its place.
pub(crate) struct Rated {
    pub(crate) rating: Rating,
    /// `None` if the place is no longer published.
    pub(crate) listing: Option<Listing>,
    pub(crate) name: String,
}

/// Returns a page of a reader's votes with their places; the count is exact except in a keyword search.
pub(crate) async fn list_ratings(
    context: &Context,
    profile_id: i64,
    request: Option<&PageRequest>,
) -> Result<(Vec<Rated>, PageInfo), Fault> {
    let page = Page::parse(request, rated::ORDERINGS)?.with_key(rated::key_type)?;
    let count = if page.keywords.is_some() {
        -1
    } else {
        let stamp = context.stamps.find(profile_id, Kind::Ratings).await?;
        stamp.map_or(0, |stamp| stamp.count)
    };
    let rows = rated::list(&context.pool, profile_id, &page).await?;
    let (rows, info) = page.finish(rows, count, |last| rated::cursor(&page, last));
    let ids: Vec<_> = rows.iter().map(|row| row.rating().listing_id).collect();
    let places = listings::among(&context.pool, &ids).await?;
    let mut places: HashMap<_, _> = places.into_iter().map(|place| (place.id, place)).collect();
    let listed = rows.into_iter().map(|row| {
        let rating = row.rating();
        Rated {
            rating,
            listing: places.remove(&rating.listing_id),
            name: row.name,
        }
    });
    Ok((listed.collect(), info))
}

/// Returns the entries of the map, and the time up to which they include all changes.
pub(crate) async fn map_ratings(
    context: &Context,
    profile_id: i64,
) -> Result<(Vec<MapEntry>, DateTime<Utc>), Fault> {
    let settled = context.stamps.settled_already();
    let (entries, stamped_at) = rated::map(&context.pool, profile_id).await?;
    if let Some(stamped_at) = stamped_at {
        return Ok((entries, stamped_at.max(settled)));
    }
    // An empty map has no row with the stamp, which must be read before the map: see
    // [`chassis::postgres::stamps::Stamps::settled`].
    let as_of = context.stamps.settled(profile_id, Kind::Ratings).await?;
    let (entries, _) = rated::map(&context.pool, profile_id).await?;
    Ok((entries, as_of))
}

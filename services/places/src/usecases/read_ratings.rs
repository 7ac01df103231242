//! Readers' votes as they see them: on one place, in a list, and as the map for the controls of every page.

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

/// A place's votes, with the reader's own; guests have none.
pub(crate) async fn get_rating(
    context: &Context,
    reader: Option<i64>,
    listing_id: i64,
) -> Result<PlaceRating, Fault> {
    let found = ratings::of_place(&context.pool, reader.unwrap_or(0), listing_id).await?;
    found.ok_or_else(Fault::not_found)
}

/// A vote of a list with its place.
pub(crate) struct Rated {
    pub(crate) rating: Rating,
    /// `None` if it is not published any more.
    pub(crate) listing: Option<Listing>,
    pub(crate) name: String,
}

/// One page of a reader's votes with their places; the count is exact except in a keyword search.
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

/// The entries of the map, and the instant up to which they hold every change.
pub(crate) async fn map_ratings(
    context: &Context,
    profile_id: i64,
) -> Result<(Vec<MapEntry>, DateTime<Utc>), Fault> {
    let settled = context.stamps.settled_already();
    let (entries, stamped_at) = rated::map(&context.pool, profile_id).await?;
    if let Some(stamped_at) = stamped_at {
        return Ok((entries, stamped_at.max(settled)));
    }
    // An empty map has no row to carry the stamp, which must be read before it is: see
    // [`chassis::postgres::stamps::Stamps::settled`].
    let as_of = context.stamps.settled(profile_id, Kind::Ratings).await?;
    let (entries, _) = rated::map(&context.pool, profile_id).await?;
    Ok((entries, as_of))
}

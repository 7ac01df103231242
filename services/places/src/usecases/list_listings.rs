//! Lists of places.

use chassis::{
    error::Fault,
    paging::{After, Page},
    slug,
};
use chrono::NaiveDateTime;
use cityguide_proto::paging::v1::PageInfo;
use places_proto::v1::{self as proto, ListListingsRequest};
use vocabulary::position::Coordinates;

use super::request::{check_ids, read_zone};
use crate::{
    context::Context,
    domain::{Listing, ListingFilter, wall_clock},
    store::{
        best_of, counts,
        listings::{self, Listed},
        neighbourhoods, types,
    },
};

/// A place in a list.
pub(crate) struct Found {
    pub(crate) listing: Listing,
    /// Distance from the requested position; `None` without a position.
    pub(crate) metres: Option<u32>,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a distance on Earth is neither negative nor above 20,016 km"
)]
fn whole_metres(metres: f64) -> u32 {
    metres.round() as u32
}

/// Returns a page of a list; the count is exact if it is stored, otherwise -1.
pub(crate) async fn list_listings(
    context: &Context,
    request: &ListListingsRequest,
) -> Result<(Vec<Found>, PageInfo), Fault> {
    let page =
        Page::parse(request.page.as_ref(), listings::ORDERINGS)?.with_key(listings::key_type)?;
    let filter = filter(context, request).await?;
    if page.ordering.field == "distance" && filter.near.is_none() {
        let why = "Ordering by distance needs a place to measure from: near=lat,lng.";
        return Err(Fault::invalid_field("ordering", why));
    }
    let holds_all = page.keywords.is_none() && page.ordering.field != "date_reviewed";
    let count = if filter.has_kept_count() && holds_all {
        counts::find(&context.pool, &filter).await?
    } else {
        -1
    };
    let rows = match filter.open_at {
        None => listings::list(&context.pool, &filter, &page).await?,
        Some(at) => open_at(context, &filter, &page, at).await?,
    };
    let (rows, info) = page.finish(rows, count, Listed::cursor);
    let found = rows.into_iter().map(|row| Found {
        metres: filter
            .near
            .zip(row.listing.coordinates)
            .map(|(here, there)| whole_metres(here.metres_to(there))),
        listing: row.listing,
    });
    Ok((found.collect(), info))
}

/// Maximum number of rows read at a time to find open places.
const LOOKED_AT: u32 = 500;

/// Returns the places of a list that are open at this local time. A single statement usually finds the page. Rows
/// without stored periods are evaluated here, and further rows are read until the page is complete or the list ends.
async fn open_at(
    context: &Context,
    filter: &ListingFilter,
    page: &Page,
    at: NaiveDateTime,
) -> Result<Vec<Listed>, Fault> {
    let wanted = page.limit as usize + 1;
    let mut skip = page.skip as usize;
    let mut walk = Page {
        skip: 0,
        limit: page.limit.saturating_add(page.skip).min(LOOKED_AT),
        ..page.clone()
    };
    let mut open = Vec::with_capacity(wanted);
    loop {
        let rows = listings::list(&context.pool, filter, &walk).await?;
        // There are more rows if the statement returns one more than its limit.
        let is_last = rows.len() <= walk.limit as usize;
        walk.after = rows.last().map(|last| {
            let (key, id) = last.cursor();
            After { key, id }
        });
        walk.limit = LOOKED_AT;
        for row in rows {
            let is_open = row.is_open.or_else(|| row.listing.is_open(at));
            if is_open != Some(true) {
                continue;
            }
            if skip > 0 {
                skip -= 1;
                continue;
            }
            open.push(row);
            if open.len() == wanted {
                return Ok(open);
            }
        }
        if is_last {
            return Ok(open);
        }
    }
}

async fn filter(context: &Context, request: &ListListingsRequest) -> Result<ListingFilter, Fault> {
    check_ids(&request.ids)?;
    let unknown = |field: &str, slug: &str| Fault::unknown_choice(field, slug);
    let type_id = match request.r#type.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("type", slug)),
        slug => Some(
            types::id_of(&context.pool, slug)
                .await?
                .ok_or_else(|| unknown("type", slug))?,
        ),
    };
    let neighbourhood_id = match request.neighbourhood.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("neighbourhood", slug)),
        slug => Some(
            neighbourhoods::id_of(&context.pool, slug)
                .await?
                .ok_or_else(|| unknown("neighbourhood", slug))?,
        ),
    };
    let best_of_id = match request.best_of.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("best_of", slug)),
        slug => Some(
            best_of::id_of(&context.pool, slug)
                .await?
                .ok_or_else(|| unknown("best_of", slug))?,
        ),
    };
    let sub_type_slug = match request.sub_type.as_str() {
        "" => None,
        slug if !slug::is_slug(slug) => return Err(unknown("sub_type", slug)),
        slug => Some(slug.to_owned()),
    };
    Ok(ListingFilter {
        type_id,
        neighbourhood_id,
        sub_type_slug,
        is_closed: request.is_closed,
        reviewed: request.reviewed,
        ids: (!request.ids.is_empty()).then(|| request.ids.clone()),
        open_at: read_zone("open_now", &request.open_now_in)?
            .map(|zone| wall_clock(context.clock.now(), zone)),
        near: request.near.as_ref().map(read_near).transpose()?,
        best_of_id,
    })
}

fn read_near(at: &proto::Coordinates) -> Result<Coordinates, Fault> {
    Coordinates::parse(at.latitude, at.longitude)
        .map_err(|_| Fault::invalid_field("near", "Give two numbers of degrees: lat,lng."))
}

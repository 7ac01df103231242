//! Returns places by id.

use chassis::error::Fault;
use chrono::{DateTime, TimeZone as _, Utc};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};
use places_proto::v1::{GetListingRequest, Include, ListListingsRequest};

use super::{
    list_inspections::list_inspections,
    list_listings::list_listings,
    request::{check_ids, read_zone},
};
use crate::{
    context::Context,
    domain::{BestOfList, Inspection, Listing, ListingDetail, most_similar, wall_clock},
    store::{best_of, listings},
};

/// The content of a place's page.
pub(crate) struct Whole {
    pub(crate) detail: ListingDetail,
    /// `None` if no zone is given or the opening hours are unknown.
    pub(crate) is_open_now: Option<bool>,
    /// When it next opens or closes; `None` if it does neither within a day.
    pub(crate) hours_change_at: Option<DateTime<Utc>>,
    /// Included lists; empty unless requested.
    pub(crate) recent: Vec<Listing>,
    pub(crate) best_of: Vec<BestOfList>,
    pub(crate) similar: Vec<Listing>,
    /// `None` unless requested.
    pub(crate) inspections: Option<(Vec<Inspection>, PageInfo)>,
}

/// Returns a place, with its review if the reader may see it, whether it is open now in the given time zone, and the
/// requested lists.
pub(crate) async fn get_listing(
    context: &Context,
    request: &GetListingRequest,
) -> Result<Whole, Fault> {
    let zone = read_zone("zone", &request.zone)?;
    let found = listings::find(&context.pool, request.id).await?;
    let detail = found.ok_or_else(Fault::not_found)?;
    let wants = |part: Include| request.include().any(|included| included == part);
    let recent = async {
        if wants(Include::Recent) {
            recently_reviewed(context).await
        } else {
            Ok(Vec::new())
        }
    };
    let best_of = async {
        if wants(Include::BestOf) {
            Ok::<_, Fault>(best_of::with(&context.pool, request.id).await?)
        } else {
            Ok(Vec::new())
        }
    };
    let similar = async {
        if wants(Include::Similar) {
            similar_to(context, &detail.listing).await
        } else {
            Ok(Vec::new())
        }
    };
    let inspections = async {
        if wants(Include::Inspections) {
            list_inspections(context, request.id, None).await.map(Some)
        } else {
            Ok(None)
        }
    };
    let (recent, best_of, similar, inspections) =
        tokio::try_join!(recent, best_of, similar, inspections)?;
    let now = context.clock.now();
    Ok(Whole {
        is_open_now: zone.and_then(|zone| detail.listing.is_open(wall_clock(now, zone))),
        hours_change_at: zone.and_then(|zone| {
            let change = detail.listing.next_change(wall_clock(now, zone))?;
            let change = zone.from_local_datetime(&change).earliest()?;
            Some(change.with_timezone(&Utc))
        }),
        detail: if request.of_age {
            detail
        } else {
            detail.public()
        },
        recent,
        best_of,
        similar,
        inspections,
    })
}

/// Returns the first page of the most recently reviewed places.
async fn recently_reviewed(context: &Context) -> Result<Vec<Listing>, Fault> {
    let page = PageRequest {
        ordering: "-date_reviewed".to_owned(),
        limit: chassis::paging::DEFAULT_LIMIT,
        ..PageRequest::default()
    };
    let request = ListListingsRequest {
        page: Some(page),
        ..ListListingsRequest::default()
    };
    let (found, _) = list_listings(context, &request).await?;
    Ok(found.into_iter().map(|found| found.listing).collect())
}

/// Returns similar places, most similar first: open places of the same type.
pub(crate) async fn list_similar(context: &Context, id: i64) -> Result<Vec<Listing>, Fault> {
    let place = listings::find(&context.pool, id).await?;
    similar_to(context, &place.ok_or_else(Fault::not_found)?.listing).await
}

async fn similar_to(context: &Context, place: &Listing) -> Result<Vec<Listing>, Fault> {
    let candidates = listings::similar(&context.pool, place).await?;
    Ok(most_similar(place, candidates))
}

/// Maximum number of source ids, or of slugs and names, per call.
const MAX_SOURCES: usize = 1_000;

/// Returns the places that have one of these slugs or exactly one of these names.
pub(crate) async fn find_places(
    context: &Context,
    slugs: &[String],
    names: &[String],
) -> Result<Vec<Listing>, Fault> {
    if slugs.len() + names.len() > MAX_SOURCES {
        let message = format!("Ensure at most {MAX_SOURCES} slugs and names.");
        return Err(Fault::invalid_field("slugs", message));
    }
    Ok(listings::named(&context.pool, slugs, names).await?)
}

/// Returns the ids of places by source id; unknown source ids are omitted.
pub(crate) async fn find_sources(
    context: &Context,
    source_ids: &[String],
) -> Result<Vec<(String, i64)>, Fault> {
    if source_ids.len() > MAX_SOURCES {
        let message = format!("Ensure at most {MAX_SOURCES} source ids.");
        return Err(Fault::invalid_field("source_ids", message));
    }
    Ok(listings::of_sources(&context.pool, source_ids).await?)
}

/// Returns the places with these ids; unknown ids are omitted.
pub(crate) async fn get_listings(context: &Context, ids: &[i64]) -> Result<Vec<Listing>, Fault> {
    check_ids(ids)?;
    Ok(listings::among(&context.pool, ids).await?)
}

/// Returns the public texts about the places with these ids, as HTML with the place's id: the review, followed by
/// entries of best-of lists, latest list first.
pub(crate) async fn list_texts(
    context: &Context,
    ids: &[i64],
) -> Result<Vec<(i64, String)>, Fault> {
    check_ids(ids)?;
    Ok(listings::texts(&context.pool, ids).await?)
}

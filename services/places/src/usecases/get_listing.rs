//! One place, or some by their ids.

use chassis::error::Fault;
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
    /// `None` if no zone is named or its hours are not known.
    pub(crate) is_open_now: Option<bool>,
    /// The included lists; empty unless requested.
    pub(crate) recent: Vec<Listing>,
    pub(crate) best_of: Vec<BestOfList>,
    pub(crate) similar: Vec<Listing>,
    /// `None` unless requested.
    pub(crate) inspections: Option<(Vec<Inspection>, PageInfo)>,
}

/// One place, with its review if the reader may see it, with whether it is open now by the clock of a zone,
/// and with the requested lists.
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
    Ok(Whole {
        is_open_now: zone.and_then(|zone| {
            let now = wall_clock(context.clock.now(), zone);
            detail.listing.is_open(now)
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

/// The first page of the places that were reviewed last.
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

/// Places that readers of a place may like too, the most similar first: open ones of the same type.
pub(crate) async fn list_similar(context: &Context, id: i64) -> Result<Vec<Listing>, Fault> {
    let place = listings::find(&context.pool, id).await?;
    similar_to(context, &place.ok_or_else(Fault::not_found)?.listing).await
}

async fn similar_to(context: &Context, place: &Listing) -> Result<Vec<Listing>, Fault> {
    let candidates = listings::similar(&context.pool, place).await?;
    Ok(most_similar(place, candidates))
}

/// The most source ids of one call.
const MAX_SOURCES: usize = 1_000;

/// The ids of places by the ids that they have at their source; unknown ones are left out.
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

/// The places among these ids; unknown ids are left out.
pub(crate) async fn get_listings(context: &Context, ids: &[i64]) -> Result<Vec<Listing>, Fault> {
    check_ids(ids)?;
    Ok(listings::among(&context.pool, ids).await?)
}

/// The public texts about the places among these ids, as HTML with the place's id: its review, then the entries of best-of
/// lists, the latest list first.
pub(crate) async fn list_texts(
    context: &Context,
    ids: &[i64],
) -> Result<Vec<(i64, String)>, Fault> {
    check_ids(ids)?;
    Ok(listings::texts(&context.pool, ids).await?)
}

//! Stores which changed places are age-restricted, because public lists omit their photos.

use chassis::{
    call::{Call, Caller},
    error::Fault,
    paging::MAX_LIMIT,
    postgres::{self, Delivered},
};
use cityguide_proto::{events::v1::ListingsChanged, paging::v1::PageRequest};
use places_proto::v1::{GetListingsRequest, ListListingsRequest, ListTypesRequest, Listing};

use super::ASKING;
use crate::{context::Context, store::restricted};

/// Stores which places of an event are restricted, once per event. An event without places is about types: then all
/// places are requested.
pub(crate) async fn restrict_listings(
    context: &Context,
    (queue, event_id): Delivered,
    event: &ListingsChanged,
) -> Result<(), Fault> {
    let ids: Vec<i64> = event.listings.iter().map(|listing| listing.id).collect();
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    if !postgres::first_time(&mut transaction, queue, event_id, now).await? {
        return Ok(());
    }
    restricted::lock(&mut transaction).await?;
    let restricted = if ids.is_empty() {
        all(context).await?
    } else {
        among(context, &ids).await?
    };
    restricted::put(&mut transaction, &ids, &restricted).await?;
    transaction.commit().await?;
    Ok(())
}

fn call() -> Call {
    Call::new(Caller::Operator, ASKING)
}

async fn among(context: &Context, ids: &[i64]) -> Result<Vec<i64>, Fault> {
    let request = call().request(GetListingsRequest { ids: ids.to_vec() });
    let found = context.places.clone().get_listings(request).await?;
    let is_restricted = |listing: &Listing| {
        let kind = listing.r#type.as_ref();
        kind.is_some_and(|kind| kind.is_age_restricted)
    };
    let found = found.into_inner().listings.into_iter();
    Ok(found
        .filter(is_restricted)
        .map(|listing| listing.id)
        .collect())
}

async fn all(context: &Context) -> Result<Vec<i64>, Fault> {
    let mut places = context.places.clone();
    let types = places
        .list_types(call().request(ListTypesRequest {}))
        .await?;
    let types = types.into_inner().types.into_iter();
    let mut ids = Vec::new();
    for kind in types.filter(|kind| kind.is_age_restricted) {
        let mut after = Some(String::new());
        while let Some(page_after) = after {
            let request = ListListingsRequest {
                page: Some(PageRequest {
                    limit: MAX_LIMIT,
                    after: page_after,
                    ..PageRequest::default()
                }),
                r#type: kind.slug.clone(),
                ..ListListingsRequest::default()
            };
            let found = places.list_listings(call().request(request)).await?;
            let found = found.into_inner();
            ids.extend(found.listings.iter().map(|listing| listing.id));
            after = found.page.and_then(|page| page.next_after);
        }
    }
    Ok(ids)
}

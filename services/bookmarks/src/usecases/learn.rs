//! Requests targets that no event has announced yet from their owners.

use std::time::Duration;

use chassis::{
    call::{Call, Caller},
    error::Fault,
    instant,
};
use chrono::{DateTime, Utc};
use editorial_proto::v1::{GetItemsRequest, Kind as ItemKind};
use places_proto::v1::GetListingsRequest;

use crate::{
    context::Context,
    domain::{Target, TargetKind},
    error::Error,
    store::targets,
};

/// The timeout of a request to an owner.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum number of targets per request to an owner.
const MAX: usize = 100;

/// Requests targets from their owner, and stores the published ones; returns how many.
pub(super) async fn learn(
    context: &Context,
    kind: TargetKind,
    ids: &[i64],
) -> Result<usize, Error> {
    let mut learnt = 0;
    for ids in ids.chunks(MAX) {
        let found = match kind {
            TargetKind::Listing => ask_places(context, ids).await?,
            TargetKind::Article => ask_editorial(context, ItemKind::Article, ids).await?,
            TargetKind::Event => ask_editorial(context, ItemKind::Event, ids).await?,
            TargetKind::Video => ask_editorial(context, ItemKind::Video, ids).await?,
        };
        let found = found.into_iter().map(|(id, name, date_published)| Target {
            kind: kind.as_str().to_owned(),
            id,
            name,
            is_available: true,
            date_published,
            version: 0,
        });
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            continue;
        }
        let mut connection = context.pool.acquire().await?;
        targets::keep(&mut connection, &found).await?;
        learnt += found.len();
    }
    Ok(learnt)
}

/// The data that lists need about a target: its id, name and publication time.
type Facts = (i64, String, Option<DateTime<Utc>>);

async fn ask_places(context: &Context, ids: &[i64]) -> Result<Vec<Facts>, Fault> {
    let call = Call::new(Caller::Operator, TIMEOUT);
    let request = call.request(GetListingsRequest { ids: ids.to_vec() });
    let found = context.places.clone().get_listings(request).await?;
    let listings = found.into_inner().listings.into_iter();
    let facts = listings.map(|listing| (listing.id, listing.name, None));
    Ok(facts.collect())
}

async fn ask_editorial(
    context: &Context,
    kind: ItemKind,
    ids: &[i64],
) -> Result<Vec<Facts>, Fault> {
    let call = Call::new(Caller::Operator, TIMEOUT);
    let request = call.request(GetItemsRequest {
        kind: kind.into(),
        ids: ids.to_vec(),
    });
    let found = context.editorial.clone().get_items(request).await?;
    let items = found.into_inner().items.into_iter();
    let facts = items.map(|item| {
        let published = item.date_published.as_ref();
        (item.id, item.name, published.and_then(instant::from_proto))
    });
    Ok(facts.collect())
}

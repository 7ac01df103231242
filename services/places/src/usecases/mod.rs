//! Use cases, one file each. A change has its own transaction and appends its events to it.

pub(crate) mod bursts;
pub(crate) mod compute_open_periods;
pub(crate) mod erase_reader;
pub(crate) mod export_reader;
pub(crate) mod get_basemap;
pub(crate) mod get_listing;
pub(crate) mod get_neighbourhood;
pub(crate) mod import;
pub(crate) mod import_inspections;
pub(crate) mod list_addresses;
pub(crate) mod list_best_of;
pub(crate) mod list_inspections;
pub(crate) mod list_listings;
pub(crate) mod list_neighbourhoods;
pub(crate) mod list_open;
pub(crate) mod list_types;
pub(crate) mod match_places;
pub(crate) mod rate;
pub(crate) mod read_ratings;
pub(crate) mod replay_listings;
mod request;
pub(crate) mod resolve;

use chassis::{error::Fault, instant};
use cityguide_proto::{
    events::v1::{ListingRated, ListingSummary, ListingsChanged},
    exchange, key,
};
use sqlx::PgConnection;

use crate::{
    context::Context,
    domain::Votes,
    store::{listings::Summary, ratings},
};

/// Maximum number of places in an event.
const EVENT_BATCH: usize = 100;

/// Appends events about places to the transaction of their change.
async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    places: &[Summary],
) -> Result<(), Fault> {
    for places in places.chunks(EVENT_BATCH) {
        let summaries = places.iter().map(|place| ListingSummary {
            id: place.id,
            name: place.name.clone(),
            is_available: true,
            date_published: Some(instant::to_proto(place.date_published)),
            version: place.version,
        });
        append(context, transaction, summaries.collect()).await?;
    }
    Ok(())
}

/// Appends an event about changed types or neighbourhoods. It lists no places, which means that any place may be
/// affected.
async fn announce_areas(context: &Context, transaction: &mut PgConnection) -> Result<(), Fault> {
    append(context, transaction, Vec::new()).await
}

/// Changes the sums of a locked place and announces them in a separate event, because the event of a changed place
/// would invalidate every cached list.
async fn count_votes(
    context: &Context,
    transaction: &mut PgConnection,
    listing_id: i64,
    before: Votes,
    after: Votes,
) -> Result<(), Fault> {
    if before == after {
        return Ok(());
    }
    ratings::shift(transaction, listing_id, before, after).await?;
    let event = ListingRated { listing_id };
    let (exchange, key) = (exchange::CATALOG, key::LISTING_RATED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}

async fn append(
    context: &Context,
    transaction: &mut PgConnection,
    listings: Vec<ListingSummary>,
) -> Result<(), Fault> {
    let event = ListingsChanged { listings };
    let (exchange, key) = (exchange::CATALOG, key::LISTINGS_CHANGED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}

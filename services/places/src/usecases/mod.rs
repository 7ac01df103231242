//! Use cases, one file each; a change owns its transaction and appends its events.

pub(crate) mod get_listing;
pub(crate) mod get_neighbourhood;
pub(crate) mod import;
pub(crate) mod list_addresses;
pub(crate) mod list_best_of;
pub(crate) mod list_listings;
pub(crate) mod list_neighbourhoods;
pub(crate) mod list_types;
pub(crate) mod rate;
pub(crate) mod replay_listings;
mod request;
pub(crate) mod resolve;

use chassis::instant;
use cityguide_proto::{
    events::v1::{ListingSummary, ListingsChanged},
    exchange, key,
};
use sqlx::PgConnection;

use crate::{context::Context, error::Error, store::listings::Summary};

/// Places in one event.
const EVENT_BATCH: usize = 100;

/// The summary of a place in events.
fn summary(place: Summary) -> ListingSummary {
    ListingSummary {
        id: place.id,
        name: place.name,
        is_available: true,
        date_published: Some(instant::to_proto(place.date_published)),
        version: place.version,
    }
}

/// Appends events about places to the transaction of their change.
async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    places: &[ListingSummary],
) -> Result<(), Error> {
    for listings in places.chunks(EVENT_BATCH) {
        tell(context, transaction, listings).await?;
    }
    Ok(())
}

/// Appends the event that types or neighbourhoods have changed, which every place shows: it names no place.
async fn announce_areas(context: &Context, transaction: &mut PgConnection) -> Result<(), Error> {
    tell(context, transaction, &[]).await
}

async fn tell(
    context: &Context,
    transaction: &mut PgConnection,
    places: &[ListingSummary],
) -> Result<(), Error> {
    let event = ListingsChanged {
        listings: places.to_vec(),
    };
    let (exchange, key) = (exchange::CATALOG, key::LISTINGS_CHANGED);
    context
        .outbox
        .append(transaction, exchange, key, &event)
        .await?;
    Ok(())
}

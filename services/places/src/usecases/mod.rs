//! What can be done, one file each; a change owns its transaction and appends its events.

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
pub(crate) mod resolve;

use chassis::{
    bus::{exchange, key},
    instant,
};
use cityguide_proto::events::v1::{ListingSummary, ListingsChanged};
use sqlx::PgConnection;

use crate::{context::Context, error::Error, store::listings::Summary};

/// Places that one event tells of.
const TOLD_AT_ONCE: usize = 100;

/// What others hear of a place.
fn summary(place: Summary) -> ListingSummary {
    ListingSummary {
        id: place.id,
        name: place.name,
        is_available: true,
        date_published: Some(instant::to_proto(place.date_published)),
        version: place.version,
    }
}

/// Appends what others keep of places, in the transaction of their change.
async fn announce(
    context: &Context,
    transaction: &mut PgConnection,
    places: &[ListingSummary],
) -> Result<(), Error> {
    for listings in places.chunks(TOLD_AT_ONCE) {
        tell(context, transaction, listings).await?;
    }
    Ok(())
}

/// Appends that types or neighbourhoods have changed, which every place shows: no place is named.
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

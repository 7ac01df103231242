//! Marks changed objects for the indexing job.

use chassis::{
    error::Fault,
    postgres::{self, Delivered},
};
use cityguide_proto::{
    events::v1::{ListingRated, ListingsChanged, ReplayRequest},
    exchange,
};

use crate::{context::Context, store::search::due};

/// Marks the places of an event, once. An event without places means that types or neighbourhoods have changed, which
/// are part of every place.
pub(crate) async fn listings_changed(
    context: &Context,
    (queue, id): Delivered,
    event: &ListingsChanged,
) -> Result<(), Fault> {
    let mut transaction = context.pool.begin().await?;
    if !postgres::first_time(&mut transaction, queue, id, context.clock.now()).await? {
        return Ok(());
    }
    let ids: Vec<i64> = event.listings.iter().map(|listing| listing.id).collect();
    if ids.is_empty() {
        due::mark(&mut transaction, "areas", &[0]).await?;
        due::mark_listings(&mut transaction).await?;
    }
    due::mark(&mut transaction, "listing", &ids).await?;
    due::mark(&mut transaction, "best_of_lists", &[0]).await?;
    transaction.commit().await?;
    Ok(())
}

/// Marks a place with changed votes, once.
pub(crate) async fn listing_rated(
    context: &Context,
    (queue, id): Delivered,
    event: &ListingRated,
) -> Result<(), Fault> {
    let mut transaction = context.pool.begin().await?;
    if postgres::first_time(&mut transaction, queue, id, context.clock.now()).await? {
        due::mark(&mut transaction, "listing", &[event.listing_id]).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Starts reindexing everything while the index remains in use: marks local objects and requests a replay of all
/// places. Returns the number of local objects.
pub(crate) async fn rebuild(context: &Context) -> Result<i64, Fault> {
    let mut transaction = context.pool.begin().await?;
    due::mark(&mut transaction, "areas", &[0]).await?;
    due::mark(&mut transaction, "best_of_lists", &[0]).await?;
    due::mark_items(&mut transaction).await?;
    due::mark_listings(&mut transaction).await?;
    let everything = ReplayRequest { since: None };
    context
        .outbox
        .append(
            &mut transaction,
            exchange::REPLAY,
            exchange::CATALOG,
            &everything,
        )
        .await?;
    context.outbox.commit(transaction).await?;
    Ok(due::count(&context.pool).await?)
}

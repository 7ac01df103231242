//! Consumers that update the search index after changes of places.

use chassis::postgres::EventConsumer;
use cityguide_proto::{
    events::v1::{ListingRated, ListingsChanged},
    exchange,
};

use crate::{context::Context, usecases::search::mark};

/// Queues of changed places and of votes.
pub(crate) const LISTINGS: &str = "editorial.search_listings";
pub(crate) const RATINGS: &str = "editorial.search_ratings";

/// Handles changes of places.
pub(crate) fn listings_changed(context: Context) -> EventConsumer<ListingsChanged> {
    let (pool, outbox) = (context.pool.clone(), context.outbox.clone());
    let listening = (LISTINGS, exchange::CATALOG);
    EventConsumer::new(listening, &pool, &outbox, move |event, change| {
        let context = context.clone();
        async move { mark::listings_changed(&context, event, &change).await }
    })
}

/// Handles votes.
pub(crate) fn listing_rated(context: Context) -> EventConsumer<ListingRated> {
    let (pool, outbox) = (context.pool.clone(), context.outbox.clone());
    let listening = (RATINGS, exchange::CATALOG);
    EventConsumer::new(listening, &pool, &outbox, move |event, change| {
        let context = context.clone();
        async move { mark::listing_rated(&context, event, &change).await }
    })
}

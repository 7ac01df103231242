//! Handles changes to places or their types.

use chassis::postgres::EventConsumer;
use cityguide_proto::{events::v1::ListingsChanged, exchange};

use crate::{context::Context, usecases::restrict_listings::restrict_listings};

pub(crate) const QUEUE: &str = "photos.listings";

pub(crate) fn listings_changed(context: Context) -> EventConsumer<ListingsChanged> {
    let (pool, outbox) = (context.pool.clone(), context.outbox.clone());
    let listening = (QUEUE, exchange::CATALOG);
    EventConsumer::new(listening, &pool, &outbox, move |event, change| {
        let context = context.clone();
        async move { restrict_listings(&context, event, &change).await }
    })
}

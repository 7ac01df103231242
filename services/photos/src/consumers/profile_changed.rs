//! Handles changes to readers' names.

use chassis::postgres::EventConsumer;
use cityguide_proto::{events::v1::ProfileChanged, exchange};

use crate::{context::Context, usecases::rename_uploader::rename_uploader};

pub(crate) const QUEUE: &str = "photos.profiles";

pub(crate) fn profile_changed(context: Context) -> EventConsumer<ProfileChanged> {
    let (pool, outbox) = (context.pool.clone(), context.outbox.clone());
    let listening = (QUEUE, exchange::LIFECYCLE);
    EventConsumer::new(listening, &pool, &outbox, move |event, change| {
        let context = context.clone();
        async move { rename_uploader(&context, event, &change).await }
    })
}

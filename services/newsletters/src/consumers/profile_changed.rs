//! Consumer of confirmed email addresses.

use chassis::postgres::EventConsumer;
use cityguide_proto::{events::v1::ProfileChanged, exchange};

use crate::{context::Context, usecases::address_confirmed::address_confirmed};

pub(crate) const QUEUE: &str = "newsletters.profiles";

pub(crate) fn profile_changed(context: Context) -> EventConsumer<ProfileChanged> {
    let (pool, outbox) = (context.pool.clone(), context.outbox.clone());
    let listening = (QUEUE, exchange::LIFECYCLE);
    EventConsumer::new(listening, &pool, &outbox, move |event, change| {
        let context = context.clone();
        async move { address_confirmed(&context, event, &change).await }
    })
}

//! Queues an update of the reader's calendar when a bookmark saved with the calendar is created or removed.

use chassis::postgres::EventConsumer;
use cityguide_proto::{events::v1::CalendarBookmarkChanged, exchange};

use crate::{context::Context, usecases::calendar_entry::keep_entry};

pub(crate) const QUEUE: &str = "identity.calendar";

pub(crate) fn calendar_bookmark_changed(
    context: Context,
) -> EventConsumer<CalendarBookmarkChanged> {
    let (pool, outbox) = (context.pool.clone(), context.outbox.clone());
    let listening = (QUEUE, exchange::CALENDAR);
    EventConsumer::new(listening, &pool, &outbox, move |event, change| {
        let context = context.clone();
        async move { Ok(keep_entry(&context, event, &change).await?) }
    })
}

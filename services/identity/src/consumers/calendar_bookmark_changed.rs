//! A reader saved an event with the calendar, or removed it: queue what follows for the calendar.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
    postgres,
};
use cityguide_proto::exchange;

use crate::{context::Context, usecases::calendar_entry::keep_entry};

pub(crate) struct CalendarBookmarkConsumer {
    context: Context,
}

impl CalendarBookmarkConsumer {
    pub(crate) const QUEUE: &str = "identity.calendar";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for CalendarBookmarkConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let change = decode(message)?;
        keep_entry(&self.context, (Self::QUEUE, message.id), &change).await?;
        Ok(())
    }

    async fn lost(&self) -> Result<(), Fault> {
        let Context { pool, outbox, .. } = &self.context;
        postgres::request_replay(pool, outbox, Self::QUEUE, exchange::CALENDAR).await
    }
}

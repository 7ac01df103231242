//! Stores the time of the last change to a reader's saved items.

use std::slice;

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::{Code, Fault},
    instant, postgres,
};
use chrono::{DateTime, Utc};
use cityguide_proto::{events::v1::LastUpdated, exchange};

use crate::{
    context::Context,
    store::last_updates::{self, Changed},
};

pub(crate) struct LastUpdatedConsumer {
    context: Context,
}

impl LastUpdatedConsumer {
    pub(crate) const QUEUE: &str = "identity.last_updates";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for LastUpdatedConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        self.handle_together(slice::from_ref(message)).await
    }

    async fn lost(&self) -> Result<(), Fault> {
        let Context { pool, outbox, .. } = &self.context;
        postgres::request_replay(pool, outbox, Self::QUEUE, exchange::LAST_UPDATES).await
    }

    fn can_handle_together(&self) -> bool {
        true
    }

    /// Handled together because a reader's changes arrive in bursts.
    async fn handle_together(&self, messages: &[Message]) -> Result<(), Fault> {
        let events = messages.iter().map(read);
        let events: Vec<_> = events.collect::<Result<_, _>>()?;
        let changes: Vec<_> = messages
            .iter()
            .zip(&events)
            .map(|(message, (event, at))| Changed {
                event: message.id,
                profile_id: event.profile_id,
                kind: &event.kind,
                at: *at,
            })
            .collect();
        let now = self.context.clock.now();
        last_updates::keep(&self.context.pool, Self::QUEUE, now, &changes).await?;
        Ok(())
    }
}

fn read(message: &Message) -> Result<(LastUpdated, DateTime<Utc>), Fault> {
    let event: LastUpdated = decode(message)?;
    let at = event
        .at
        .as_ref()
        .and_then(instant::from_proto)
        .ok_or_else(|| Fault::new(Code::Invalid, "LastUpdated without its instant"))?;
    Ok((event, at))
}

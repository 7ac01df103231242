//! A reader's saved things changed: store the instant for the profile.

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::{Code, Fault},
    instant, postgres,
};
use chrono::{DateTime, Utc};
use cityguide_proto::{events::v1::LastUpdated, exchange};
use uuid::Uuid;

use crate::{context::Context, store::last_updates};

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
        let (event, at) = read(message)?;
        let mut transaction = self.context.pool.begin().await?;
        let now = self.context.clock.now();
        if postgres::first_time(&mut transaction, Self::QUEUE, message.id, now).await? {
            last_updates::keep(&mut transaction, event.profile_id, &event.kind, at).await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn lost(&self) -> Result<(), Fault> {
        let Context { pool, outbox, .. } = &self.context;
        postgres::request_replay(pool, outbox, Self::QUEUE, exchange::LAST_UPDATES).await
    }

    fn can_handle_together(&self) -> bool {
        true
    }

    /// One transaction for all of them: a reader's changes come in bursts, and only the last instant of each
    /// kind matters.
    async fn handle_together(&self, messages: &[Message]) -> Result<(), Fault> {
        let mut events = HashMap::with_capacity(messages.len());
        for message in messages {
            events.insert(message.id, read(message)?);
        }
        let ids: Vec<Uuid> = events.keys().copied().collect();
        let mut transaction = self.context.pool.begin().await?;
        let now = self.context.clock.now();
        let new = postgres::first_times(&mut transaction, Self::QUEUE, &ids, now).await?;
        let mut latest = BTreeMap::new();
        for (event, at) in new.iter().filter_map(|id| events.get(id)) {
            let known = latest
                .entry((event.profile_id, event.kind.as_str()))
                .or_insert(*at);
            *known = (*known).max(*at);
        }
        if !latest.is_empty() {
            last_updates::keep_all(&mut transaction, &latest).await?;
        }
        transaction.commit().await?;
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

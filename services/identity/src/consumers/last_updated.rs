//! A reader's things changed: keep the instant for the profile.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode, exchange},
    error::{Code, Fault},
    instant, postgres,
};
use cityguide_proto::events::v1::LastUpdated;

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
        let event: LastUpdated = decode(message)?;
        let at = event
            .at
            .as_ref()
            .and_then(instant::from_proto)
            .ok_or_else(|| Fault::new(Code::Invalid, "LastUpdated without its instant"))?;
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
        postgres::ask_anew(pool, outbox, Self::QUEUE, exchange::LAST_UPDATES).await
    }
}

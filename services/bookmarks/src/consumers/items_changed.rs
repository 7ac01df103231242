//! Articles, events, contests, videos or pages changed: keep what readers' lists need of them.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode, exchange},
    error::Fault,
    instant, postgres,
};
use cityguide_proto::events::v1::ItemsChanged;

use crate::{context::Context, domain::KnownItem, store::items};

pub(crate) struct ItemsChangedConsumer {
    context: Context,
}

impl ItemsChangedConsumer {
    pub(crate) const QUEUE: &str = "bookmarks.items";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for ItemsChangedConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let event: ItemsChanged = decode(message)?;
        let mut transaction = self.context.pool.begin().await?;
        let now = self.context.clock.now();
        if postgres::first_time(&mut transaction, Self::QUEUE, message.id, now).await? {
            for item in event.items {
                let known = KnownItem {
                    id: item.id,
                    kind: item.kind,
                    name: item.name,
                    is_available: item.is_available,
                    date_published: item.date_published.as_ref().and_then(instant::from_proto),
                    version: item.version,
                };
                items::keep(&mut transaction, &known).await?;
            }
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn lost(&self) -> Result<(), Fault> {
        let Context { pool, outbox, .. } = &self.context;
        postgres::ask_anew(pool, outbox, Self::QUEUE, exchange::CATALOG).await
    }
}

//! Places changed: keep what lists need of them.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode, exchange},
    error::Fault,
    postgres,
};
use cityguide_proto::events::v1::ListingsChanged;

use crate::{context::Context, domain::KnownListing, store::listings};

pub(crate) struct ListingsChangedConsumer {
    context: Context,
}

impl ListingsChangedConsumer {
    pub(crate) const QUEUE: &str = "bookmarks.listings";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for ListingsChangedConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let event: ListingsChanged = decode(message)?;
        let mut transaction = self.context.pool.begin().await?;
        let now = self.context.clock.now();
        if postgres::first_time(&mut transaction, Self::QUEUE, message.id, now).await? {
            for listing in event.listings {
                let known = KnownListing {
                    id: listing.id,
                    name: listing.name,
                    is_available: listing.is_available,
                    version: listing.version,
                };
                listings::keep(&mut transaction, &known).await?;
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

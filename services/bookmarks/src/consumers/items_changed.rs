//! Stores the data that readers' lists need about changed articles, events, contests, videos and pages.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
    instant,
};
use cityguide_proto::events::v1::{ItemSummary, ItemsChanged};

use crate::{context::Context, domain::Target};

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
        let changed = event.items.into_iter().map(target);
        super::keep(&self.context, Self::QUEUE, message, changed).await
    }

    async fn lost(&self) -> Result<(), Fault> {
        super::request_replay(&self.context, Self::QUEUE).await
    }
}

fn target(item: ItemSummary) -> Target {
    Target {
        kind: item.kind,
        id: item.id,
        name: item.name,
        is_available: item.is_available,
        date_published: item.date_published.as_ref().and_then(instant::from_proto),
        version: item.version,
    }
}

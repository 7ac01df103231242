//! Stores the data that readers' lists need about changed places.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
    instant,
};
use cityguide_proto::events::v1::{ListingSummary, ListingsChanged};

use crate::{
    context::Context,
    domain::{Target, TargetKind},
};

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
        let changed = event.listings.into_iter().map(target);
        super::keep(&self.context, Self::QUEUE, message, changed).await
    }

    async fn lost(&self) -> Result<(), Fault> {
        super::request_replay(&self.context, Self::QUEUE).await
    }
}

fn target(listing: ListingSummary) -> Target {
    Target {
        kind: TargetKind::Listing.as_str().to_owned(),
        id: listing.id,
        name: listing.name,
        is_available: listing.is_available,
        date_published: listing
            .date_published
            .as_ref()
            .and_then(instant::from_proto),
        version: listing.version,
    }
}

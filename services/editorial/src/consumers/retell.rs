//! Someone's queue was lost: tell anew what others keep of items.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
};
use cityguide_proto::events::v1::Retell;

use crate::{context::Context, usecases::retell_items::retell_items};

pub(crate) struct RetellConsumer {
    context: Context,
}

impl RetellConsumer {
    pub(crate) const QUEUE: &str = "editorial.retell";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for RetellConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        // Items do not say when they changed; there are far fewer of them than of readers' things.
        let _: Retell = decode(message)?;
        let told = retell_items(&self.context).await?;
        tracing::info!(told, "told anew what others keep of items");
        Ok(())
    }
}

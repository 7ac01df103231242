//! Someone's queue was lost: tell anew what others keep of places.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
};
use cityguide_proto::events::v1::Retell;

use crate::{context::Context, usecases::retell_listings::retell_listings};

pub(crate) struct RetellConsumer {
    context: Context,
}

impl RetellConsumer {
    pub(crate) const QUEUE: &str = "places.retell";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for RetellConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        // Places do not say when they changed; there are far fewer of them than of readers' things.
        let _: Retell = decode(message)?;
        let told = retell_listings(&self.context).await?;
        tracing::info!(told, "told anew what others keep of places");
        Ok(())
    }
}

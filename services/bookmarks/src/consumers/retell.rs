//! Someone's queue was lost: tell anew when readers' things last changed.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
    instant,
};
use cityguide_proto::events::v1::Retell;

use crate::{context::Context, usecases::retell_stamps::retell_stamps};

pub(crate) struct RetellConsumer {
    context: Context,
}

impl RetellConsumer {
    pub(crate) const QUEUE: &str = "bookmarks.retell";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for RetellConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let request: Retell = decode(message)?;
        let since = request.since.as_ref().and_then(instant::from_proto);
        let told = retell_stamps(&self.context, since).await?;
        tracing::info!(told, "told anew when readers' things last changed");
        Ok(())
    }
}

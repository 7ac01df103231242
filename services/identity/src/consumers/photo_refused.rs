//! Notifies a reader by mail that a photo was refused.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
};

use crate::{context::Context, usecases::mail_refusal::mail_refusal};

pub(crate) struct PhotoRefusedConsumer {
    context: Context,
}

impl PhotoRefusedConsumer {
    pub(crate) const QUEUE: &str = "identity.photos";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for PhotoRefusedConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let refused = decode(message)?;
        mail_refusal(&self.context, (Self::QUEUE, message.id), &refused).await?;
        Ok(())
    }

    /// Mails that were lost with their queue are not sent again, because the dashboard shows the reason for each
    /// refusal.
    async fn lost(&self) -> Result<(), Fault> {
        Ok(())
    }
}

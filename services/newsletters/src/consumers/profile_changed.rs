//! A reader has confirmed an address.

use async_trait::async_trait;
use chassis::{
    bus::{Handler, Message, decode},
    error::Fault,
    postgres,
};
use cityguide_proto::exchange;

use crate::{context::Context, usecases::address_confirmed::address_confirmed};

pub(crate) struct ProfileChangedConsumer {
    context: Context,
}

impl ProfileChangedConsumer {
    pub(crate) const QUEUE: &str = "newsletters.profiles";

    pub(crate) fn new(context: Context) -> Self {
        Self { context }
    }
}

#[async_trait]
impl Handler for ProfileChangedConsumer {
    async fn handle(&self, message: &Message) -> Result<(), Fault> {
        let change = decode(message)?;
        address_confirmed(&self.context, (Self::QUEUE, message.id), &change).await
    }

    async fn lost(&self) -> Result<(), Fault> {
        let Context { pool, outbox, .. } = &self.context;
        postgres::request_replay(pool, outbox, Self::QUEUE, exchange::LIFECYCLE).await
    }
}

//! The state shared by use cases and consumers.

use chassis::{
    clock::SharedClock,
    postgres::{Outbox, stamps::Stamps},
    rpc::Transport,
};
use editorial_proto::v1::editorial_client::EditorialClient;
use places_proto::v1::places_client::PlacesClient;
use sqlx::PgPool;

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) stamps: Stamps,
    pub(crate) places: PlacesClient<Transport>,
    pub(crate) editorial: EditorialClient<Transport>,
}

chassis::opaque_debug!(Context);

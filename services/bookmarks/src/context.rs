//! The state that use cases and consumers share.

use chassis::{
    clock::SharedClock,
    postgres::{Outbox, stamps::Stamps},
    rpc::Transport,
};
use editorial_proto::v1::editorial_client::EditorialClient;
use places_proto::v1::places_client::PlacesClient;
use sqlx::PgPool;

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) stamps: Stamps,
    pub(crate) places: PlacesClient<Transport>,
    pub(crate) editorial: EditorialClient<Transport>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}
